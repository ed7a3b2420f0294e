"""A hinge whose two frames belong to one rigid body."""

import tellegen as tg
from tellegen.library import multibody


class Mechanism(tg.Component):
    world = multibody.World()
    swing = multibody.Revolute()
    rod = multibody.BodyShape(r=[1, 0, 0])
    hinge = multibody.Revolute(n=[0, 1, 0])

    def connections(self):
        yield self.world.frame_b, self.swing.frame_a
        yield self.swing.frame_b, self.rod.frame_a
        yield self.rod.frame_a, self.hinge.frame_a
        yield self.rod.frame_b, self.hinge.frame_b


tg.compile(Mechanism())

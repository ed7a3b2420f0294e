"""The direction of the width of a box is that of its length."""

import tellegen as tg
from tellegen.library import multibody


class Mechanism(tg.Component):
    world = multibody.World()
    hinge = multibody.Revolute()
    bar = multibody.BodyBox(r=[0, -1, 0], width=0.02)

    def connections(self):
        yield self.world.frame_b, self.hinge.frame_a
        yield self.hinge.frame_b, self.bar.frame_a


tg.compile(Mechanism())

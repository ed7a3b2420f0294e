"""Each of two pendulums was given a World."""

import tellegen as tg
from tellegen.library import multibody


class Mechanism(tg.Component):
    world = multibody.World()
    ceiling = multibody.World()
    hinge = multibody.Revolute.array(2)
    bar = multibody.BodyShape.array(2, r=[0, -1, 0])

    def connections(self):
        yield self.world.frame_b, self.hinge[0].frame_a
        yield self.ceiling.frame_b, self.hinge[1].frame_a
        yield self.hinge.frame_b, self.bar.frame_a


tg.compile(Mechanism())

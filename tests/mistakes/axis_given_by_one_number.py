"""The axis of a hinge is a vector, not a number."""

import tellegen as tg
from tellegen.library import multibody


class Mechanism(tg.Component):
    world = multibody.World()
    hinge = multibody.Revolute(n=1)
    bar = multibody.Body(m=1.0, r_CM=[1, 0, 0])

    def connections(self):
        yield self.world.frame_b, self.hinge.frame_a
        yield self.hinge.frame_b, self.bar.frame_a


tg.compile(Mechanism())

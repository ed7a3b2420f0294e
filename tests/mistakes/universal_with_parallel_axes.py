"""Both axes of a universal joint are x."""

import tellegen as tg
from tellegen.library import multibody


class Mechanism(tg.Component):
    world = multibody.World()
    joint = multibody.Universal(n_a=[1, 0, 0], n_b=[1, 0, 0])
    bob = multibody.Body(m=1.0, r_CM=[0, -1, 0])

    def connections(self):
        yield self.world.frame_b, self.joint.frame_a
        yield self.joint.frame_b, self.bob.frame_a


tg.compile(Mechanism())

"""A constraint holds an arm that has neither a mass nor a joint."""

import tellegen as tg
from tellegen.library import multibody


class Mechanism(tg.Component):
    world = multibody.World()
    pin = multibody.SphericalConstraint()
    arm = multibody.FixedTranslation(r=[1, 0, 0])

    def connections(self):
        yield self.world.frame_b, self.pin.frame_a
        yield self.pin.frame_b, self.arm.frame_a


tg.compile(Mechanism())

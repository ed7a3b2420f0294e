"""A joint and an arm that hang on nothing."""

import tellegen as tg
from tellegen.library import multibody


class Mechanism(tg.Component):
    world = multibody.World()
    swing = multibody.Revolute()
    rod = multibody.Body()
    loose = multibody.Revolute()
    arm = multibody.FixedTranslation(r=[1, 0, 0])

    def connections(self):
        yield self.world.frame_b, self.swing.frame_a
        yield self.swing.frame_b, self.rod.frame_a
        yield self.loose.frame_b, self.arm.frame_a


tg.compile(Mechanism())

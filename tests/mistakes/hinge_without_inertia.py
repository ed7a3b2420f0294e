"""A hinge at the end of a chain carries an arm without mass."""

import tellegen as tg
from tellegen.library import multibody


class Mechanism(tg.Component):
    world = multibody.World()
    shoulder = multibody.Revolute()
    rod = multibody.BodyShape(r=[1, 0, 0])
    wrist = multibody.Revolute()
    tip = multibody.FixedTranslation(r=[0.1, 0, 0])

    def connections(self):
        yield self.world.frame_b, self.shoulder.frame_a
        yield self.shoulder.frame_b, self.rod.frame_a
        yield self.rod.frame_b, self.wrist.frame_a
        yield self.wrist.frame_b, self.tip.frame_a


tg.compile(Mechanism())

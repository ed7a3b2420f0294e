"""A run gives one side of a triangle of arms another length."""

import tellegen as tg
from tellegen.library import multibody


class Mechanism(tg.Component):
    world = multibody.World()
    swing = multibody.Revolute()
    base = multibody.BodyShape(r=[1, 0, 0])
    side = multibody.FixedTranslation(r=[0, 1, 0])
    brace = multibody.FixedTranslation(r=[1, 1, 0])

    def connections(self):
        yield self.world.frame_b, self.swing.frame_a
        yield self.swing.frame_b, self.base.frame_a
        yield self.base.frame_b, self.side.frame_a
        yield self.base.frame_a, self.brace.frame_a
        yield self.side.frame_b, self.brace.frame_b


tg.simulate(Mechanism(), stop=1.0, parameters={"side.r": [0.0, 1.2, 0.0]})

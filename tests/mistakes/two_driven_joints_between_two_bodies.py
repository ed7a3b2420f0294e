"""Both bearings of a shaft have a drive."""

import tellegen as tg
from tellegen.library import multibody


class Mechanism(tg.Component):
    world = multibody.World()
    upper = multibody.Revolute(use_flange=True)
    lower = multibody.Revolute(use_flange=True)
    bearing = multibody.Fixed(r=[0, 0, -1])
    shaft = multibody.BodyShape(r=[0, 0, -1])

    def connections(self):
        yield self.world.frame_b, self.upper.frame_a
        yield self.upper.frame_b, self.shaft.frame_a
        yield self.bearing.frame_b, self.lower.frame_a
        yield self.shaft.frame_b, self.lower.frame_b


tg.compile(Mechanism())

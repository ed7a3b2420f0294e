"""The two hinges of a door are not on one axis."""

import tellegen as tg
from tellegen.library import multibody


class Mechanism(tg.Component):
    world = multibody.World()
    upper = multibody.Revolute()
    lower = multibody.Revolute()
    frame = multibody.Fixed(r=[0.001, 0, -1])
    door = multibody.BodyShape(r=[0.001, 0, -1])

    def connections(self):
        yield self.world.frame_b, self.upper.frame_a
        yield self.upper.frame_b, self.door.frame_a
        yield self.frame.frame_b, self.lower.frame_a
        yield self.door.frame_b, self.lower.frame_b


tg.compile(Mechanism())

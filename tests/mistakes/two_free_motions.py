"""Two joints without any constraint say where one body starts."""

import tellegen as tg
from tellegen.library import multibody


class Mechanism(tg.Component):
    world = multibody.World()
    first = multibody.FreeMotion(r_rel_a_start=[1, 0, 0])
    second = multibody.FreeMotion(r_rel_a_start=[2, 0, 0])
    body = multibody.Body()

    def connections(self):
        yield self.world.frame_b, self.first.frame_a, self.second.frame_a
        yield self.body.frame_a, self.first.frame_b, self.second.frame_b


tg.compile(Mechanism())

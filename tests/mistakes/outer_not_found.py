"""Surroundings that are not there."""

import tellegen as tg


class World(tg.Component):
    g = tg.parameter(9.81, "m/s2")


class Mass(tg.Component):
    world = tg.outer("world")
    v = tg.variable("m/s")

    def equations(self):
        yield tg.der(self.v) == -self.world.g


class Scene(tg.Component):
    earth = World()
    stone = Mass()


tg.flatten(Scene())

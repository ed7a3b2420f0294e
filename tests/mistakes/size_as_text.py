"""A number of layers in quotes."""

import tellegen as tg


class Wall(tg.Component):
    n = tg.parameter(3, structural=True)
    T = tg.variable("K", "temperatures", shape=n + 1)

    def equations(self):
        yield tg.der(self.T) == 0


tg.flatten(Wall(n="5"))

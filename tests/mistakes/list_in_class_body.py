"""A list of components in a class body."""

from stock import Ground, Resistor

import tellegen as tg


class Bank(tg.Component):
    r = [Resistor(), Resistor()]
    ground = Ground()

    def connections(self):
        yield self.r[0].n, self.r[1].n, self.ground.p


tg.flatten(Bank())

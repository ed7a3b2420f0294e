"""The fourth of three resistors."""

from stock import Ground, Resistor

import tellegen as tg


class Bank(tg.Component):
    r = Resistor.array(3)
    ground = Ground()

    def connections(self):
        yield self.r[3].n, self.ground.p


tg.flatten(Bank())

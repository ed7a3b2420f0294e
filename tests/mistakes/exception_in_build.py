"""A Python error inside build()."""

from stock import Resistor

import tellegen as tg


class Bank(tg.Component):
    n = tg.parameter(2, structural=True)

    def build(self):
        self.r = [Resistor() for _ in range(self.n)]
        self.last = self.r[self.n]


tg.flatten(Bank())

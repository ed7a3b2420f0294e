"""A Python error inside connections()."""

from stock import Resistor

import tellegen as tg


class Bank(tg.Component):
    n = tg.parameter(2, structural=True)

    def build(self):
        self.r = [Resistor() for _ in range(self.n)]

    def connections(self):
        for k in range(self.n):
            yield self.r[k].n, self.r[k + 1].p


tg.flatten(Bank())

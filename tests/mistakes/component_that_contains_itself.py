"""A component that builds another of its own class, without end."""

from stock import Resistor

import tellegen as tg


class Ladder(tg.Component):
    n = tg.parameter(3, structural=True)

    def build(self):
        self.r = Resistor()
        self.rest = Ladder(n=self.n - 1)


tg.flatten(Ladder())

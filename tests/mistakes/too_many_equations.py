"""A law written twice in different forms."""

from stock import TwoPin

import tellegen as tg


class Resistor(TwoPin):
    R = tg.parameter(1.0, "ohm")

    def equations(self):
        yield self.v == self.R * self.i
        yield self.p.v - self.n.v == self.R * self.p.i


tg.flatten(Resistor())

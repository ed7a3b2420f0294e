"""A connector where one of its variables was meant."""

from stock import TwoPin

import tellegen as tg


class Resistor(TwoPin):
    R = tg.parameter(1.0, "ohm")

    def equations(self):
        yield self.p - self.n == self.R * self.i


tg.flatten(Resistor())

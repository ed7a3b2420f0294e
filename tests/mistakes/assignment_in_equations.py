"""`=` where `==` was meant."""

from stock import TwoPin

import tellegen as tg


class Resistor(TwoPin):
    R = tg.parameter(1.0, "ohm")

    def equations(self):
        self.v = self.R * self.i
        yield self.i == self.v / self.R


tg.flatten(Resistor())

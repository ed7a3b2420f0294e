"""float() of a parameter."""

from stock import TwoPin

import tellegen as tg


class Resistor(TwoPin):
    R = tg.parameter(1.0, "ohm")

    def equations(self):
        yield self.v == float(self.R) * self.i


tg.flatten(Resistor())

"""An equation that is written but not yielded."""

from stock import TwoPin

import tellegen as tg


class Resistor(TwoPin):
    R = tg.parameter(1.0, "ohm")
    P = tg.variable("W", "heat")

    def equations(self):
        self.v == self.R * self.i
        yield self.P == self.v * self.i


tg.flatten(Resistor())

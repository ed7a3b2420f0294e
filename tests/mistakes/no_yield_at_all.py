"""equations() without a single yield."""

from stock import TwoPin

import tellegen as tg


class Resistor(TwoPin):
    R = tg.parameter(1.0, "ohm")

    def equations(self):
        self.v == self.R * self.i


tg.flatten(Resistor())

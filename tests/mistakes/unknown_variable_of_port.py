"""A connector variable that does not exist."""

from stock import TwoPin

import tellegen as tg


class Resistor(TwoPin):
    R = tg.parameter(1.0, "ohm")

    def equations(self):
        yield self.v == self.R * self.p.current


tg.flatten(Resistor())

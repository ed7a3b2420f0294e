"""Equations of the base class yielded again."""

from stock import TwoPin

import tellegen as tg


class Resistor(TwoPin):
    R = tg.parameter(1.0, "ohm")

    def equations(self):
        yield from super().equations()
        yield self.v == self.R * self.i


tg.flatten(Resistor())

"""Terms of different dimensions in one equation."""

from stock import TwoPin

import tellegen as tg


class Coil(TwoPin):
    R = tg.parameter(1.0, "ohm")
    L = tg.parameter(1e-3, "H")

    def equations(self):
        yield self.v == self.R * self.i + self.L * self.i


tg.flatten(Coil())

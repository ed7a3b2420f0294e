"""A Python error inside equations()."""

from stock import TwoPin

import tellegen as tg

TABLE = {"copper": 3.9e-3, "iron": 5.0e-3}


class Wire(TwoPin):
    material = tg.parameter("cooper", structural=True)
    R = tg.parameter(1.0, "ohm")

    def equations(self):
        alpha = TABLE[self.material]
        yield self.v == self.R * (1 + alpha * 10) * self.i


tg.flatten(Wire())

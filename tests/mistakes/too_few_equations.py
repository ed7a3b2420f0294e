"""A component that says too little."""

from stock import TwoPin

import tellegen as tg


class Varistor(TwoPin):
    R = tg.variable("ohm", "resistance")

    def equations(self):
        yield self.v == self.R * self.i


tg.flatten(Varistor())

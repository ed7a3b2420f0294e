"""A Python `if` on what is known only while the model runs."""

from stock import TwoPin

import tellegen as tg


class Diode(TwoPin):
    def equations(self):
        if self.v > 0:
            yield self.v == 0.01 * self.i
        else:
            yield self.i == 1e-6 * self.v


tg.flatten(Diode())

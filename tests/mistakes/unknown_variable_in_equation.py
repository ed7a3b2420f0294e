"""A misspelt name inside equations()."""

from stock import TwoPin

import tellegen as tg


class Diode(TwoPin):
    Is = tg.parameter(1e-14, "A", "saturation current")
    Vt = tg.parameter(0.025, "V", "thermal voltage")

    def equations(self):
        yield self.i == self.Is * (tg.exp(self.v / self.VT) - 1)


tg.flatten(Diode())

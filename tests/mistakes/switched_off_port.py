"""A port that is switched off, used in an equation."""

from stock import HeatPort, TwoPin

import tellegen as tg


class Resistor(TwoPin):
    R = tg.parameter(1.0, "ohm")
    hot = tg.parameter(False, structural=True)
    heat = HeatPort().only_if(hot)

    def equations(self):
        yield self.v == self.R * self.i
        yield self.heat.Q == -self.v * self.i


tg.flatten(Resistor())

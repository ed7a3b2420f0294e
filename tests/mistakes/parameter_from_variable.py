"""A parameter computed from a variable."""

from stock import TwoPin

import tellegen as tg


class Lamp(TwoPin):
    T = tg.variable("K", "temperature of the filament")
    R = tg.parameter(0.1 * T, "ohm")

    def equations(self):
        yield self.v == self.R * self.i
        yield tg.der(self.T) == self.v * self.i


tg.flatten(Lamp())

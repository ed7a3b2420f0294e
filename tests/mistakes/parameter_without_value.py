"""A parameter nobody gave a value."""

from stock import TwoPin

import tellegen as tg


class Resistor(TwoPin):
    R = tg.parameter(None, "ohm", "resistance; depends on the batch, so there is no default")

    def equations(self):
        yield self.v == self.R * self.i


class Circuit(tg.Component):
    shunt = Resistor()
    load = Resistor(R=50.0)


tg.flatten(Circuit())

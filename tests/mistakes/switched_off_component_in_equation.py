"""A component that is switched off, used in an equation."""

from stock import Resistor

import tellegen as tg


class Load(tg.Component):
    heated = tg.parameter(False, structural=True)
    heater = Resistor().only_if(heated)
    P = tg.variable("W", "heating power")

    def equations(self):
        yield self.P == self.heater.v * self.heater.i


tg.flatten(Load())

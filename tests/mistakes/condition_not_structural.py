"""A component that depends on an ordinary parameter."""

from stock import Resistor

import tellegen as tg


class Load(tg.Component):
    heated = tg.parameter(1.0)
    heater = Resistor().only_if(heated > 0)


tg.flatten(Load())

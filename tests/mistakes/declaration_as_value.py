"""A declaration where a number is needed."""

from stock import Resistor

import tellegen as tg


class Load(tg.Component):
    r = Resistor(R=tg.parameter(5.0, "ohm"))


tg.flatten(Load())

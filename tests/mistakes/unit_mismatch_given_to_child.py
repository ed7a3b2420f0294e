"""A capacitance given where a resistance is needed."""

from stock import Resistor

import tellegen as tg


class Load(tg.Component):
    C = tg.parameter(1e-6, "F")
    r = Resistor(R=C)


tg.flatten(Load())

"""Two and a half resistors."""

from stock import Resistor

import tellegen as tg


class Bank(tg.Component):
    n = tg.parameter(5, structural=True)
    r = Resistor.array(n / 2)


tg.flatten(Bank())

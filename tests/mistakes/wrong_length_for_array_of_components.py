"""Three resistances for four resistors."""

from stock import Resistor

import tellegen as tg


class Bank(tg.Component):
    r = Resistor.array(4, R=[1.0, 2.0, 3.0])


tg.flatten(Bank())

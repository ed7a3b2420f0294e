"""A negative resistance."""

from stock import Resistor

import tellegen as tg


class Load(tg.Component):
    r = Resistor()


tg.flatten(Load(r=Resistor(R="-3 kohm")))

"""A number where a component is needed."""

from stock import Resistor

import tellegen as tg


class Load(tg.Component):
    r = Resistor()


Load(r=10.0)

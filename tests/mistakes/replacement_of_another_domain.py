"""A replacement whose port is of another domain."""

from stock import Flange, Resistor

import tellegen as tg


class Spring(tg.Component):
    p = Flange()
    n = Flange()


class Circuit(tg.Component):
    load = Resistor()


Circuit(load=Spring())

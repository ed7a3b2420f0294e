"""A part of a base class is changed through a class derived from it."""

from stock import Resistor

import tellegen as tg


class Board(tg.Component):
    load = Resistor(R=1.0)


class Large(Board):
    pass


Large.load.R = 4.0

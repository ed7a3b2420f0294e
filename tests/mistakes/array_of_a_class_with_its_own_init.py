"""An array of a class whose __init__ asks for arguments."""

from stock import Resistor

import tellegen as tg


class Sized(Resistor):
    def __init__(self, length, **values):
        super().__init__(R=2.0 * length, **values)


class Board(tg.Component):
    tracks = Sized.array(2, length=[1.0, 2.0])

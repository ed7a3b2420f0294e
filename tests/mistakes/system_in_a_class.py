"""A System declared as a part of a class."""

from stock import Resistor

import tellegen as tg

ladder = tg.System("ladder")
ladder.add(r=Resistor())


class Board(tg.Component):
    ladder = ladder


tg.simulate(Board(), 1.0)

"""A quantity of a neighbour in an equation."""

from stock import Resistor

import tellegen as tg

reference = Resistor(R=5.0)


class Copy(tg.Component):
    R = tg.variable("ohm")

    def equations(self):
        yield self.R == reference.R


tg.flatten(Copy())

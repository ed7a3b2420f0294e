"""An ordinary parameter that decides how many components there are."""

from stock import Resistor

import tellegen as tg


class Bank(tg.Component):
    n = tg.parameter(4, description="number of resistors")

    def build(self):
        self.r = [Resistor() for _ in range(self.n)]


tg.flatten(Bank())

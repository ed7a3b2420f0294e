"""Three ports connected with two, one by one."""

from stock import Resistor

import tellegen as tg


class Bank(tg.Component):
    a = Resistor.array(3)
    b = Resistor.array(2)

    def connections(self):
        yield self.a.n, self.b.p


tg.flatten(Bank())

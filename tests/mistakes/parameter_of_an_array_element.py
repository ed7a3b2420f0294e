"""One element of an array of components, changed on its own."""

from stock import Resistor

import tellegen as tg


class Bank(tg.Component):
    r = Resistor.array(3, R=10.0)


bank = Bank()
bank.r[1].R = 20.0

"""What is implemented is a component, not an interface."""

from stock import Resistor

import tellegen as tg


class Precise(tg.Component, implements=Resistor):
    pass

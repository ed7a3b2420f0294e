"""An interface that contains a component."""

from stock import Pin, Resistor

import tellegen as tg


class Lamp(tg.Interface):
    p = Pin()
    n = Pin()
    filament = Resistor()

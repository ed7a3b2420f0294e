"""A value is assigned to a class after its body, where it would change no model."""

from stock import Resistor

import tellegen as tg


class Load(Resistor):
    tolerance = tg.parameter(0.05)


Load.tolerance = 0.01
tg.simulate(Load(), 1.0)

"""A child given the parameter of a class that does not contain it."""

from stock import Capacitor, Resistor

import tellegen as tg


class Load(tg.Component):
    r = Resistor(R=2 * Capacitor.C)


tg.flatten(Load())

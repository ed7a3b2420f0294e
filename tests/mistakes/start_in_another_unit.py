"""A start value in a unit that does not fit."""

from stock import Capacitor

import tellegen as tg

tg.flatten(Capacitor(v=tg.variable(start="3 A")))

"""A resistance for a capacitance."""

from stock import Capacitor

import tellegen as tg

tg.flatten(Capacitor(C="2.2 kohm"))

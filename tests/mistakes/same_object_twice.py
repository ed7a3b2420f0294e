"""One component object in two places."""

from stock import Resistor

import tellegen as tg

r = Resistor(R=10.0)
divider = tg.System("divider")
divider.add(upper=r, lower=r)

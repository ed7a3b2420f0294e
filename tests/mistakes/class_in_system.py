"""A class added to a System instead of an instance."""

from stock import Resistor

import tellegen as tg

ladder = tg.System("ladder")
ladder.add(r=Resistor)

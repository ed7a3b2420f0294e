"""A name given twice in a System."""

from stock import Resistor

import tellegen as tg

ladder = tg.System("ladder")
ladder.add(r=Resistor())
ladder.add(r=Resistor())

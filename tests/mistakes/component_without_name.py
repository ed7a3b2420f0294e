"""A component added to a System without a name."""

from stock import Resistor

import tellegen as tg

ladder = tg.System("ladder")
ladder.add(Resistor())

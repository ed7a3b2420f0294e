"""A class where a component is needed."""

from stock import Resistor

import tellegen as tg

tg.flatten(Resistor)

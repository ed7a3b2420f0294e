"""A declaration where a number is needed, at the top."""

from stock import Resistor

import tellegen as tg

tg.flatten(Resistor(R=tg.parameter(5.0, "ohm")))

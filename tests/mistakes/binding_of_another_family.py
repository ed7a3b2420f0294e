"""A class with the right ports that does not implement the interface."""

from stock import LoadedSource, Resistor

import tellegen as tg

tg.bind(LoadedSource(), {"load": Resistor})

"""A number for a port."""

from stock import Resistor

Resistor(p=5.0)

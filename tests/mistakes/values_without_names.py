"""A value without the name of its parameter."""

from stock import Resistor

Resistor(10.0)

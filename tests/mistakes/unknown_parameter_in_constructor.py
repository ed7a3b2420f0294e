"""A misspelt keyword."""

from stock import Resistor

Resistor(r=10.0)

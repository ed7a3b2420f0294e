"""A list of texts for a number."""

from stock import Resistor

Resistor(R={"value": 10.0})

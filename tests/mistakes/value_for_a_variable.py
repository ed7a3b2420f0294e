"""A number for a variable, where its start was meant."""

from stock import Capacitor

Capacitor(v=5.0)

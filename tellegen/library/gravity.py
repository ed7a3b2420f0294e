"""Gravity where nothing else is given."""

STANDARD_GRAVITY = 9.80665
"""Standard acceleration of free fall in m/s2, by its definition of 1901 (CGPM)."""

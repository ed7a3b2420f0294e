"""Steady states one after the other, while a parameter changes slowly."""

"""Bounds of expressions over intervals of time."""

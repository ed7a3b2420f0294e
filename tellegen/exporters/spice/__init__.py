"""Electrical models as SPICE netlists."""

"""Formal requirements on runs: signal temporal logic with exact margins; see formulas.py and requirement.py."""

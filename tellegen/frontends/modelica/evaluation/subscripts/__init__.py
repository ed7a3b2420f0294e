"""Subscripts that vary: which element is meant, and that there is one."""

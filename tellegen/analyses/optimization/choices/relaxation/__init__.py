"""Bounds of nodes: the numbers of options that are left as variables, and what their runs show."""

"""Netlists of others, against ngspice."""

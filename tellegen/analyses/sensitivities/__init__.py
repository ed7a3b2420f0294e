"""How all variables of a run change with parameters and start values."""

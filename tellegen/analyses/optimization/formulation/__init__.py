"""A search as numbers: variables from 0 to 1 in, objective and constraints with their derivatives out."""

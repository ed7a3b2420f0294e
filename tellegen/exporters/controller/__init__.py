"""Sampled controllers as C99: a record of numbers and functions that start it and do one sample."""

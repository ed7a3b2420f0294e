"""Expressions, built-in functions, functions and statements to values."""

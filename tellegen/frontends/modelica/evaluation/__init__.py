"""Expressions, built-in functions, functions and statements to values."""

from tellegen.frontends.modelica.evaluation import call_expressions, expressions, iterations, references

HANDLERS = (call_expressions, expressions, iterations, references)
"""The files that know how nodes of the syntax tree evaluate."""

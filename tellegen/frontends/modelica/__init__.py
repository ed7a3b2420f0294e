"""Modelica text to a Model: syntax, store, lookup, values, evaluation, instances, sections, kinds, in this order."""

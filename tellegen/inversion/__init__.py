"""Inverse models: components whose inputs are what a model gives, and whose outputs are the inputs that make it so."""

"""Derivatives of performance functions: gradients, and second derivatives along a direction."""

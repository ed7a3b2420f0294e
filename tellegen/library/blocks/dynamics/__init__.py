"""Blocks with a memory: integrators, lags, controllers, filters, linear systems, delays."""

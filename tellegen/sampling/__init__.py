"""Sampled controllers from continuous ones, and estimators as sampled parts of a model."""

"""Figures of a signal while it runs: means, spread, extremes, harmonics, the answer to a step."""

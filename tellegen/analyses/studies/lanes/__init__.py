"""Runs of a study side by side, and with their derivatives."""

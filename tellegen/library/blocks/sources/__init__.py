"""Signals that depend on time only."""

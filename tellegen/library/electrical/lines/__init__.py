"""Transmission lines: ideal ones as delays, lossy ones as ladders of lumped segments."""

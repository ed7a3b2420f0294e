"""Equations and algorithms of instances to scalar statements."""

"""Comparisons and what is made of Booleans: gates, edges, timers, triggers."""

"""Events of runs side by side: watched, located, handled."""

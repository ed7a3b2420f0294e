"""Several objectives at once: fronts of designs."""

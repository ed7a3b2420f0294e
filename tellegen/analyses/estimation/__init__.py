"""States and parameters from measurements: Kalman filters, moving horizons, particles, and how consistent they are."""

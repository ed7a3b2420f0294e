"""Models fitted to measured data."""

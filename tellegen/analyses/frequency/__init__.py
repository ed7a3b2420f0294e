"""Small oscillations: how a model answers them, frequency by frequency."""

"""Tables of numbers as functions of signals and of time."""

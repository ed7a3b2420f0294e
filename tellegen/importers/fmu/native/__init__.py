"""What native code calls of an FMU at every evaluation and event."""

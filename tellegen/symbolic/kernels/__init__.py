"""Functions with loops: their steps, native code, derivatives."""

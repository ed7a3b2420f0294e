"""Exported models as C source: the same code as in their libraries, for compilers of other systems."""

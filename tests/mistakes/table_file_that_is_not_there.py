"""A table from a file that does not exist."""

from tellegen.library import blocks

blocks.CombiTable1D(file="measured.csv")

"""A table from a file that does not exist."""

import tellegen as tg
from tellegen.library import blocks

tg.flatten(blocks.CombiTable1D(file="measured.csv"))

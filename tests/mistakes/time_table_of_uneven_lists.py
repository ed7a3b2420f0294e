"""More values than times."""

import tellegen as tg
from tellegen.library import blocks

tg.flatten(blocks.TimeTable(times=[0.0, 1.0], values=[1.0, 2.0, 3.0]))

"""A family of filters that does not exist."""

import tellegen as tg
from tellegen.library import blocks

tg.flatten(blocks.Filter(analog_filter="elliptic", order=4))

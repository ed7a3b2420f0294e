"""A type of controller that does not exist."""

import tellegen as tg
from tellegen.library import blocks

tg.flatten(blocks.LimPID(controller_type="PDD"))

"""Three springs, written as an array of one that was made already."""

from __future__ import annotations

import tellegen as tg
from tellegen.library import translational


class Row(tg.Component):
    springs = translational.Spring(c=5.0).array(3)

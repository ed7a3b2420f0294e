"""The Zener diode: a diode that is meant to break down."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.electrical.semiconductors.diode import Diode


class ZDiode(Diode):
    """Zener diode: a Diode with breakdown at v = -Bv, where the current is -Ibv."""

    Bv = tg.parameter(5.1, "V", "breakdown voltage", min=0.0)

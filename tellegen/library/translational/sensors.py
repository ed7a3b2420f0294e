"""Sensors of a rod."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.translational.interfaces import Flange, Statements


class PositionSensor(tg.Component):
    """Measures the position of a flange."""

    flange = Flange()
    s = tg.output("m", "position")

    def equations(self) -> Statements:
        yield self.flange.f == 0
        yield self.s == self.flange.s

"""Sensors of a shaft."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.rotational.interfaces import Flange, Statements


class SpeedSensor(tg.Component):
    """Measures the angular velocity of a flange."""

    flange = Flange()
    w = tg.output("rad/s", "angular velocity")

    def equations(self) -> Statements:
        yield self.flange.tau == 0
        yield self.w == tg.der(self.flange.phi)

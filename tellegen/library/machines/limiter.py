"""Limits of supplies."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical import OnePort
from tellegen.library.losses import Lossy
from tellegen.library.machines.interfaces import Statements


class CurrentLimiter(Lossy, OnePort):
    """Lets currents from i_min to i_max pass without a voltage and takes what voltage it needs to let no more through.

    It stands in series with an inductance, such as the armature of a motor: the current of that cannot jump, so it
    reaches the limit, rests there, and the limiter takes the voltage that would drive it further, v i > 0. Where that
    voltage would have to push the current on, it passes again. mode is passing, high or low.
    """

    i_max = tg.parameter(1.0, "A", "limit of the current", min=0.0)
    i_min = tg.parameter(-i_max, "A", "limit in the other direction, the same unless given")

    def losses(self) -> Any:
        return self.v * self.i

    def equations(self) -> Statements:
        yield tg.modes(
            tg.mode("passing", self.v == 0),
            tg.mode("high", tg.der(self.i) == 0),
            tg.mode("low", tg.der(self.i) == 0),
            tg.transition("passing", "high", self.i > self.i_max, tg.reinit(self.i, self.i_max)),
            tg.transition("passing", "low", self.i < self.i_min, tg.reinit(self.i, self.i_min)),
            tg.transition("high", "passing", self.v < 0),
            tg.transition("low", "passing", self.v > 0),
        )

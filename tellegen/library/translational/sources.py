"""What drives a rod."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.translational.interfaces import Flange, Statements


class ConstantForce(tg.Component):
    """Pushes its flange in the direction of s: flange.f = -f_constant."""

    flange = Flange()
    f_constant = tg.parameter(1.0, "N", "driving force")

    def equations(self) -> Statements:
        yield self.flange.f == -self.f_constant

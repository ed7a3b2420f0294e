"""What drives a shaft."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.rotational.interfaces import Flange, Statements


class ConstantTorque(tg.Component):
    """Drives its flange with a torque."""

    flange = Flange()
    tau_constant = tg.parameter(1.0, "N.m", "driving torque")

    def equations(self) -> Statements:
        yield self.flange.tau == -self.tau_constant

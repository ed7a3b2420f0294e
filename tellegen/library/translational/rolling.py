"""The resistance of wheels that roll: smooth below v_reg, so that they stand still without events; no sticking."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.translational.interfaces import Flange, Statements


def smooth_sign(v: Any, v_reg: Any) -> Any:
    """-1 to 1 over the speed v, with the derivative continued smoothly to zero at v_reg."""
    x = tg.minimum(tg.maximum(v / v_reg, -1.0), 1.0)
    return 1.5 * x - 0.5 * x**3


class RollingResistance(tg.Component):
    """Drives its flange against the motion: f = F_weight cos(a) Cr, a the slope with tan(a) = inclination."""

    flange = Flange()
    F_weight = tg.parameter(10.0, "N", "weight of the wheels and what they carry", min=0.0)
    v_reg = tg.parameter(1e-3, "m/s", "below this speed the resistance is smaller", min=1e-300)
    Cr = tg.input("1", "coefficient of rolling resistance", default=0.015)
    inclination = tg.input("1", "height over distance of the road, tan(a)", default=0.0)
    v = tg.variable("m/s", "velocity")
    f = tg.variable("N", "resistance")

    def equations(self) -> Statements:
        yield self.v == tg.der(self.flange.s)
        cosine = 1.0 / tg.sqrt(1.0 + self.inclination**2)
        yield self.f == self.Cr * self.F_weight * cosine * smooth_sign(self.v, self.v_reg)
        yield self.flange.f == self.f

"""The junction diode of SPICE."""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.interfaces import OnePort, Statements
from tellegen.library.electrical.semiconductors.junction import Semiconductor, exponential, junction


class Diode(Semiconductor, OnePort):
    """Junction diode: i = Is (exp(v_j/(N Vt)) - 1) + Gmin v_j with Vt = k T/q and v = v_j + Rs i, as in SPICE.

    Conducts from p (anode) to n (cathode). Optional, and absent until given:

    - Rs: resistance in series with the junction, which has the voltage v_j.
    - Bv: breakdown. Beyond -Bv the current is i = -Ibv exp(-(v_j + Bv)/(Nbv Vt)), joined to the saturation current.
    """

    Is = tg.parameter(1e-14, "A", "saturation current", min=0.0)
    N = tg.parameter(1.0, "1", "emission coefficient", min=0.0)
    Rs = tg.parameter(0.0, "ohm", "series resistance", min=0.0)
    Bv = tg.parameter(0.0, "V", "breakdown voltage; 0: none", min=0.0)
    Ibv = tg.parameter(1e-3, "A", "current at the breakdown voltage", min=0.0)
    Nbv = tg.parameter(1.0, "1", "emission coefficient of the breakdown", min=0.0)
    v_j = tg.variable("V", "voltage of the junction", start=0.0)
    OPTIONAL: ClassVar[dict[str, float]] = {"Rs": 0.0, "Bv": 0.0}

    def static_current(self) -> Any:
        """The current that flows at a constant voltage v_j."""
        Vt = self.thermal_voltage()
        current = junction(self.v_j, self.Is, self.N * Vt)
        if self.has("Bv"):
            current = tg.minimum(current, -self.Is * exponential(-(self.v_j + self._onset(Vt)) / (self.Nbv * Vt)))
        return current + self.Gmin * self.v_j

    def _onset(self, Vt: Any) -> Any:
        """The voltage at which breakdown begins with the current Is, such that -Bv has about -Ibv, as SPICE fits it."""
        n = self.Nbv * Vt
        ratio = tg.maximum(self.Ibv / self.Is, self.Bv / Vt)
        first = self.Bv - n * tg.log(1.0 + ratio)
        return tg.minimum(self.Bv - n * tg.log(1.0 + tg.maximum(ratio - first / Vt, 0.0)), self.Bv)

    def equations(self) -> Statements:
        yield self.i == self.static_current()
        yield self.v == (self.v_j + self.Rs * self.i if self.has("Rs") else self.v_j)

    def losses(self) -> Any:
        return self.v * self.i

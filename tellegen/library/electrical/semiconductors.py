"""Semiconductors with the smooth equations of circuit simulators."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.electrical.interfaces import OnePort, Statements

BOLTZMANN_OVER_CHARGE = 1.380649e-23 / 1.602176634e-19  # V/K, exact since 2019
_STEEPEST = 100.0  # the exponential goes on as a straight line, so that no trial of Newton's method overflows


class Diode(OnePort):
    """Junction diode i = Is (exp(v_j/(N Vt)) - 1) + Gmin v_j with Vt = k T/q and v = v_j + Rs i, as in SPICE.

    Static: no charge is stored. Far beyond any real current (exponents over 100) the exponential goes on straight.
    """

    Is = tg.parameter(1e-14, "A", "saturation current", min=0.0)
    N = tg.parameter(1.0, "1", "emission coefficient", min=0.0)
    Rs = tg.parameter(0.0, "ohm", "series resistance", min=0.0)
    T = tg.parameter(300.15, "K", "temperature of the junction", min=0.0)
    Gmin = tg.parameter(1e-12, "S", "conductance parallel to the junction", min=0.0)
    v_j = tg.variable("V", "voltage of the junction", start=0.0)

    def equations(self) -> Statements:
        Vt = BOLTZMANN_OVER_CHARGE * self.T
        x = self.v_j / (self.N * Vt)
        rise = tg.exp(tg.minimum(x, _STEEPEST)) * (1.0 + tg.maximum(x - _STEEPEST, 0.0))
        yield self.i == self.Is * (rise - 1.0) + self.Gmin * self.v_j
        yield self.v == self.v_j + self.Rs * self.i

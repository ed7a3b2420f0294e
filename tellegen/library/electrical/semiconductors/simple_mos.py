"""MOS transistors of four numbers, without charges: a square law with a threshold that the bulk shifts.

With u_ds > 0 after drain and source are exchanged where needed, and u = K5 (u_gs - Vt + K2 min(u_bs, 0)):

    cut off     u <= 0           i = u_ds/RDS
    triode      u > u_ds         i = b u_ds (u - u_ds/2) + u_ds/RDS
    saturation  else             i = b u^2/2 + u_ds/RDS,          b = Beta (W + dW)/(L + dL)

With use_temperature_dependency Beta falls with (T/Tnom)^-1.5, and Vt and K2 change linearly. `NMOS` and `PMOS` have
the laws of SPICE, with charges; these are the transistors of the Modelica library.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical.interfaces import Pin, Statements
from tellegen.library.losses import Lossy


class SimpleMOS(Lossy):
    """A MOS transistor by a square law: a base. Signs are those of an n-channel; p-channels turn all voltages round."""

    D = Pin("drain")
    G = Pin("gate")
    S = Pin("source")
    B = Pin("bulk")
    W = tg.parameter(20e-6, "m", "width", min=0.0)
    L = tg.parameter(6e-6, "m", "length", min=0.0)
    Beta = tg.parameter(0.041e-3, "A/V2", "transconductance", min=0.0)
    Vt = tg.parameter(0.8, "V", "threshold without bulk voltage")
    K2 = tg.parameter(1.144, "1", "influence of the bulk on the threshold")
    K5 = tg.parameter(0.7311, "1", "reduction of pinch-off")
    dW = tg.parameter(-2.5e-6, "m", "narrowing of the channel")
    dL = tg.parameter(-1.5e-6, "m", "shortening of the channel")
    RDS = tg.parameter(1e7, "ohm", "resistance from drain to source", min=1e-20)
    use_temperature_dependency = tg.parameter(False, structural=True, description="Beta, Vt and K2 change with T")
    Tnom = tg.parameter(300.15, "K", "temperature of the parameters", min=1e-300)
    kvt = tg.parameter(-6.96e-3, "1/K", "relative change of Vt")
    kk2 = tg.parameter(6e-4, "1/K", "relative change of K2")
    sign = 1.0

    def losses(self) -> Any:
        return self.D.i * (self.D.v - self.S.v)

    def equations(self) -> Statements:
        sign = self.sign
        drain = sign * self.D.v
        source = sign * self.S.v
        swapped = drain < source
        low = tg.no_event(tg.minimum(drain, source))
        uds = tg.no_event(abs(drain - source))
        ubs = tg.no_event(tg.minimum(sign * self.B.v - low, 0.0))
        beta, threshold, bulk = self.warmed()
        u = (sign * self.G.v - low - sign * threshold + bulk * ubs) * self.K5
        factor = beta * (self.W + self.dW) / (self.L + self.dL)
        over = tg.no_event(tg.maximum(u, 0.0))
        triode = factor * uds * (over - 0.5 * uds)
        flow = tg.no_event(tg.where(over > uds, triode, 0.5 * factor * over**2)) + uds / self.RDS
        yield self.D.i == tg.no_event(tg.where(swapped, -sign, sign)) * flow
        yield self.D.i + self.S.i == 0
        yield self.G.i == 0
        yield self.B.i == 0
        yield tg.assert_(self.L + self.dL > 0.0, "the length less its shortening has to be positive")  # noqa: PT009
        yield tg.assert_(self.W + self.dW > 0.0, "the width less its narrowing has to be positive")  # noqa: PT009

    def warmed(self) -> tuple[Any, Any, Any]:
        """Beta, Vt and K2 at the temperature of the device."""
        if not self.use_temperature_dependency:
            return self.Beta, self.Vt, self.K2
        T = self.temperature()
        rise = T - self.Tnom
        beta = self.Beta * (T / self.Tnom) ** -1.5
        return beta, self.Vt * (1.0 + rise * self.kvt), self.K2 * (1.0 + rise * self.kk2)


class SimpleNMOS(SimpleMOS):
    """An n-channel MOS transistor by a square law: i = b u^2/2 in saturation, see the top of simple_mos.py."""


class SimplePMOS(SimpleMOS):
    """A p-channel MOS transistor by a square law: that of SimpleNMOS, i = b u^2/2, with all signs turned round."""

    Beta = tg.parameter(0.0105e-3, "A/V2", "transconductance", min=0.0)
    Vt = tg.parameter(-1.0, "V", "threshold without bulk voltage")
    K2 = tg.parameter(0.41, "1", "influence of the bulk on the threshold")
    K5 = tg.parameter(0.839, "1", "reduction of pinch-off")
    dL = tg.parameter(-2.1e-6, "m", "shortening of the channel")
    kvt = tg.parameter(-2.9e-3, "1/K", "relative change of Vt")
    kk2 = tg.parameter(6.2e-4, "1/K", "relative change of K2")
    sign = -1.0

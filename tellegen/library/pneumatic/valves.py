"""Valves that pressure moves: check, relief and pressure-reducing valves, in their steady characteristics."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.pneumatic.interfaces import Statements
from tellegen.library.pneumatic.restrictions import IsoRestriction, between


class PressureValve(IsoRestriction):
    """Base of valves that pressure opens: m_flow = u C rho_ref p1 sqrt(T_ref/T1) phi(p2/p1), u by what `lift` says."""

    leak = tg.parameter(1e-6, "1", "what it leaks when closed, of its conductance C", min=0.0, max=1.0)

    def lift(self) -> Any:
        """How far the valve is open; 0 and below is closed, 1 and above is open."""
        raise NotImplementedError(f"{type(self).__name__} has to define lift()")

    def capacity(self) -> Any:
        u = self.leak + (1.0 - self.leak) * between(self.lift())
        return u * self.C * self.gas.rho_ref * tg.sqrt(self.gas.T_ref)


class CheckValve(PressureValve):
    """Check valve, free from port_a to port_b: it opens from dp = p_crack to dp = p_open, by ISO 6358 in between.

    m_flow = u C rho_ref p1 sqrt(T_ref/T1) phi(p2/p1) with u = (dp - p_crack)/(p_open - p_crack); what it leaks the
    other way is the part `leak` of that.
    """

    p_crack = tg.parameter(0.05e5, "Pa", "pressure difference at which it begins to open", min=0.0)
    p_open = tg.parameter(0.2e5, "Pa", "pressure difference at which it is open")

    def lift(self) -> Any:
        return (self.dp - self.p_crack) / (self.p_open - self.p_crack)

    def equations(self) -> Statements:
        yield tg.assert_(self.p_crack < self.p_open, "the valve opens from p_crack to p_open: p_crack < p_open")  # noqa: PT009


class ReliefValve(PressureValve):
    """Safety valve from port_a to port_b: closed up to dp = p_set, open at p_set + p_range.

    Between the two u = (dp - p_set)/p_range, and m_flow = u C rho_ref p1 sqrt(T_ref/T1) phi(p2/p1).
    """

    p_set = tg.parameter(8e5, "Pa", "pressure difference at which it begins to open", min=0.0)
    p_range = tg.parameter(0.5e5, "Pa", "pressure above p_set at which it is open", min=1e-300)

    def lift(self) -> Any:
        return (self.dp - self.p_set) / self.p_range


class PressureReducingValve(PressureValve):
    """Pressure regulator from port_a to port_b: open while the gauge pressure at port_b is below p_set.

    It closes on the way to p_set + p_range: u = 1 - (p_b - p_ambient - p_set)/p_range, and m_flow = u C rho_ref p1
    sqrt(T_ref/T1) phi(p2/p1). It needs a downstream volume: gas that goes back through it lowers the very pressure
    that closes it, and where nothing holds that pressure, it jumps.
    """

    p_set = tg.parameter(5e5, "Pa", "downstream gauge pressure at which it begins to close", min=0.0)
    p_range = tg.parameter(0.5e5, "Pa", "pressure above p_set at which it is closed", min=1e-300)

    def lift(self) -> Any:
        return 1.0 - (self.port_b.p - self.gas.p_ambient - self.p_set) / self.p_range

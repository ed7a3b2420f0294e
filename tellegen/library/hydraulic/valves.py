"""Valves that pressure moves: check, relief and pressure-reducing valves, in their steady characteristics."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.hydraulic.interfaces import Port, Restriction, Statements
from tellegen.library.hydraulic.orifice_flow import between, orifice


class PressureValve(Restriction):
    """Base of valves that pressure opens: q = Cd A sqrt(2 dp/rho), A from A_leak to A_max by what `lift` says."""

    A_max = tg.parameter(5e-5, "m2", "area when open", min=1e-300)
    A_leak = tg.parameter(1e-12, "m2", "area when closed", min=1e-300)
    Cd = tg.parameter(0.7, "1", "discharge coefficient", min=1e-300)
    Re_c = tg.parameter(100.0, "1", "Reynolds number at which the flow becomes turbulent", min=1e-300)
    A = tg.variable("m2", "area")

    def lift(self) -> Any:
        """How far the valve is open; 0 and below is closed, 1 and above is open."""
        raise NotImplementedError(f"{type(self).__name__} has to define lift()")

    def equations(self) -> Statements:
        yield self.A == self.A_leak + (self.A_max - self.A_leak) * between(self.lift())
        yield self.q == orifice(self.dp, self.A, self, self.rho(), self.oil.nu)


class CheckValve(PressureValve):
    """Check valve, free from port_a to port_b: it opens from dp = p_crack to dp = p_open.

    Between the two A = A_max (dp - p_crack)/(p_open - p_crack), and q = Cd A sqrt(2 dp/rho). Blocked the other way,
    where it leaks through A_leak. The area follows dp at once.
    """

    p_crack = tg.parameter(0.3e5, "Pa", "pressure difference at which it begins to open", min=0.0)
    p_open = tg.parameter(1e5, "Pa", "pressure difference at which it is open")

    def lift(self) -> Any:
        return (self.dp - self.p_crack) / (self.p_open - self.p_crack)

    def equations(self) -> Statements:
        yield tg.assert_(self.p_crack < self.p_open, "the valve opens from p_crack to p_open: p_crack < p_open")  # noqa: PT009


class PilotedCheckValve(CheckValve):
    """A check valve that pressure at port_x opens against the flow: lift = (dp + ratio (p_x - p_a) - p_crack)/(...).

    With q = Cd A sqrt(2 dp/rho) as the check valve; lift = 1 and above is open. ratio is the area of the pilot piston,
    which has p_a after it, over that of the seat. Nothing flows at port_x. It holds a load on its port_b until the
    pilot line is under pressure.
    """

    port_x = Port("pilot")
    ratio = tg.parameter(4.0, "1", "area of the pilot piston over area of the seat", min=0.0)

    def lift(self) -> Any:
        pilot = self.ratio * tg.maximum(self.port_x.p - self.port_a.p, 0.0)
        return (self.dp + pilot - self.p_crack) / (self.p_open - self.p_crack)

    def equations(self) -> Statements:
        yield self.port_x.m_flow == 0


class ReliefValve(PressureValve):
    """Relief valve from port_a to port_b (the tank): closed up to dp = p_set, open at p_set + p_range.

    Between the two A = A_max (dp - p_set)/p_range, and q = Cd A sqrt(2 dp/rho). Its characteristic is steep: the
    smaller p_range, the more it is a limit of pressure.
    """

    p_set = tg.parameter(100e5, "Pa", "pressure difference at which it begins to open", min=0.0)
    p_range = tg.parameter(5e5, "Pa", "pressure above p_set at which it is open", min=1e-300)

    def lift(self) -> Any:
        return (self.dp - self.p_set) / self.p_range


class PressureReducingValve(PressureValve):
    """Pressure-reducing valve from port_a to port_b: open while the gauge pressure at port_b is below p_set.

    It closes on the way to p_set + p_range: A = A_max (1 - (p_b - p_ambient - p_set)/p_range), q = Cd A sqrt(2 dp/rho).
    The spring chamber is vented, so p_set is above the surroundings. It needs a downstream volume: oil that goes back
    through it lowers the very pressure that closes it, and where nothing holds that pressure, it jumps.
    """

    p_set = tg.parameter(50e5, "Pa", "downstream gauge pressure at which it begins to close", min=0.0)
    p_range = tg.parameter(5e5, "Pa", "pressure above p_set at which it is closed", min=1e-300)

    def lift(self) -> Any:
        return 1.0 - (self.port_b.p - self.oil.p_ambient - self.p_set) / self.p_range

"""Valves that pressure moves, in their steady characteristics, and directional valves that a spool moves."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.pneumatic.interfaces import Gassed, Port, Statements
from tellegen.library.pneumatic.restrictions import IsoRestriction, VariableIsoRestriction, between

CENTRES = ("closed", "exhausted", "pressurized")


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
    sqrt(T_ref/T1) phi(p2/p1). It needs a volume behind it: gas that goes back through it lowers the very pressure
    that closes it, and where nothing holds that pressure, it jumps.
    """

    p_set = tg.parameter(5e5, "Pa", "gauge pressure behind the valve at which it begins to close", min=0.0)
    p_range = tg.parameter(0.5e5, "Pa", "pressure above p_set at which it is closed", min=1e-300)

    def lift(self) -> Any:
        return 1.0 - (self.port_b.p - self.gas.p_ambient - self.p_set) / self.p_range


class SpoolValve(Gassed):
    """Base of directional valves: edges by ISO 6358, each open by u = (x - overlap)/(1 - overlap), between 0 and 1.

    m_flow = u C rho_ref p1 sqrt(T_ref/T1) phi(p2/p1) through every edge.
    """

    x = tg.input("1", "position of the spool")
    C = tg.parameter(2e-8, "m3/(s.Pa)", "sonic conductance of an open edge", min=0.0)
    b = tg.parameter(0.3, "1", "critical pressure ratio of the edges", min=0.0, max=0.9)
    leak = tg.parameter(1e-6, "1", "what a closed edge leaks, of C", min=0.0, max=1.0)
    overlap = tg.parameter(0.0, "1", "part of the stroke before an edge opens", max=0.99)

    def open_from(self, x: Any, overlap: Any) -> Any:
        """How far an edge is open that the spool opens in the direction of x."""
        return self.leak + (1.0 - self.leak) * between((x - overlap) / (1.0 - overlap))


class DirectionalValve22(SpoolValve):
    """2/2 valve: port_p to port_a, closed at x = 0 and open at x = 1."""

    port_p = Port("supply")
    port_a = Port("consumer")
    edge_pa = VariableIsoRestriction(C=SpoolValve.C, b=SpoolValve.b)

    def equations(self) -> Statements:
        yield self.edge_pa.opening == self.open_from(self.x, self.overlap)

    def connections(self) -> Statements:
        yield self.port_p, self.edge_pa.port_a
        yield self.edge_pa.port_b, self.port_a


class DirectionalValve32(SpoolValve):
    """3/2 valve: port_a exhausts to port_r at x = 0 and is fed from port_p at x = 1.

    The edge to port_r closes with the same law in 1 - x: with an overlap of 0.5 both are closed in the middle.
    """

    port_p = Port("supply")
    port_r = Port("exhaust")
    port_a = Port("consumer")
    overlap = tg.parameter(0.5, "1", "part of the stroke before an edge opens", max=0.99)
    edge_pa = VariableIsoRestriction(C=SpoolValve.C, b=SpoolValve.b)
    edge_ar = VariableIsoRestriction(C=SpoolValve.C, b=SpoolValve.b)

    def equations(self) -> Statements:
        yield self.edge_pa.opening == self.open_from(self.x, self.overlap)
        yield self.edge_ar.opening == self.open_from(1.0 - self.x, self.overlap)

    def connections(self) -> Statements:
        yield self.port_p, self.edge_pa.port_a
        yield self.edge_pa.port_b, self.port_a, self.edge_ar.port_a
        yield self.edge_ar.port_b, self.port_r


class DirectionalValve53(SpoolValve):
    """5/3 valve: P-A and B-S open with x > 0, P-B and A-R with x < 0; each consumer has an exhaust port of its own.

    In the centre all edges are closed, or A and B are open to their exhausts ("exhausted") or to the supply
    ("pressurized"): edges that are open there have the negative overlap -underlap. u = (|x| - overlap)/(1 - overlap).
    """

    port_p = Port("supply, 1")
    port_a = Port("consumer, 4")
    port_b = Port("consumer, 2")
    port_r = Port("exhaust of A, 5")
    port_s = Port("exhaust of B, 3")
    centre = tg.parameter("closed", structural=True, description="closed, exhausted or pressurized")
    underlap = tg.parameter(0.1, "1", "part of the stroke that closes an edge which is open in the centre", min=1e-6)
    edge_pa = VariableIsoRestriction(C=SpoolValve.C, b=SpoolValve.b)
    edge_pb = VariableIsoRestriction(C=SpoolValve.C, b=SpoolValve.b)
    edge_ar = VariableIsoRestriction(C=SpoolValve.C, b=SpoolValve.b)
    edge_bs = VariableIsoRestriction(C=SpoolValve.C, b=SpoolValve.b)

    def build(self) -> None:
        if self.centre not in CENTRES:
            what, advice = f"centre={self.centre!r} does not exist", f"take one of {', '.join(CENTRES)}"
            raise tg.LanguageError("E197", what, place=self._place, advice=advice)

    def equations(self) -> Statements:
        supply = -1.0 * self.underlap if self.centre == "pressurized" else self.overlap
        exhaust = -1.0 * self.underlap if self.centre == "exhausted" else self.overlap
        yield self.edge_pa.opening == self.open_from(self.x, supply)
        yield self.edge_pb.opening == self.open_from(-1.0 * self.x, supply)
        yield self.edge_ar.opening == self.open_from(-1.0 * self.x, exhaust)
        yield self.edge_bs.opening == self.open_from(self.x, exhaust)

    def connections(self) -> Statements:
        yield self.port_p, self.edge_pa.port_a, self.edge_pb.port_a
        yield self.port_a, self.edge_pa.port_b, self.edge_ar.port_a
        yield self.port_b, self.edge_pb.port_b, self.edge_bs.port_a
        yield self.edge_ar.port_b, self.port_r
        yield self.edge_bs.port_b, self.port_s

"""Directional valves for gas: a spool whose edges open and close paths between ports, each a restriction by ISO 6358.

The position x of the spool is a signal from -1 to 1 (or 0 to 1). An edge is open by

    u = (x - overlap)/(1 - overlap), not below 0 and not above 1,     m_flow = u C rho_ref p1 sqrt(T_ref/T1) phi(p2/p1)

T1 is the temperature that arrives at the valve's port of the higher pressure, so that flows follow from what is
connected; which temperature leaves a port follows from the mixing of flows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.library.pneumatic.interfaces import Gassed, Port, Statements
from tellegen.library.pneumatic.restrictions import VariableIsoRestriction, between

CENTRES = ("closed", "exhausted", "pressurized")


class SpoolEdge(VariableIsoRestriction):
    """An edge of a spool: m_flow = opening C rho_ref p1 sqrt(T_ref/T1) phi(p2/p1), T1 given by the valve."""

    T_a = tg.input("K", "temperature that arrives at the valve on the side of port_a")
    T_b = tg.input("K", "the same on the side of port_b")

    def upstream(self) -> Any:
        return tg.no_event(tg.where(self.dp >= 0.0, tg.maximum(self.T_a, 1.0), tg.maximum(self.T_b, 1.0)))


class SpoolValve(Gassed):
    """Base of directional valves: m_flow = u C rho_ref p1 sqrt(T_ref/T1) phi(p2/p1) through every edge."""

    x = tg.input("1", "position of the spool")
    C = tg.parameter(2e-8, "m3/(s.Pa)", "sonic conductance of an open edge", min=0.0)
    b = tg.parameter(0.3, "1", "critical pressure ratio of the edges", min=0.0, max=0.9)
    leak = tg.parameter(1e-6, "1", "what a closed edge leaks, of C", min=0.0, max=1.0)
    overlap = tg.parameter(0.0, "1", "part of the stroke before an edge opens", max=0.99)

    def edges(self) -> Iterator[tuple[Any, Any, Any, Any]]:
        """Of each edge the component, the two ports it joins, and how far it is open."""
        raise NotImplementedError(f"{type(self).__name__} has to define edges()")

    def open_from(self, x: tg.Expression, overlap: tg.Expression) -> Any:
        """How far an edge is open that the spool opens in the direction of x."""
        return self.leak + (1.0 - self.leak) * between((x - overlap) / (1.0 - overlap))

    def equations(self) -> Statements:
        for edge, a, b, u in self.edges():
            yield edge.opening == u
            yield edge.T_a == tg.in_stream(a.T)
            yield edge.T_b == tg.in_stream(b.T)

    def connections(self) -> Statements:
        for edge, a, b, _ in self.edges():
            yield edge.port_a, a
            yield edge.port_b, b


class DirectionalValve22(SpoolValve):
    """2/2 valve: port_p to port_a, closed at x = 0 and open at x = 1; m_flow = u C rho_ref p1 sqrt(T_ref/T1) phi."""

    port_p = Port("supply")
    port_a = Port("consumer")
    edge_pa = SpoolEdge(C=SpoolValve.C, b=SpoolValve.b)

    def edges(self) -> Iterator[tuple[Any, Any, Any, Any]]:
        yield self.edge_pa, self.port_p, self.port_a, self.open_from(self.x, self.overlap)


class DirectionalValve32(SpoolValve):
    """3/2 valve: port_a exhausts to port_r at x = 0 and is fed from port_p at x = 1.

    The edge to port_r closes with the same law in 1 - x: with an overlap of 0.5 both are closed in the middle.
    """

    port_p = Port("supply")
    port_r = Port("exhaust")
    port_a = Port("consumer")
    overlap = tg.parameter(0.5, "1", "part of the stroke before an edge opens", max=0.99)
    edge_pa = SpoolEdge(C=SpoolValve.C, b=SpoolValve.b)
    edge_ar = SpoolEdge(C=SpoolValve.C, b=SpoolValve.b)

    def edges(self) -> Iterator[tuple[Any, Any, Any, Any]]:
        yield self.edge_pa, self.port_p, self.port_a, self.open_from(self.x, self.overlap)
        yield self.edge_ar, self.port_a, self.port_r, self.open_from(1.0 - self.x, self.overlap)


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
    centre = tg.parameter("closed", structural=True, description="closed, exhausted or pressurized", choices=CENTRES)
    underlap = tg.parameter(0.1, "1", "part of the stroke that closes an edge which is open in the centre", min=1e-6)
    edge_pa = SpoolEdge(C=SpoolValve.C, b=SpoolValve.b)
    edge_pb = SpoolEdge(C=SpoolValve.C, b=SpoolValve.b)
    edge_ar = SpoolEdge(C=SpoolValve.C, b=SpoolValve.b)
    edge_bs = SpoolEdge(C=SpoolValve.C, b=SpoolValve.b)

    def edges(self) -> Iterator[tuple[Any, Any, Any, Any]]:
        supply = -1.0 * self.underlap if self.centre == "pressurized" else self.overlap
        exhaust = -1.0 * self.underlap if self.centre == "exhausted" else self.overlap
        yield self.edge_pa, self.port_p, self.port_a, self.open_from(self.x, supply)
        yield self.edge_pb, self.port_p, self.port_b, self.open_from(-1.0 * self.x, supply)
        yield self.edge_ar, self.port_a, self.port_r, self.open_from(-1.0 * self.x, exhaust)
        yield self.edge_bs, self.port_b, self.port_s, self.open_from(self.x, exhaust)

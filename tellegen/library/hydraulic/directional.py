"""Directional valves: a spool whose edges open and close paths between ports.

The position x of the spool is a signal from -1 to 1 (or 0 to 1): the solenoid, the hand, or a dynamic block before it.
An edge that opens with the spool has the area

    A = A_leak + (A_max - A_leak) u,     u = (x - overlap)/(1 - overlap), not below 0 and not above 1

so it is open at the end of the stroke, and begins to open where the spool has covered the overlap. A negative overlap
(underlap) leaves the edge open in the centre. Through each edge q = Cd A sqrt(2 dp/rho), laminar below Re_c
(orifice_flow.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.library.hydraulic.interfaces import Oiled, Port, Statements
from tellegen.library.hydraulic.orifice_flow import between, orifice
from tellegen.library.losses import Lossy

CENTRES = ("closed", "open", "float", "tandem")


class SpoolValve(Oiled, Lossy):
    """Base of directional valves: edges between ports, each with a flow; subclasses say which (`edges`)."""

    x = tg.input("1", "position of the spool")
    A_max = tg.parameter(1e-5, "m2", "area of an edge when open", min=1e-300)
    A_leak = tg.parameter(1e-12, "m2", "area of an edge when closed", min=1e-300)
    Cd = tg.parameter(0.7, "1", "discharge coefficient", min=1e-300)
    Re_c = tg.parameter(100.0, "1", "Reynolds number at which the flow becomes turbulent", min=1e-300)

    def edges(self) -> Iterator[tuple[Any, str, str, Any]]:
        """Of each edge its mass flow, the port it comes from, the port it goes to, and how far it is open."""
        raise NotImplementedError(f"{type(self).__name__} has to define edges()")

    def open_from(self, x: tg.Expression, overlap: tg.Expression) -> Any:
        """How far an edge is open that the spool opens in the direction of x."""
        return between((x - overlap) / (1.0 - overlap))

    def losses(self) -> Any:
        h = {port: self.oil.h(getattr(self, port).p) for edge in self.edges() for port in edge[1:3]}
        return sum(m_flow * (h[from_] - h[to]) for m_flow, from_, to, _ in self.edges())

    def equations(self) -> Statements:
        into: dict[str, Any] = {}
        for m_flow, from_, to, u in self.edges():
            a = getattr(self, from_)
            b = getattr(self, to)
            area = self.A_leak + (self.A_max - self.A_leak) * u
            rho = self.oil.rho(0.5 * (a.p + b.p))
            yield m_flow == rho * orifice(a.p - b.p, area, self, rho, self.oil.nu)
            for port, sign in ((from_, 1.0), (to, -1.0)):
                into[port] = into.get(port, 0.0) + sign * m_flow
        for name, m_flow in into.items():
            yield getattr(self, name).m_flow == m_flow


class DirectionalValve22(SpoolValve):
    """2/2 valve: port_p to port_a, closed at x = 0 and open at x = 1; A = A_max (x - overlap)/(1 - overlap)."""

    port_p = Port("supply")
    port_a = Port("consumer")
    overlap = tg.parameter(0.0, "1", "part of the stroke before the edge opens", max=0.99)
    m_pa = tg.variable("kg/s", "mass flow from port_p to port_a")

    def edges(self) -> Iterator[tuple[Any, str, str, Any]]:
        yield self.m_pa, "port_p", "port_a", self.open_from(self.x, self.overlap)


class DirectionalValve32(SpoolValve):
    """3/2 valve: port_a to port_t at x = 0, port_p to port_a at x = 1, with A = A_max (x - overlap)/(1 - overlap).

    The edge to the tank closes with the same law in 1 - x. With overlap = 0.5 both are closed in the middle; with 0
    supply and tank are joined on the way.
    """

    port_p = Port("supply")
    port_t = Port("tank")
    port_a = Port("consumer")
    overlap = tg.parameter(0.5, "1", "part of the stroke before an edge opens", max=0.99)
    m_pa = tg.variable("kg/s", "mass flow from port_p to port_a")
    m_at = tg.variable("kg/s", "mass flow from port_a to port_t")

    def edges(self) -> Iterator[tuple[Any, str, str, Any]]:
        yield self.m_pa, "port_p", "port_a", self.open_from(self.x, self.overlap)
        yield self.m_at, "port_a", "port_t", self.open_from(1.0 - self.x, self.overlap)


class DirectionalValve43(SpoolValve):
    """4/3 valve: P-A and B-T open with x > 0, P-B and A-T with x < 0; u = (|x| - overlap)/(1 - overlap).

    The centre position is a kind of spool: "closed" blocks all ports; "open" joins all; "float" joins A and B with T;
    "tandem" joins P with T through an edge of its own, open at x = 0 and closed at |x| = underlap, and blocks A and B.
    Edges that are closed in the centre have the overlap, those that are open there have the underlap. Proportional and
    servo valves are "closed" with an overlap of zero. q = Cd A sqrt(2 dp/rho) at each edge.
    """

    port_p = Port("supply")
    port_t = Port("tank")
    port_a = Port("consumer")
    port_b = Port("consumer")
    centre = tg.parameter("closed", structural=True, description="closed, open, float or tandem", choices=CENTRES)
    overlap = tg.parameter(
        0.0, "1", "part of the stroke before an edge opens that is closed in the centre", min=0.0, max=0.99
    )
    underlap = tg.parameter(
        0.1, "1", "part of the stroke that closes an edge which is open in the centre", min=1e-6, max=1.0
    )
    m_pa = tg.variable("kg/s", "mass flow from port_p to port_a")
    m_pb = tg.variable("kg/s", "mass flow from port_p to port_b")
    m_at = tg.variable("kg/s", "mass flow from port_a to port_t")
    m_bt = tg.variable("kg/s", "mass flow from port_b to port_t")
    m_pt = tg.variable("kg/s", "mass flow from port_p to port_t, in the centre of a tandem valve")

    def edges(self) -> Iterator[tuple[Any, str, str, Any]]:
        supply = -1.0 * self.underlap if self.centre == "open" else self.overlap
        tank = -1.0 * self.underlap if self.centre in ("open", "float") else self.overlap
        yield self.m_pa, "port_p", "port_a", self.open_from(self.x, supply)
        yield self.m_pb, "port_p", "port_b", self.open_from(-1.0 * self.x, supply)
        yield self.m_at, "port_a", "port_t", self.open_from(-1.0 * self.x, tank)
        yield self.m_bt, "port_b", "port_t", self.open_from(self.x, tank)
        if self.centre == "tandem":
            yield self.m_pt, "port_p", "port_t", between(1.0 - abs(self.x) / self.underlap)

    def equations(self) -> Statements:
        if self.centre != "tandem":
            yield self.m_pt == 0

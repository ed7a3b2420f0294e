"""What hydraulic components have in common: ports with an absolute pressure and a mass flow, and oil between two.

Why mass and not volume: oil is compressible, so a litre at 300 bar is more than a litre at 1 bar, and what is conserved
where it is throttled from one to the other is its mass. Summing m_flow to zero in a node is exact; volume flows at
different pressures may not be added. Volume flows q are shown beside, at the pressure of the place.

Why absolute pressures: bubbles of air and cavitation know no other. Gauge pressure is p - oil.p_ambient.

The power through a port is m_flow h(p) (see oil.py), which is (p - p_ambient) q for stiff oil.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.library.losses import Lossy

Statements = Iterator[Any]
AMBIENT = 101325.0


class Port(tg.Connector):
    """The end of a hydraulic line."""

    p = tg.across("Pa", "absolute pressure", start=AMBIENT)
    m_flow = tg.through("kg/s", "mass flow into the component")


class Oiled(tg.Component):
    """What works with the oil of its surroundings: some model around it has a part `oil = hydraulic.Oil()`."""

    oil = tg.outer("oil")


class TwoPorts(Oiled):
    """Oil goes from port_a to port_b and none stays: m_flow = port_a.m_flow = rho q, dp = port_a.p - port_b.p.

    rho is the density at the mean of the two pressures, q the volume flow there.
    """

    port_a = Port()
    port_b = Port()
    dp = tg.variable("Pa", "pressure of port_a less that of port_b")
    m_flow = tg.variable("kg/s", "mass flow from port_a to port_b")
    q = tg.variable("m3/s", "volume flow from port_a to port_b, at the mean pressure")

    def rho(self) -> Any:
        """Density at the mean pressure."""
        return self.oil.rho(0.5 * (self.port_a.p + self.port_b.p))

    def equations(self) -> Statements:
        yield self.dp == self.port_a.p - self.port_b.p
        yield self.m_flow == self.port_a.m_flow
        yield self.port_a.m_flow + self.port_b.m_flow == 0
        yield self.m_flow == self.rho() * self.q


class Restriction(TwoPorts, Lossy):
    """Base of what throttles: the power m_flow (h(port_a.p) - h(port_b.p)) becomes heat."""

    def losses(self) -> Any:
        return self.m_flow * (self.oil.h(self.port_a.p) - self.oil.h(self.port_b.p))

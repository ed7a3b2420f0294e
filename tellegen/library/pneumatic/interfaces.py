"""What pneumatic components have in common: ports with absolute pressure, mass flow and the temperature it carries.

Temperature is a stream: port.T is that of gas which flows out of the component, tg.in_stream(port.T) that of gas which
flows in. With constant heat capacities a mixture of flows has the mean temperature of the masses, so nodes conserve
energy. The power through a port is the flow of enthalpy, m_flow cp T with the temperature of what really flows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

Statements = Iterator[Any]
AMBIENT = 101325.0
WARM = 293.15


class Port(tg.Connector):
    """The end of a pneumatic line."""

    p = tg.across("Pa", "absolute pressure", start=AMBIENT)
    m_flow = tg.through("kg/s", "mass flow into the component")
    T = tg.stream("K", "temperature of gas that flows out", start=WARM)


class Gassed(tg.Component):
    """What works with the gas of its surroundings: some model around it has a part `gas = pneumatic.Gas()`."""

    gas = tg.outer("gas")

    def enthalpy_in(self, port: Any) -> Any:
        """The flow of enthalpy into the component: cp T of what flows in or out. It passes zero without an event."""
        into = tg.maximum(port.m_flow, 0.0)
        out = tg.minimum(port.m_flow, 0.0)
        return self.gas.cp * (into * tg.in_stream(port.T) + out * port.T)


class TwoPorts(Gassed):
    """Gas goes from port_a to port_b, none stays and none changes its enthalpy: T is that of the side it comes from.

    m_flow = port_a.m_flow = -port_b.m_flow, dp = port_a.p - port_b.p.
    """

    port_a = Port()
    port_b = Port()
    dp = tg.variable("Pa", "pressure of port_a less that of port_b")
    m_flow = tg.variable("kg/s", "mass flow from port_a to port_b")

    def upstream(self) -> Any:
        """Temperature on the side of the higher pressure.

        It jumps where nothing flows, so a flow that depends on it bends there and needs no event. A smooth passage
        would read the temperature of the other side too, where it belongs to gas that does not flow.
        """
        a = tg.in_stream(self.port_a.T)
        b = tg.in_stream(self.port_b.T)
        # not below 1 K: iterations that look for a mixture may try less
        return tg.no_event(tg.where(self.dp >= 0.0, tg.maximum(a, 1.0), tg.maximum(b, 1.0)))

    def equations(self) -> Statements:
        yield self.dp == self.port_a.p - self.port_b.p
        yield self.m_flow == self.port_a.m_flow
        yield self.port_a.m_flow + self.port_b.m_flow == 0
        yield self.port_a.T == tg.in_stream(self.port_b.T)
        yield self.port_b.T == tg.in_stream(self.port_a.T)

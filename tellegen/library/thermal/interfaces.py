"""What thermal components have in common: heat ports, and heat that passes from one to another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

Statements = Iterator[Any]


class HeatPort(tg.Connector):
    """A point of one temperature through which heat flows."""

    T = tg.across("K", "temperature", start=293.15)
    Q_flow = tg.through("W", "heat flow into the component")


class Element1D(tg.Component):
    """Heat passes from port_a to port_b without being stored: Q_flow = port_a.Q_flow, dT = port_a.T - port_b.T."""

    port_a = HeatPort()
    port_b = HeatPort()
    Q_flow = tg.variable("W", "heat flow from port_a to port_b")
    dT = tg.variable("K", "temperature of port_a less that of port_b")

    def equations(self) -> Statements:
        yield self.dT == self.port_a.T - self.port_b.T
        yield self.Q_flow == self.port_a.Q_flow
        yield self.port_a.Q_flow + self.port_b.Q_flow == 0


class SolidToFluid(tg.Component):
    """Heat passes from a surface to the fluid around it: Q_flow = solid.Q_flow, dT = solid.T - fluid.T."""

    solid = HeatPort("the surface")
    fluid = HeatPort("the fluid, far from the surface")
    Q_flow = tg.variable("W", "heat flow from the solid to the fluid")
    dT = tg.variable("K", "temperature of the solid less that of the fluid")

    def equations(self) -> Statements:
        yield self.dT == self.solid.T - self.fluid.T
        yield self.Q_flow == self.solid.Q_flow
        yield self.solid.Q_flow + self.fluid.Q_flow == 0

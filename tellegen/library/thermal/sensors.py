"""Thermometers and heat flow meters. None of them takes or gives heat."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.thermal.interfaces import HeatPort, Statements


class TemperatureSensor(tg.Component):
    """Measures the temperature of a port, T = port.T; takes no heat."""

    port = HeatPort()
    T = tg.output("K", "temperature")

    def equations(self) -> Statements:
        yield self.port.Q_flow == 0
        yield self.T == self.port.T


class RelTemperatureSensor(tg.Component):
    """Measures a temperature difference, T_rel = port_a.T - port_b.T; takes no heat."""

    port_a = HeatPort()
    port_b = HeatPort()
    T_rel = tg.output("K", "temperature of port_a less that of port_b")

    def equations(self) -> Statements:
        yield self.T_rel == self.port_a.T - self.port_b.T
        yield self.port_a.Q_flow == 0
        yield self.port_b.Q_flow == 0


class HeatFlowSensor(tg.Component):
    """Measures the heat flow from port_a to port_b, which have one temperature: Q_flow = port_a.Q_flow."""

    port_a = HeatPort()
    port_b = HeatPort()
    Q_flow = tg.output("W", "heat flow from port_a to port_b")

    def equations(self) -> Statements:
        yield self.port_a.T == self.port_b.T
        yield self.port_a.Q_flow + self.port_b.Q_flow == 0
        yield self.Q_flow == self.port_a.Q_flow

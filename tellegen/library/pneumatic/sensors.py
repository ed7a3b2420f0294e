"""Sensors of pressure, flow and temperature: they take no gas and no power."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.pneumatic.interfaces import Gassed, Port, Statements, TwoPorts


class PressureSensor(Gassed):
    """Measures pressure: p = port.p, and against the surroundings p_gauge = p - p_ambient."""

    port = Port()
    p = tg.output("Pa", "absolute pressure")
    p_gauge = tg.output("Pa", "pressure above that of the surroundings")

    def equations(self) -> Statements:
        yield self.port.m_flow == 0
        yield self.port.T == self.gas.T_ambient  # nothing flows out
        yield self.p == self.port.p
        yield self.p_gauge == self.port.p - self.gas.p_ambient


class RelPressureSensor(Gassed):
    """Measures a difference of pressures: dp = port_a.p - port_b.p."""

    port_a = Port()
    port_b = Port()
    dp = tg.output("Pa", "pressure of port_a less that of port_b")

    def equations(self) -> Statements:
        for port in (self.port_a, self.port_b):
            yield port.m_flow == 0
            yield port.T == self.gas.T_ambient  # nothing flows out
        yield self.dp == self.port_a.p - self.port_b.p


class FlowSensor(TwoPorts):
    """Measures the flow from port_a to port_b: m_flow, and in reference volumes q_ref = m_flow/rho_ref (ANR).

    dp = 0: it is not an obstacle.
    """

    q_ref = tg.output("m3/s", "volume flow at reference conditions (ISO 8778)")

    def equations(self) -> Statements:
        yield self.dp == 0
        yield self.m_flow == self.gas.rho_ref * self.q_ref


class TemperatureSensor(TwoPorts):
    """Measures the temperature of the gas that flows through: T = T_a where m_flow > 0, T_b else; dp = 0."""

    T = tg.output("K", "temperature")

    def equations(self) -> Statements:
        yield self.dp == 0
        a = tg.in_stream(self.port_a.T)
        b = tg.in_stream(self.port_b.T)
        yield self.T == tg.no_event(tg.where(self.m_flow >= 0.0, a, b))

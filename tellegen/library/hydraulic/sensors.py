"""Sensors of pressure and flow: they take no oil and no power."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.hydraulic.interfaces import Oiled, Port, Statements


class PressureSensor(Oiled):
    """Measures pressure: p = port.p, and against the surroundings p_gauge = p - p_ambient."""

    port = Port()
    p = tg.output("Pa", "absolute pressure")
    p_gauge = tg.output("Pa", "pressure above that of the surroundings")

    def equations(self) -> Statements:
        yield self.port.m_flow == 0
        yield self.p == self.port.p
        yield self.p_gauge == self.port.p - self.oil.p_ambient


class RelPressureSensor(Oiled):
    """Measures a difference of pressures: dp = port_a.p - port_b.p."""

    port_a = Port()
    port_b = Port()
    dp = tg.output("Pa", "pressure of port_a less that of port_b")

    def equations(self) -> Statements:
        yield self.port_a.m_flow == 0
        yield self.port_b.m_flow == 0
        yield self.dp == self.port_a.p - self.port_b.p


class FlowSensor(Oiled):
    """Measures the flow from port_a to port_b: m_flow, and at the pressure there the volume flow q = m_flow/rho."""

    port_a = Port()
    port_b = Port()
    m_flow = tg.output("kg/s", "mass flow from port_a to port_b")
    q = tg.output("m3/s", "volume flow from port_a to port_b")

    def equations(self) -> Statements:
        yield self.port_a.p == self.port_b.p
        yield self.port_a.m_flow + self.port_b.m_flow == 0
        yield self.m_flow == self.port_a.m_flow
        yield self.m_flow == self.oil.rho(self.port_a.p) * self.q


class VolumeSensor(FlowSensor):
    """Counts the volume that went from port_a to port_b: dV/dt = q, from V = 0 on."""

    V = tg.output("m3", "volume so far")

    def equations(self) -> Statements:
        yield tg.der(self.V) == self.q

    def initial_equations(self) -> Statements:
        yield self.V == 0

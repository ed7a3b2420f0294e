"""Supplies and sinks: pressures and flows that nothing can change."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.pneumatic.interfaces import WARM, Gassed, Port, Statements


class Source(Gassed):
    """Base of supplies: gas that flows out of the port has the temperature T, port.T = T."""

    port = Port()
    T = tg.parameter(WARM, "K", "temperature of what flows out", min=1e-300)

    def equations(self) -> Statements:
        yield self.port.T == self.T


class Ambient(Gassed):
    """The surroundings: port.p = p_ambient, port.T = T_ambient; where valves exhaust to."""

    port = Port()

    def equations(self) -> Statements:
        yield self.port.p == self.gas.p_ambient
        yield self.port.T == self.gas.T_ambient


class FixedPressure(Source):
    """A supply of constant pressure: port.p = p, absolute; port.T = T."""

    p = tg.parameter(7e5, "Pa", "absolute pressure", min=1e-300)

    def equations(self) -> Statements:
        yield self.port.p == self.p


class PrescribedPressure(Source):
    """A supply whose pressure is a signal: port.p = p, absolute; port.T = T."""

    p = tg.input("Pa", "absolute pressure, above zero")

    def equations(self) -> Statements:
        yield self.port.p == self.p


class FixedFlow(Source):
    """A constant flow out of the port, whatever pressure that takes: port.m_flow = -m_flow, port.T = T."""

    m_flow = tg.parameter(1e-3, "kg/s", "mass flow out of the port")

    def equations(self) -> Statements:
        yield self.port.m_flow == -self.m_flow


class PrescribedFlow(Source):
    """A flow out of the port that is a signal: port.m_flow = -m_flow, port.T = T."""

    m_flow = tg.input("kg/s", "mass flow out of the port")

    def equations(self) -> Statements:
        yield self.port.m_flow == -self.m_flow

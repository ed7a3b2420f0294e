"""Sources of pressure and of flow. The other end is outside of the model; for a circuit that is closed take a pump."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.hydraulic.interfaces import Oiled, Port, Statements


class Source(Oiled):
    """Base of sources with one port."""

    port = Port()


class FixedPressure(Source):
    """A supply of constant pressure: port.p = p, absolute."""

    p = tg.parameter(100e5, "Pa", "absolute pressure")

    def equations(self) -> Statements:
        yield self.port.p == self.p


class PrescribedPressure(Source):
    """A supply whose pressure is a signal: port.p = p, absolute."""

    p = tg.input("Pa", "absolute pressure")

    def equations(self) -> Statements:
        yield self.port.p == self.p


class FixedFlow(Source):
    """A constant flow out of the port, whatever pressure that takes: port.m_flow = -rho0 q."""

    q = tg.parameter(1e-4, "m3/s", "volume flow out of the port, measured at p_ambient")

    def equations(self) -> Statements:
        yield self.port.m_flow == -self.oil.rho0 * self.q


class PrescribedFlow(Source):
    """A flow out of the port that is a signal: port.m_flow = -rho0 q."""

    q = tg.input("m3/s", "volume flow out of the port, measured at p_ambient")

    def equations(self) -> Statements:
        yield self.port.m_flow == -self.oil.rho0 * self.q

"""The ends of a model: reservoirs of given pressure, and sources of given mass flow.

Pressures, temperatures, enthalpies, mass flows and mass fractions are inputs: give numbers, or connect signals.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.fluid.interfaces import FluidPort, Statements, fractions
from tellegen.library.media import Water


class PartialSource(tg.Component):
    """The port of everything that stands for the world outside; X is the composition of what flows out of it."""

    medium = tg.parameter(Water(), structural=True, description="what flows")
    port = FluidPort().of(medium)
    X = tg.input("1", "mass fractions", default=lambda self: self.medium.X_default, shape=lambda self: self.medium.n_X)

    def equations(self) -> Statements:
        yield self.port.Xi_outflow == self.X


class FixedBoundary(PartialSource):
    """A reservoir at constant pressure and temperature: port.p = p, and what flows out has T."""

    p = tg.parameter(101325.0, "Pa", "absolute pressure", min=0.0)
    T = tg.parameter(lambda self: self.medium.T_default, "K", "temperature of what flows out", min=0.0)

    def equations(self) -> Statements:
        yield self.port.p == self.p
        yield self.port.h_outflow == self.medium.enthalpy(self.p, self.T, fractions(self.X))


class Boundary_pT(PartialSource):
    """A reservoir whose pressure and temperature are inputs: port.p = p, and what flows out has T."""

    p = tg.input("Pa", "absolute pressure", default=101325.0)
    T = tg.input("K", "temperature of what flows out", default=lambda self: self.medium.T_default)

    def equations(self) -> Statements:
        yield self.port.p == self.p
        yield self.port.h_outflow == self.medium.enthalpy(self.p, self.T, fractions(self.X))


class Boundary_ph(PartialSource):
    """A reservoir whose pressure and specific enthalpy are inputs: port.p = p, port.h_outflow = h."""

    p = tg.input("Pa", "absolute pressure", default=101325.0)
    h = tg.input("J/kg", "specific enthalpy of what flows out", default=lambda self: self.medium.at().h)

    def equations(self) -> Statements:
        yield self.port.p == self.p
        yield self.port.h_outflow == self.h


class MassFlowSource_T(PartialSource):
    """Pushes a mass flow out at temperature T, port.m_flow = -m_flow, whatever pressure that takes; both are inputs."""

    m_flow = tg.input("kg/s", "mass flow out of the port", default=0.0)
    T = tg.input("K", "temperature of what flows out", default=lambda self: self.medium.T_default)

    def equations(self) -> Statements:
        yield self.port.m_flow == -self.m_flow
        yield self.port.h_outflow == self.medium.enthalpy(self.port.p, self.T, fractions(self.X))


class MassFlowSource_h(PartialSource):
    """Pushes a mass flow out, port.m_flow = -m_flow, with specific enthalpy h; both are inputs."""

    m_flow = tg.input("kg/s", "mass flow out of the port", default=0.0)
    h = tg.input("J/kg", "specific enthalpy of what flows out", default=lambda self: self.medium.at().h)

    def equations(self) -> Statements:
        yield self.port.m_flow == -self.m_flow
        yield self.port.h_outflow == self.h

"""Sensors: what a stream is like at a point, and how much of it passes. None of them changes the flow.

Those with one port take no flow; they show the state of fluid that would flow into them, which is the mixture in the
point they are connected to. Those with two ports stand in the stream and show what passes: what comes from port_a while
m_flow > 0, from port_b while it is negative, with a smooth change at m_flow_small.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.fluid.interfaces import FluidPort, PartialThrottle, Statements, arriving, upstream
from tellegen.library.media import Water


class PartialAbsoluteSensor(tg.Component):
    """A sensor at a point, port.m_flow = 0."""

    medium = tg.parameter(Water(), structural=True, description="what flows")
    port = FluidPort().of(medium)
    T_fluid = tg.variable("K", "temperature of the fluid", start=lambda self: self.medium.T_default)

    def equations(self) -> Statements:
        yield self.port.m_flow == 0
        yield self.port.h_outflow == tg.in_stream(self.port.h_outflow)
        yield self.port.Xi_outflow == tg.in_stream(self.port.Xi_outflow)
        yield self.medium.relation(arriving(self.port, self.T_fluid))


class Pressure(PartialAbsoluteSensor):
    """Measures the absolute pressure at a point."""

    p = tg.output("Pa", "absolute pressure")

    def equations(self) -> Statements:
        yield self.p == self.port.p


class Temperature(PartialAbsoluteSensor):
    """Measures the temperature at a point."""

    T = tg.output("K", "temperature")

    def equations(self) -> Statements:
        yield self.T == self.T_fluid


class Density(PartialAbsoluteSensor):
    """Measures the density at a point."""

    d = tg.output("kg/m3", "density")

    def equations(self) -> Statements:
        yield self.d == self.medium.density(arriving(self.port, self.T_fluid))


class SpecificEnthalpy(PartialAbsoluteSensor):
    """Measures the specific enthalpy at a point."""

    h_out = tg.output("J/kg", "specific enthalpy")

    def equations(self) -> Statements:
        yield self.h_out == tg.in_stream(self.port.h_outflow)


class MassFractions(PartialAbsoluteSensor):
    """Measures the mass fractions of all substances but the last at a point."""

    Xi = tg.output("1", "mass fractions", shape=lambda self: self.medium.n_X)

    def equations(self) -> Statements:
        yield self.Xi == tg.in_stream(self.port.Xi_outflow)


class SpecificEntropy(PartialAbsoluteSensor):
    """Measures the specific entropy at a point."""

    s = tg.output("J/(kg.K)", "specific entropy")

    def equations(self) -> Statements:
        yield self.s == self.medium.entropy(arriving(self.port, self.T_fluid))


class RelativePressure(tg.Component):
    """Measures a pressure difference, p_rel = port_a.p - port_b.p; nothing flows through it."""

    medium = tg.parameter(Water(), structural=True, description="what flows")
    port_a = FluidPort().of(medium)
    port_b = FluidPort().of(medium)
    p_rel = tg.output("Pa", "pressure of port_a less that of port_b")

    def equations(self) -> Statements:
        yield self.p_rel == self.port_a.p - self.port_b.p
        for port in (self.port_a, self.port_b):
            yield port.m_flow == 0
            yield port.h_outflow == tg.in_stream(port.h_outflow)
            yield port.Xi_outflow == tg.in_stream(port.Xi_outflow)


class PartialFlowSensor(PartialThrottle):
    """A sensor in the stream, port_a.p = port_b.p: nothing changes."""

    def passing(self, at_a: tg.Expression, at_b: tg.Expression) -> Any:
        """A property of what passes, from its values on both sides."""
        return upstream(self.m_flow, at_a, at_b, self.m_flow_small)

    def equations(self) -> Statements:
        yield self.dp == 0


class MassFlowRate(PartialFlowSensor):
    """Measures the mass flow from port_a to port_b, which have one pressure."""

    m_flow_out = tg.output("kg/s", "mass flow from port_a to port_b")

    def equations(self) -> Statements:
        yield self.m_flow_out == self.m_flow


class VolumeFlowRate(PartialFlowSensor):
    """Measures the volume flow from port_a to port_b, which have one pressure."""

    V_flow = tg.output("m3/s", "volume flow from port_a to port_b")

    def equations(self) -> Statements:
        yield self.V_flow * self.upstream(self.medium.density) == self.m_flow


class TemperatureTwoPort(PartialFlowSensor):
    """Measures the temperature of what passes from port_a to port_b or back."""

    T = tg.output("K", "temperature")

    def equations(self) -> Statements:
        yield self.T == self.passing(self.T_a, self.T_b)


class SpecificEnthalpyTwoPort(PartialFlowSensor):
    """Measures the specific enthalpy of what passes from port_a to port_b or back."""

    h_out = tg.output("J/kg", "specific enthalpy")

    def equations(self) -> Statements:
        yield self.h_out == self.passing(self.port_b.h_outflow, self.port_a.h_outflow)


class DensityTwoPort(PartialFlowSensor):
    """Measures the density of what passes from port_a to port_b or back."""

    d = tg.output("kg/m3", "density")

    def equations(self) -> Statements:
        yield self.d == self.upstream(self.medium.density)


class SpecificEntropyTwoPort(PartialFlowSensor):
    """Measures the specific entropy of what passes from port_a to port_b or back."""

    s = tg.output("J/(kg.K)", "specific entropy")

    def equations(self) -> Statements:
        yield self.s == self.upstream(self.medium.entropy)


class MassFractionsTwoPort(PartialFlowSensor):
    """Measures the mass fractions, of all substances but the last, of what passes from port_a to port_b or back."""

    Xi = tg.output("1", "mass fractions", shape=lambda self: self.medium.n_X)

    def equations(self) -> Statements:
        yield self.Xi == self.passing(self.port_b.Xi_outflow, self.port_a.Xi_outflow)

"""A few parts of four domains for tests: electrical, rotational, thermal, fluid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

Statements = Iterator[Any]


class Pin(tg.Connector):
    v = tg.across("V")
    i = tg.through("A")


class Flange(tg.Connector):
    phi = tg.across("rad")
    tau = tg.through("N.m")


class HeatPort(tg.Connector):
    T = tg.across("K")
    Q = tg.through("W")


class FluidPort(tg.Connector):
    p = tg.across("Pa")
    m_flow = tg.through("kg/s")
    h_outflow = tg.stream("J/kg")


class OnePort(tg.Component):
    p = Pin()
    n = Pin()
    v = tg.variable("V")
    i = tg.variable("A")

    def equations(self) -> Statements:
        yield self.v == self.p.v - self.n.v
        yield self.p.i == self.i
        yield self.n.i == -self.i


class Resistor(OnePort):
    R = tg.parameter(1.0, "ohm")

    def equations(self) -> Statements:
        yield self.v == self.R * self.i


class Capacitor(OnePort):
    C = tg.parameter(1.0, "F")

    def equations(self) -> Statements:
        yield self.C * tg.der(self.v) == self.i


class Inductor(OnePort):
    L = tg.parameter(1.0, "H")

    def equations(self) -> Statements:
        yield self.L * tg.der(self.i) == self.v


class Battery(OnePort):
    V = tg.parameter(1.0, "V")

    def equations(self) -> Statements:
        yield self.v == self.V


class Ground(tg.Component):
    p = Pin()

    def equations(self) -> Statements:
        yield self.p.v == 0


class Inertia(tg.Component):
    a = Flange()
    b = Flange()
    J = tg.parameter(1.0, "kg.m2")
    phi = tg.variable("rad", start=0.0)
    w = tg.variable("rad/s", start=0.0)

    def equations(self) -> Statements:
        yield self.phi == self.a.phi
        yield self.phi == self.b.phi
        yield tg.der(self.phi) == self.w
        yield self.J * tg.der(self.w) == self.a.tau + self.b.tau


class Spring(tg.Component):
    a = Flange()
    b = Flange()
    c = tg.parameter(1.0, "N.m/rad")

    def equations(self) -> Statements:
        yield self.a.tau == self.c * (self.a.phi - self.b.phi)
        yield self.a.tau + self.b.tau == 0


class Wall(tg.Component):
    flange = Flange()

    def equations(self) -> Statements:
        yield self.flange.phi == 0


class HeatMass(tg.Component):
    port = HeatPort()
    C = tg.parameter(1.0, "J/K")

    def equations(self) -> Statements:
        yield self.C * tg.der(self.port.T) == self.port.Q


class Conduction(tg.Component):
    a = HeatPort()
    b = HeatPort()
    G = tg.parameter(1.0, "W/K")

    def equations(self) -> Statements:
        yield self.a.Q == self.G * (self.a.T - self.b.T)
        yield self.a.Q + self.b.Q == 0


class FixedTemperature(tg.Component):
    port = HeatPort()
    T = tg.parameter("20 degC", "K")

    def equations(self) -> Statements:
        yield self.port.T == self.T


class Boundary(tg.Component):
    """Fluid of a given enthalpy at a given pressure."""

    port = FluidPort()
    p = tg.parameter("1 bar", "Pa")
    h = tg.parameter("100 kJ/kg", "J/kg")

    def equations(self) -> Statements:
        yield self.port.p == self.p
        yield self.port.h_outflow == self.h


class Valve(tg.Component):
    """Flow in proportion to the pressure drop; the fluid passes unchanged."""

    a = FluidPort()
    b = FluidPort()
    k = tg.parameter(1e-5, "kg/(s.Pa)")

    def equations(self) -> Statements:
        yield self.a.m_flow == self.k * (self.a.p - self.b.p)
        yield self.a.m_flow + self.b.m_flow == 0
        yield self.a.h_outflow == tg.in_stream(self.b.h_outflow)
        yield self.b.h_outflow == tg.in_stream(self.a.h_outflow)

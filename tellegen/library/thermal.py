"""Heat transfer with lumped elements: ports with temperature T and heat flow Q_flow, positive into the component."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

__all__ = [
    "BodyRadiation",
    "Element1D",
    "FixedHeatFlow",
    "FixedTemperature",
    "HeatCapacitor",
    "HeatPort",
    "PrescribedTemperature",
    "TemperatureSensor",
    "ThermalConductor",
    "ThermalResistor",
]

Statements = Iterator[Any]


class HeatPort(tg.Connector):
    """A point of one temperature through which heat flows."""

    T = tg.across("K", "temperature")
    Q_flow = tg.through("W", "heat flow into the component")


class HeatCapacitor(tg.Component):
    """A lump of material of one temperature: C dT/dt = Q_flow."""

    port = HeatPort()
    C = tg.parameter(1.0, "J/K", "heat capacity", min=0.0)
    T = tg.variable("K", "temperature", start=293.15)

    def equations(self) -> Statements:
        yield self.T == self.port.T
        yield self.C * tg.der(self.T) == self.port.Q_flow


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


class ThermalConductor(Element1D):
    """Q_flow = G dT."""

    G = tg.parameter(1.0, "W/K", "thermal conductance", min=0.0)

    def equations(self) -> Statements:
        yield self.Q_flow == self.G * self.dT


class ThermalResistor(Element1D):
    """dT = R Q_flow."""

    R = tg.parameter(1.0, "K/W", "thermal resistance", min=0.0)

    def equations(self) -> Statements:
        yield self.dT == self.R * self.Q_flow


class BodyRadiation(Element1D):
    """Radiation between two bodies: Q_flow = Gr sigma (port_a.T^4 - port_b.T^4)."""

    Gr = tg.parameter(1.0, "m2", "net radiation conductance", min=0.0)
    sigma = tg.parameter(5.670374419e-8, "W/(m2.K4)", "Stefan-Boltzmann constant")

    def equations(self) -> Statements:
        yield self.Q_flow == self.Gr * self.sigma * (self.port_a.T**4 - self.port_b.T**4)


class FixedTemperature(tg.Component):
    """A port held at a temperature."""

    port = HeatPort()
    T = tg.parameter(293.15, "K", "temperature of the port")

    def equations(self) -> Statements:
        yield self.port.T == self.T


class PrescribedTemperature(tg.Component):
    """The temperature of the port is an input signal."""

    port = HeatPort()
    T = tg.input("K", "temperature of the port")

    def equations(self) -> Statements:
        yield self.port.T == self.T


class FixedHeatFlow(tg.Component):
    """Q_flow leaves through the port into what is connected: port.Q_flow = -Q_flow."""

    port = HeatPort()
    Q_flow = tg.parameter(1.0, "W", "heat flow out of the port")

    def equations(self) -> Statements:
        yield self.port.Q_flow == -self.Q_flow


class TemperatureSensor(tg.Component):
    """Measures the temperature of a port; takes no heat."""

    port = HeatPort()
    T = tg.output("K", "temperature")

    def equations(self) -> Statements:
        yield self.port.Q_flow == 0
        yield self.T == self.port.T

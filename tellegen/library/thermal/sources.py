"""Temperatures and heat flows from outside."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.thermal.interfaces import HeatPort, Statements


class FixedTemperature(tg.Component):
    """A port held at a temperature: port.T = T."""

    port = HeatPort()
    T = tg.parameter(293.15, "K", "temperature of the port")

    def equations(self) -> Statements:
        yield self.port.T == self.T


class PrescribedTemperature(tg.Component):
    """The temperature of the port is an input signal: port.T = T."""

    port = HeatPort()
    T = tg.input("K", "temperature of the port")

    def equations(self) -> Statements:
        yield self.port.T == self.T


class FixedHeatFlow(tg.Component):
    """Heat flows out of the port into what is connected: port.Q_flow = -Q_flow (1 + alpha (port.T - T_ref))."""

    port = HeatPort()
    Q_flow = tg.parameter(1.0, "W", "heat flow out of the port at T_ref")
    T_ref = tg.parameter(293.15, "K", "reference temperature", min=0.0)
    alpha = tg.parameter(0.0, "1/K", "relative change of the heat flow with the temperature of the port")

    def equations(self) -> Statements:
        yield self.port.Q_flow == -self.Q_flow * (1.0 + self.alpha * (self.port.T - self.T_ref))


class PrescribedHeatFlow(tg.Component):
    """The heat flow out of the port is a signal: port.Q_flow = -Q_flow (1 + alpha (port.T - T_ref))."""

    port = HeatPort()
    Q_flow = tg.input("W", "heat flow out of the port at T_ref")
    T_ref = tg.parameter(293.15, "K", "reference temperature", min=0.0)
    alpha = tg.parameter(0.0, "1/K", "relative change of the heat flow with the temperature of the port")

    def equations(self) -> Statements:
        yield self.port.Q_flow == -self.Q_flow * (1.0 + self.alpha * (self.port.T - self.T_ref))

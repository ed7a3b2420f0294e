"""Passive electrical components, ground, and the transducer to rotation."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library import rotational
from tellegen.library.electrical.interfaces import OnePort, Pin, Statements
from tellegen.library.losses import Lossy


class Ground(tg.Component):
    """The reference: potential zero."""

    p = Pin("ground pin")

    def equations(self) -> Statements:
        yield self.p.v == 0


class Resistor(Lossy, OnePort):
    """Ohm's law, v = R (1 + alpha (T - T_ref)) i; the heat v i leaves through the heat port if there is one."""

    R = tg.parameter(1.0, "ohm", "resistance at T_ref")
    alpha = tg.parameter(0.0, "1/K", "relative change of the resistance with temperature; needs the heat port")

    def losses(self) -> Any:
        return self.v * self.i

    def equations(self) -> Statements:
        if self.use_heat_port:
            yield self.v == self.R * (1.0 + self.alpha * (self.temperature() - self.T_ref)) * self.i
        else:
            yield self.v == self.R * self.i


class Capacitor(OnePort):
    """i = C dv/dt."""

    C = tg.parameter(1.0, "F", "capacitance", min=0.0)

    def equations(self) -> Statements:
        yield self.i == self.C * tg.der(self.v)


class Inductor(OnePort):
    """v = L di/dt."""

    L = tg.parameter(1.0, "H", "inductance", min=0.0)

    def equations(self) -> Statements:
        yield self.v == self.L * tg.der(self.i)


class EMF(tg.Component):
    """Ideal electromechanical transducer: v = k w, tau = -k i (power in equals power out)."""

    p = Pin()
    n = Pin()
    flange = rotational.Flange("shaft")
    k = tg.parameter(1.0, "N.m/A", "transformation coefficient")
    v = tg.variable("V", "voltage drop")
    i = tg.variable("A", "current from p to n")
    w = tg.variable("rad/s", "angular velocity")

    def equations(self) -> Statements:
        yield self.v == self.p.v - self.n.v
        yield self.i == self.p.i
        yield self.p.i + self.n.i == 0
        yield self.w == tg.der(self.flange.phi)
        yield self.v == self.k * self.w
        yield self.flange.tau == -self.k * self.i

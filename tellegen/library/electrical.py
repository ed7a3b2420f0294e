"""Electrical components: pins with potential v and current i, positive into the component."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.library import rotational

__all__ = [
    "EMF",
    "Capacitor",
    "ConstantCurrent",
    "ConstantVoltage",
    "CurrentSensor",
    "Ground",
    "Inductor",
    "OnePort",
    "Pin",
    "PotentialSensor",
    "Resistor",
    "SignalVoltage",
    "SineVoltage",
    "StepVoltage",
]

Statements = Iterator[Any]


class Pin(tg.Connector):
    """An electrical terminal."""

    v = tg.across("V", "potential")
    i = tg.through("A", "current into the component")


class OnePort(tg.Component):
    """Two pins and the voltage and current between them: v = p.v - n.v, current i flows from p to n."""

    p = Pin("positive pin")
    n = Pin("negative pin")
    v = tg.variable("V", "voltage drop from p to n")
    i = tg.variable("A", "current from p to n")

    def equations(self) -> Statements:
        yield self.v == self.p.v - self.n.v
        yield self.i == self.p.i
        yield self.p.i + self.n.i == 0


class Ground(tg.Component):
    """The reference: potential zero."""

    p = Pin("ground pin")

    def equations(self) -> Statements:
        yield self.p.v == 0


class Resistor(OnePort):
    """Ohm's law: v = R i."""

    R = tg.parameter(1.0, "ohm", "resistance")

    def equations(self) -> Statements:
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


class ConstantVoltage(OnePort):
    """v = V."""

    V = tg.parameter(1.0, "V", "voltage")

    def equations(self) -> Statements:
        yield self.v == self.V


class StepVoltage(OnePort):
    """v = offset until start_time, offset + V after."""

    V = tg.parameter(1.0, "V", "height of the step")
    offset = tg.parameter(0.0, "V", "voltage before the step")
    start_time = tg.parameter(0.0, "s", "instant of the step")

    def equations(self) -> Statements:
        yield self.v == self.offset + tg.where(tg.time < self.start_time, 0.0, self.V)


class SineVoltage(OnePort):
    """v = offset + V sin(2 pi f (t - start_time) + phase), offset before start_time."""

    V = tg.parameter(1.0, "V", "amplitude")
    f = tg.parameter(1.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phase")
    offset = tg.parameter(0.0, "V", "offset")
    start_time = tg.parameter(0.0, "s", "start")

    def equations(self) -> Statements:
        angle = 6.283185307179586 * self.f * (tg.time - self.start_time) + self.phase
        yield self.v == self.offset + tg.where(tg.time < self.start_time, 0.0, self.V * tg.sin(angle))


class SignalVoltage(OnePort):
    """The voltage is an input signal."""

    u = tg.input("V", "voltage between p and n")

    def equations(self) -> Statements:
        yield self.v == self.u


class ConstantCurrent(OnePort):
    """i = I, from p to n."""

    I = tg.parameter(1.0, "A", "current")  # noqa: E741 - the name every electrical engineer expects

    def equations(self) -> Statements:
        yield self.i == self.I


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


class PotentialSensor(tg.Component):
    """Measures the potential of a pin; draws no current."""

    p = Pin()
    phi = tg.output("V", "potential")

    def equations(self) -> Statements:
        yield self.p.i == 0
        yield self.phi == self.p.v


class CurrentSensor(tg.Component):
    """Measures the current from p to n; no voltage drop."""

    p = Pin()
    n = Pin()
    i = tg.output("A", "current from p to n")

    def equations(self) -> Statements:
        yield self.p.v == self.n.v
        yield self.i == self.p.i
        yield self.p.i + self.n.i == 0

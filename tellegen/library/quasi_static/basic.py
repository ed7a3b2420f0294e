"""Linear parts, with constant values and with values that are signals; Ohm's law of phasors."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.losses import Lossy
from tellegen.library.quasi_static.interfaces import (
    Phases,
    PhasorPin,
    Referenced,
    Statements,
    TwoPin,
    potential,
)
from tellegen.library.quasi_static.phasors import Phasor, active_power, equal, zero


class Ground(tg.Component):
    """The potential zero: v = 0 + j 0."""

    p = PhasorPin.array(1, "terminal at potential zero")

    def equations(self) -> Statements:
        yield from zero(potential(self.p), 1)


class Warm(Lossy, TwoPin):
    """Base of parts whose resistance may change with temperature; all they take in becomes heat."""

    alpha = tg.parameter(0.0, "1/K", "relative change of the resistance with temperature; needs the heat port")

    def losses(self) -> Any:
        return active_power(self.voltage, self.current)

    def warming(self) -> Any:
        """The resistance over that at T_ref."""
        return 1.0 + self.alpha * (self.temperature() - self.T_ref)


class Resistor(Warm):
    """v = R (1 + alpha (T - T_ref)) i."""

    R = tg.parameter(1.0, "ohm", "resistances at T_ref", shape=Phases.m)

    def equations(self) -> Statements:
        yield from equal(self.voltage, self.current.scaled(self.R * self.warming()))


class Conductor(Warm):
    """i (1 + alpha (T - T_ref)) = G v."""

    G = tg.parameter(1.0, "S", "conductances at T_ref", shape=Phases.m)

    def equations(self) -> Statements:
        yield from equal(self.current.scaled(self.warming()), self.voltage.scaled(self.G))


class Inductor(Referenced, TwoPin):
    """v = j w L i."""

    L = tg.parameter(1.0, "H", "inductances", shape=Phases.m)

    def equations(self) -> Statements:
        yield from equal(self.voltage, self.current.turned(self.reference.w * self.L))


class Capacitor(Referenced, TwoPin):
    """i = j w C v."""

    C = tg.parameter(1.0, "F", "capacitances", shape=Phases.m)

    def equations(self) -> Statements:
        yield from equal(self.current, self.voltage.turned(self.reference.w * self.C))


class MutualInductor(Referenced, TwoPin):
    """Phases that share flux: v = j w L i with a symmetric matrix L."""

    m = tg.parameter(3, structural=True, description="number of phases", min=1)
    L = tg.parameter(
        lambda self: [[1.0 if j == k else 0.0 for k in range(self.m)] for j in range(self.m)],
        "H",
        "inductances, mutual ones beside the diagonal",
        shape=(m, m),
    )

    def equations(self) -> Statements:
        flux = self.current.through(self.L)
        yield from equal(self.voltage, flux.turned(self.reference.w))


class Scaled(Referenced, Warm):
    """Base of what has reactances that may depend on the frequency."""

    frequency_dependent = tg.parameter(False, structural=True, description="the imaginary part is that at f_ref")
    f_ref = tg.parameter(50.0, "Hz", "frequency of the imaginary part, with frequency_dependent", min=1e-300)

    def at_frequency(self, x: Any) -> Any:
        """A reactance or susceptance: positive ones rise with the frequency, negative ones fall."""
        if not self.frequency_dependent:
            return x
        ratio = self.reference.w / (2.0 * tg.pi * self.f_ref)
        return x * tg.where(x >= 0.0, ratio, 1.0 / ratio)


class Impedance(Scaled):
    """v = (R (1 + alpha (T - T_ref)) + j X) i."""

    R = tg.parameter(1.0, "ohm", "resistances at T_ref", shape=Phases.m)
    X = tg.parameter(0.0, "ohm", "reactances", shape=Phases.m)

    def equations(self) -> Statements:
        z = Phasor(self.R * self.warming(), self.at_frequency(self.X))
        yield from equal(self.voltage, self.current * z)


class Admittance(Scaled):
    """i = (G/(1 + alpha (T - T_ref)) + j B) v."""

    G = tg.parameter(1.0, "S", "conductances at T_ref", shape=Phases.m)
    B = tg.parameter(0.0, "S", "susceptances", shape=Phases.m)

    def equations(self) -> Statements:
        y = Phasor(self.G / self.warming(), self.at_frequency(self.B))
        yield from equal(self.current, self.voltage * y)


class VariableResistor(Warm):
    """v = R (1 + alpha (T - T_ref)) i with R as a signal."""

    R = tg.input("ohm", "resistances at T_ref", shape=Phases.m)

    def equations(self) -> Statements:
        yield from equal(self.voltage, self.current.scaled(self.R * self.warming()))


class VariableConductor(Warm):
    """i (1 + alpha (T - T_ref)) = G v with G as a signal."""

    G = tg.input("S", "conductances at T_ref", shape=Phases.m)

    def equations(self) -> Statements:
        yield from equal(self.current.scaled(self.warming()), self.voltage.scaled(self.G))


class VariableInductor(Referenced, TwoPin):
    """v = j w L i with L as a signal."""

    L = tg.input("H", "inductances", shape=Phases.m)

    def equations(self) -> Statements:
        yield from equal(self.voltage, self.current.turned(self.reference.w * self.L))


class VariableCapacitor(Referenced, TwoPin):
    """i = j w C v with C as a signal."""

    C = tg.input("F", "capacitances", shape=Phases.m)

    def equations(self) -> Statements:
        yield from equal(self.current, self.voltage.turned(self.reference.w * self.C))


class VariableImpedance(Scaled):
    """v = (R (1 + alpha (T - T_ref)) + j X) i with R and X as signals."""

    R = tg.input("ohm", "resistances at T_ref", shape=Phases.m)
    X = tg.input("ohm", "reactances", shape=Phases.m)

    def equations(self) -> Statements:
        z = Phasor(self.R * self.warming(), self.at_frequency(self.X))
        yield from equal(self.voltage, self.current * z)


class VariableAdmittance(Scaled):
    """i = (G/(1 + alpha (T - T_ref)) + j B) v with G and B as signals."""

    G = tg.input("S", "conductances at T_ref", shape=Phases.m)
    B = tg.input("S", "susceptances", shape=Phases.m)

    def equations(self) -> Statements:
        y = Phasor(self.G / self.warming(), self.at_frequency(self.B))
        yield from equal(self.current, self.voltage * y)

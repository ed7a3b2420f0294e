"""Voltages and currents as phasors, constant or as signals; effective values."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.polyphase.interfaces import lag
from tellegen.library.quasi_static.interfaces import Phases, Statements, TwoPin
from tellegen.library.quasi_static.phasors import Phasor, equal


def symmetric(m: int) -> list[float]:
    """Angles of a symmetrical system, each phase later than the last: 0, -2 pi/m, ..."""
    return [-angle for angle in lag(m)]


class VoltageSource(TwoPin):
    """v = V e^(j phi), a symmetrical system of m phases unless phi says otherwise."""

    V = tg.parameter(1.0, "V", "effective values", shape=Phases.m)
    phi = tg.parameter(lambda self: symmetric(self.m), "rad", "angles", shape=Phases.m)

    def equations(self) -> Statements:
        yield from equal(self.voltage, Phasor(self.V * tg.cos(self.phi), self.V * tg.sin(self.phi)))


class CurrentSource(TwoPin):
    """i = I e^(j phi) from p to n, a symmetrical system of m phases unless phi says otherwise."""

    I = tg.parameter(1.0, "A", "effective values", shape=Phases.m)  # noqa: E741
    phi = tg.parameter(lambda self: symmetric(self.m), "rad", "angles", shape=Phases.m)

    def equations(self) -> Statements:
        yield from equal(self.current, Phasor(self.I * tg.cos(self.phi), self.I * tg.sin(self.phi)))


class VariableVoltageSource(TwoPin):
    """v = V_re + j V_im as signals."""

    V_re = tg.input("V", "real parts", shape=Phases.m)
    V_im = tg.input("V", "imaginary parts", shape=Phases.m)

    def equations(self) -> Statements:
        yield from equal(self.voltage, Phasor(self.V_re, self.V_im))


class VariableCurrentSource(TwoPin):
    """i = I_re + j I_im from p to n as signals."""

    I_re = tg.input("A", "real parts", shape=Phases.m)
    I_im = tg.input("A", "imaginary parts", shape=Phases.m)

    def equations(self) -> Statements:
        yield from equal(self.current, Phasor(self.I_re, self.I_im))

"""Linear passive components and the ground."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical.interfaces import OnePort, Pin, Statements
from tellegen.library.electrical.thermal_noise import thermal
from tellegen.library.losses import Lossy


class Ground(tg.Component):
    """The reference: potential zero, p.v = 0."""

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
            R = self.R * (1.0 + self.alpha * (self.temperature() - self.T_ref))
            yield tg.noisy(self.v == R * self.i, thermal(R, self.temperature()))
        else:
            yield tg.noisy(self.v == self.R * self.i, thermal(self.R, self.T_ref))


class HeatingResistor(Lossy, OnePort):
    """A resistor made to heat: v = R_ref (1 + alpha (T - T_ref)) i, with its heat port unless it is switched off."""

    use_heat_port = tg.parameter(True, structural=True, description="the losses leave through heat_port")
    R_ref = tg.parameter(1.0, "ohm", "resistance at T_ref")
    alpha = tg.parameter(0.0, "1/K", "relative change of the resistance with temperature; needs the heat port")

    def losses(self) -> Any:
        return self.v * self.i

    def equations(self) -> Statements:
        R = self.R_ref * (1.0 + self.alpha * (self.temperature() - self.T_ref))
        yield tg.noisy(self.v == R * self.i, thermal(R, self.temperature()))


class Conductor(Lossy, OnePort):
    """Ohm's law by conductance, i (1 + alpha (T - T_ref)) = G v; the heat v i leaves through the heat port."""

    G = tg.parameter(1.0, "S", "conductance at T_ref")
    alpha = tg.parameter(0.0, "1/K", "relative change of the resistance with temperature; needs the heat port")

    def losses(self) -> Any:
        return self.v * self.i

    def equations(self) -> Statements:
        if self.use_heat_port:
            warmer = 1.0 + self.alpha * (self.temperature() - self.T_ref)
            yield tg.noisy(self.i * warmer == self.G * self.v, thermal(self.G * warmer, self.temperature()))
        else:
            yield tg.noisy(self.i == self.G * self.v, thermal(self.G, self.T_ref))


class Short(OnePort):
    """A wire: v = 0."""

    def equations(self) -> Statements:
        yield self.v == 0


class Idle(OnePort):
    """An interruption: i = 0."""

    def equations(self) -> Statements:
        yield self.i == 0


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

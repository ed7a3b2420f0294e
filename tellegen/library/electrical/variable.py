"""Passive components whose value is a signal: a resistor that is turned, a capacitor whose plates move.

What is stored belongs to the law: i = d(C v)/dt, not C dv/dt. A changing C or L does work: whoever changes it gives the
power -v^2/2 dC/dt (-i^2/2 dL/dt) through the signal, as the hand that pulls the plates apart against their attraction.
Signals below the least value (`Cmin`, `Lmin`) count as that, so that charge and flux always belong to one voltage or
current.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical.interfaces import OnePort, Pin, Statements
from tellegen.library.electrical.thermal_noise import thermal
from tellegen.library.losses import Lossy


class VariableResistor(Lossy, OnePort):
    """v = R (1 + alpha (T - T_ref)) i with the signal R."""

    R = tg.input("ohm", "resistance at T_ref")
    alpha = tg.parameter(0.0, "1/K", "relative change of the resistance with temperature; needs the heat port")

    def losses(self) -> Any:
        return self.v * self.i

    def equations(self) -> Statements:
        R = self.R * (1.0 + self.alpha * (self.temperature() - self.T_ref))
        yield tg.noisy(self.v == R * self.i, thermal(R, self.temperature()))


class VariableConductor(Lossy, OnePort):
    """i (1 + alpha (T - T_ref)) = G v with the signal G."""

    G = tg.input("S", "conductance at T_ref")
    alpha = tg.parameter(0.0, "1/K", "relative change of the resistance with temperature; needs the heat port")

    def losses(self) -> Any:
        return self.v * self.i

    def equations(self) -> Statements:
        warmer = 1.0 + self.alpha * (self.temperature() - self.T_ref)
        yield tg.noisy(self.i * warmer == self.G * self.v, thermal(self.G * warmer, self.temperature()))


class VariableCapacitor(OnePort):
    """i = dQ/dt with Q = C v and the signal C: a charge that cannot leave raises the voltage when C falls."""

    C = tg.input("F", "capacitance")
    Cmin = tg.parameter(1e-15, "F", "least capacitance", min=0.0)
    Q = tg.variable("C", "charge", state="prefer")

    def equations(self) -> Statements:
        yield self.Q == tg.maximum(self.C, self.Cmin) * self.v
        yield self.i == tg.der(self.Q)
        yield tg.assert_(self.C >= 0, "a capacitance is not negative")  # noqa: PT009


class VariableInductor(OnePort):
    """v = dPsi/dt with Psi = L i and the signal L: a flux that cannot leave raises the current when L falls."""

    L = tg.input("H", "inductance")
    Lmin = tg.parameter(1e-15, "H", "least inductance", min=0.0)
    Psi = tg.variable("V.s", "flux", state="prefer")

    def equations(self) -> Statements:
        yield self.Psi == tg.maximum(self.L, self.Lmin) * self.i
        yield self.v == tg.der(self.Psi)
        yield tg.assert_(self.L >= 0, "an inductance is not negative")  # noqa: PT009


class Potentiometer(Lossy):
    """A resistor R with a sliding contact: (1 - r) R from pin_p to the contact, r R from there to pin_n.

    pin_p.v - contact.v = (1 - r) R pin_p.i and pin_n.v - contact.v = r R pin_n.i. r is a signal, 1/2 if nothing is
    connected to it; from 0 (the contact at pin_n) to 1 (at pin_p); beyond, it rests at the
    end.
    """

    pin_p = Pin("end of the resistor at r = 1")
    pin_n = Pin("end of the resistor at r = 0")
    contact = Pin("sliding contact")
    r = tg.input("1", "position of the contact, between 0 and 1", default=0.5)
    R = tg.parameter(1.0, "ohm", "resistance from end to end at T_ref", min=0.0)
    alpha = tg.parameter(0.0, "1/K", "relative change of the resistance with temperature; needs the heat port")

    def losses(self) -> Any:
        upper = self.pin_p.v - self.contact.v
        lower = self.contact.v - self.pin_n.v
        return upper * self.pin_p.i - lower * self.pin_n.i

    def equations(self) -> Statements:
        position = tg.minimum(tg.maximum(self.r, 0.0), 1.0)
        whole = self.R * (1.0 + self.alpha * (self.temperature() - self.T_ref))
        yield self.pin_p.v - self.contact.v == (1.0 - position) * whole * self.pin_p.i
        yield self.contact.v - self.pin_n.v == -position * whole * self.pin_n.i
        yield self.pin_p.i + self.pin_n.i + self.contact.i == 0

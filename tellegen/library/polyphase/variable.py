"""Passive components of m phases whose values are signals, and inductors whose flux saturates or is common to all.

The laws are those of electrical/variable.py and electrical/nonlinear.py in every phase: what is stored belongs to the
law, i = d(C v)/dt, and signals below the least value count as that.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.losses import Lossy
from tellegen.library.polyphase.interfaces import Phases, Statements, TwoPlug


class VariableResistor(Lossy, TwoPlug):
    """v = R (1 + alpha (T - T_ref)) i in every phase with the signals R."""

    R = tg.input("ohm", "resistances at T_ref", shape=Phases.m)
    alpha = tg.parameter(0.0, "1/K", "relative change of the resistance with temperature; needs the heat port")

    def losses(self) -> Any:
        return tg.dot(self.v, self.i)

    def equations(self) -> Statements:
        yield self.v == self.R * (1.0 + self.alpha * (self.temperature() - self.T_ref)) * self.i


class VariableConductor(Lossy, TwoPlug):
    """i (1 + alpha (T - T_ref)) = G v in every phase with the signals G."""

    G = tg.input("S", "conductances at T_ref", shape=Phases.m)
    alpha = tg.parameter(0.0, "1/K", "relative change of the resistance with temperature; needs the heat port")

    def losses(self) -> Any:
        return tg.dot(self.v, self.i)

    def equations(self) -> Statements:
        yield self.i * (1.0 + self.alpha * (self.temperature() - self.T_ref)) == self.G * self.v


class VariableCapacitor(TwoPlug):
    """i = d(C v)/dt in every phase with the signals C; below Cmin they count as Cmin."""

    C = tg.input("F", "capacitances", shape=Phases.m)
    Cmin = tg.parameter(1e-12, "F", "least capacitance", min=1e-300)
    Q = tg.variable("C", "charges", shape=Phases.m, state="prefer")

    def equations(self) -> Statements:
        yield self.Q == tg.no_event(tg.maximum(self.C, self.Cmin)) * self.v
        yield self.i == tg.der(self.Q)


class VariableInductor(TwoPlug):
    """v = d(L i)/dt in every phase with the signals L; below Lmin they count as Lmin."""

    L = tg.input("H", "inductances", shape=Phases.m)
    Lmin = tg.parameter(1e-12, "H", "least inductance", min=1e-300)
    Psi = tg.variable("V.s", "fluxes", shape=Phases.m, state="prefer")

    def equations(self) -> Statements:
        yield self.Psi == tg.no_event(tg.maximum(self.L, self.Lmin)) * self.i
        yield self.v == tg.der(self.Psi)


class SaturatingInductor(TwoPlug):
    """Inductors with iron cores, v = dPsi/dt and Psi = Linf i + (Lzer - Linf) Ipar atan(i/Ipar) in every phase.

    The inductance Psi/i falls from Lzer at small currents to Linf at large ones and is Lnom at Inom, whence Ipar.
    """

    Inom = tg.parameter(1.0, "A", "nominal current", min=0.0)
    Lnom = tg.parameter(1.0, "H", "inductance at the nominal current", min=0.0)
    Lzer = tg.parameter(2.0 * Lnom, "H", "inductance near zero current", min=0.0)
    Linf = tg.parameter(Lnom / 2.0, "H", "inductance at large currents", min=0.0)
    part = tg.parameter((Lnom - Linf) / (Lzer - Linf), "1", "what is left at Inom of the part that saturates")
    # As in electrical/nonlinear.py: right of the root, so that Newton's method goes straight to it.
    x = tg.variable("1", "Inom/Ipar", start=1.5707963267948966 / part * (1.0 - part) ** 0.5)
    Psi = tg.variable("V.s", "fluxes", shape=Phases.m, state="prefer")

    def equations(self) -> Statements:
        yield tg.atan(self.x) == self.part * self.x
        bend = self.Inom / self.x
        for k in range(self.m):
            i = self.i[k]
            yield self.Psi[k] == self.Linf * i + (self.Lzer - self.Linf) * bend * tg.atan(i / bend)
        yield self.v == tg.der(self.Psi)
        inside = (self.part > 0.0) & (self.part < 1.0)
        yield tg.assert_(inside, "Lzer > Lnom > Linf is needed")  # noqa: PT009


class ZeroInductor(TwoPlug):
    """An inductance of the zero sequence alone: v = Lzero d(i0)/dt in all phases, i0 the mean of the currents."""

    Lzero = tg.parameter(1.0, "H", "zero sequence inductance", min=0.0)
    i0 = tg.variable("A", "zero sequence of the currents")

    def equations(self) -> Statements:
        yield self.m * self.i0 == tg.sum(self.i)
        yield self.v == [self.Lzero * tg.der(self.i0)] * self.m

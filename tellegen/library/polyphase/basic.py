"""Linear passive components of m phases, and how phases are joined: star and delta.

Parameters are one number for all phases or a list with one for each: `Resistor(R=[10.0, 10.0, 12.0])`.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical import Pin
from tellegen.library.losses import Lossy
from tellegen.library.polyphase.interfaces import Phases, Plug, Statements, TwoPlug


class Star(Phases):
    """Joins all phases of a plug in one pin, the neutral: plug_p.v = pin_n.v, sum of plug_p.i = -pin_n.i."""

    plug_p = Plug.array(Phases.m, "what is joined")
    pin_n = Pin("star point; left open, the currents sum to zero")

    def equations(self) -> Statements:
        yield self.plug_p.v == self.pin_n.v
        yield tg.sum(self.plug_p.i) + self.pin_n.i == 0


class Delta(Phases):
    """Joins the end of each phase with the begin of the next: plug_n[k] with plug_p[k + 1], the last with the first.

        plug_n[k].v = plug_p[k + 1].v,    plug_n[k].i = -plug_p[k + 1].i

    Beside a component whose two plugs are connected with plug_p and plug_n its phase k has the voltage between lines k
    and k + 1: sqrt(3) times that of a line, and 30 degrees ahead of it if three phases follow each other as usual.
    """

    plug_p = Plug.array(Phases.m, "the lines")
    plug_n = Plug.array(Phases.m, "ends of the phases")

    def equations(self) -> Statements:
        yield self.plug_n.v[:-1] == self.plug_p.v[1:]
        yield self.plug_n.v[-1] == self.plug_p.v[0]
        yield self.plug_n.i[:-1] == -self.plug_p.i[1:]
        yield self.plug_n.i[-1] == -self.plug_p.i[0]


class Resistor(Lossy, TwoPlug):
    """Ohm's law in every phase, v = R (1 + alpha (T - T_ref)) i; all of the heat leaves through one heat port."""

    R = tg.parameter(1.0, "ohm", "resistances at T_ref", shape=Phases.m)
    alpha = tg.parameter(0.0, "1/K", "relative change of the resistance with temperature; needs the heat port")

    def losses(self) -> Any:
        return tg.dot(self.v, self.i)

    def equations(self) -> Statements:
        if self.use_heat_port:
            yield self.v == self.R * (1.0 + self.alpha * (self.temperature() - self.T_ref)) * self.i
        else:
            yield self.v == self.R * self.i


class Conductor(Lossy, TwoPlug):
    """Ohm's law by conductances, i (1 + alpha (T - T_ref)) = G v in every phase."""

    G = tg.parameter(1.0, "S", "conductances at T_ref", shape=Phases.m)
    alpha = tg.parameter(0.0, "1/K", "relative change of the resistance with temperature; needs the heat port")

    def losses(self) -> Any:
        return tg.dot(self.v, self.i)

    def equations(self) -> Statements:
        if self.use_heat_port:
            yield self.i * (1.0 + self.alpha * (self.temperature() - self.T_ref)) == self.G * self.v
        else:
            yield self.i == self.G * self.v


class Brushes(Lossy, TwoPlug):
    """Brushes on the slip rings of a machine: in every phase a voltage drop V in the direction of the current.

    v = V i/I between -I and I, and V or -V beyond. All of the heat, v i of every phase, leaves through one heat port.
    """

    V = tg.parameter(0.0, "V", "voltage drop", min=0.0)
    I = tg.parameter(1.0, "A", "current up to which the drop is proportional to it", min=0.0)  # noqa: E741

    def losses(self) -> Any:
        return tg.dot(self.v, self.i)

    def equations(self) -> Statements:
        yield self.v == self.V * tg.minimum(tg.maximum(self.i / self.I, -1.0), 1.0)


class Capacitor(TwoPlug):
    """i = C dv/dt in every phase."""

    C = tg.parameter(1.0, "F", "capacitances", shape=Phases.m, min=0.0)

    def equations(self) -> Statements:
        yield self.i == self.C * tg.der(self.v)


class Inductor(TwoPlug):
    """v = L di/dt in every phase."""

    L = tg.parameter(1.0, "H", "inductances", shape=Phases.m, min=0.0)

    def equations(self) -> Statements:
        yield self.v == self.L * tg.der(self.i)


class MutualInductor(TwoPlug):
    """Phases that share flux: v = L di/dt with a symmetric matrix L, mutual inductances beside the diagonal.

    The energy of the field is positive only if the matrix is positive definite; each pair of phases is checked.
    """

    L = tg.parameter(
        [[0.1 if j == k else 0.0 for k in range(3)] for j in range(3)],
        "H",
        "inductances, mutual ones beside the diagonal",
        shape=(Phases.m, Phases.m),
    )

    def equations(self) -> Statements:
        yield self.v == self.L @ tg.der(self.i)
        for j in range(self.m):
            for k in range(j):
                mutual = self.L[j, k]
                other = self.L[k, j]
                yield tg.assert_(abs(mutual - other) <= 1e-9 * abs(mutual), "L must be symmetric")  # noqa: PT009
                below = mutual**2 < self.L[j, j] * self.L[k, k]
                yield tg.assert_(below, "a mutual inductance must be below the root of its pair")  # noqa: PT009


class Short(TwoPlug):
    """Wires: v = 0."""

    def equations(self) -> Statements:
        yield self.v == [0.0] * self.m


class Idle(TwoPlug):
    """Interruptions: i = 0."""

    def equations(self) -> Statements:
        yield self.i == [0.0] * self.m

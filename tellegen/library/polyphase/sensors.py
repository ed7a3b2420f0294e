"""Sensors of several phases: what they measure is a signal; they take no power."""

from __future__ import annotations

import math
from typing import Any

import tellegen as tg
from tellegen.library.polyphase.interfaces import Phases, Plug, Statements, nothing


class PotentialSensor(Phases):
    """Measures the potentials of a plug, phi = plug_p.v; draws no current."""

    plug_p = Plug.array(Phases.m)
    phi = tg.output("V", "potentials", shape=Phases.m)

    def equations(self) -> Statements:
        yield self.plug_p.i == nothing(self.m)
        yield self.phi == self.plug_p.v


class AcrossPlugs(Phases):
    """Base of sensors between two plugs that draw no current: plug_p.i = plug_n.i = 0."""

    plug_p = Plug.array(Phases.m)
    plug_n = Plug.array(Phases.m)

    def equations(self) -> Statements:
        yield self.plug_p.i == nothing(self.m)
        yield self.plug_n.i == nothing(self.m)


class InLine(Phases):
    """Base of sensors in the line: no voltage drop, plug_p.v = plug_n.v; the current goes from plug_p to plug_n."""

    plug_p = Plug.array(Phases.m)
    plug_n = Plug.array(Phases.m)

    def equations(self) -> Statements:
        yield self.plug_p.v == self.plug_n.v
        yield self.plug_p.i + self.plug_n.i == nothing(self.m)


class VoltageSensor(AcrossPlugs):
    """Measures the voltages v = plug_p.v - plug_n.v; draws no current."""

    v = tg.output("V", "voltages from plug_p to plug_n", shape=Phases.m)

    def equations(self) -> Statements:
        yield self.v == self.plug_p.v - self.plug_n.v


class CurrentSensor(InLine):
    """Measures the currents i = plug_p.i from plug_p to plug_n; no voltage drop."""

    i = tg.output("A", "currents from plug_p to plug_n", shape=Phases.m)

    def equations(self) -> Statements:
        yield self.i == self.plug_p.i


class VoltageQuasiRMSSensor(AcrossPlugs):
    """Measures V = sqrt(sum of v^2 / m), at every instant the rms value of symmetrical sines."""

    V = tg.output("V", "quasi-rms voltage")

    def equations(self) -> Statements:
        yield self.V == quasi_rms(self.plug_p.v - self.plug_n.v, self.m)


class CurrentQuasiRMSSensor(InLine):
    """Measures I = sqrt(sum of i^2 / m), at every instant the rms value of symmetrical sines."""

    I = tg.output("A", "quasi-rms current")  # noqa: E741

    def equations(self) -> Statements:
        yield self.I == quasi_rms(self.plug_p.i, self.m)


class PowerSensor(InLine):
    """Measures the power that flows from plug_p to plug_n: power = sum of (plug_p.v - plug_nv.v) i, at every instant.

    plug_nv is where the voltages are measured against: the star point, or anything common in a net without neutral.
    """

    plug_nv = Plug.array(Phases.m, "reference of the voltages")
    power = tg.output("W", "instantaneous power of all phases")

    def equations(self) -> Statements:
        yield self.plug_nv.i == nothing(self.m)
        yield self.power == tg.dot(self.plug_p.v - self.plug_nv.v, self.plug_p.i)


class ReactivePowerSensor(tg.Component):
    """Measures the reactive power of three lines: Q = ((vb - vc) ia + (vc - va) ib + (va - vb) ic)/sqrt(3).

    At every instant the 3 V I sin(phi) of symmetrical sines, positive if the currents from plug_p to plug_n lag.
    """

    plug_p = Plug.array(3)
    plug_n = Plug.array(3)
    Q = tg.output("V.A", "instantaneous reactive power")

    def equations(self) -> Statements:
        v = self.plug_p.v
        i = self.plug_p.i
        across = [v[1] - v[2], v[2] - v[0], v[0] - v[1]]
        yield self.plug_p.v == self.plug_n.v
        yield self.plug_p.i + self.plug_n.i == nothing(3)
        yield self.Q == tg.dot(across, i) / math.sqrt(3.0)


def quasi_rms(x: tg.Expression, m: int) -> Any:
    """The root of the mean square over the phases; a floor keeps its slope finite at zero."""
    return tg.sqrt(tg.dot(x, x) / m + 1e-24)


class MultiSensor(Phases):
    """Voltages, currents and powers of m phases in one: power = v i phase by phase; takes no power."""

    plug_pc = Plug.array(Phases.m, "where the currents come in")
    plug_nc = Plug.array(Phases.m, "where they go out")
    plug_pv = Plug.array(Phases.m, "positive plug of the voltages")
    plug_nv = Plug.array(Phases.m, "negative plug of the voltages")
    i = tg.output("A", "currents from plug_pc to plug_nc", shape=Phases.m)
    v = tg.output("V", "voltages from plug_pv to plug_nv", shape=Phases.m)
    power = tg.output("W", "powers of the phases", shape=Phases.m)
    power_total = tg.output("W", "sum of the powers")

    def equations(self) -> Statements:
        yield self.plug_pc.v == self.plug_nc.v
        yield self.plug_pc.i + self.plug_nc.i == nothing(self.m)
        yield self.plug_pv.i == nothing(self.m)
        yield self.plug_nv.i == nothing(self.m)
        yield self.i == self.plug_pc.i
        yield self.v == self.plug_pv.v - self.plug_nv.v
        yield self.power == self.v * self.i
        yield self.power_total == tg.sum(self.power)


class AronSensor(tg.Component):
    """The power of three wires without a neutral, by two meters (H. Aron): P = v12 i1 + v32 i3."""

    plug_p = Plug.array(3, "where the currents come in")
    plug_n = Plug.array(3, "where they go out")
    power = tg.output("W", "power")

    def equations(self) -> Statements:
        yield self.plug_p.v == self.plug_n.v
        yield self.plug_p.i + self.plug_n.i == nothing(3)
        v = self.plug_p.v
        i = self.plug_p.i
        yield self.power == (v[0] - v[1]) * i[0] + (v[2] - v[1]) * i[2]

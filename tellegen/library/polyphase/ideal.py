"""Ideal diodes, thyristors and switches in every phase, with the laws of electrical/ideal.py and ideal_switches.py.

A parameter s runs along the characteristic of each phase: the voltage beyond the knee while it blocks, the current
while it conducts. So Ron = 0 and Goff = 0 need no other equations, and a Boolean for each phase says what holds.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical import ideal_switches
from tellegen.library.losses import Lossy
from tellegen.library.polyphase.interfaces import Phases, Plug, Statements, TwoPlug
from tellegen.library.thermal import HeatPort


class IdealBranches(Lossy, TwoPlug):
    """Two branches in every phase: v = Vknee + Ron i or i = Goff v. Base of what says which phases are `off`."""

    Ron = tg.parameter(1e-5, "ohm", "resistance while conducting", min=0.0)
    Goff = tg.parameter(1e-5, "S", "conductance while blocking", min=0.0)
    Vknee = tg.parameter(0.0, "V", "voltage from which it conducts", min=0.0)
    s = tg.variable(description="voltage beyond Vknee if negative, current if positive", shape=Phases.m)
    off = tg.boolean("which phases block", start=True, shape=Phases.m)

    def losses(self) -> Any:
        return tg.dot(self.v, self.i)

    def equations(self) -> Statements:
        yield self.v == self.s * tg.where(self.off, 1.0, self.Ron) + self.Vknee
        yield self.i == self.s * tg.where(self.off, self.Goff, 1.0) + self.Goff * self.Vknee


class IdealDiode(IdealBranches):
    """Each phase conducts from plug_p to plug_n: v = Vknee + Ron i if i > 0, else i = Goff v."""

    def equations(self) -> Statements:
        yield self.off == (self.s < 0)


class IdealThyristor(IdealBranches):
    """Each phase conducts once v > Vknee while its fire > 1/2, and continues until the current ends."""

    fire = tg.input("1", "above 1/2: the phase may begin to conduct", shape=Phases.m)

    def equations(self) -> Statements:
        yield self.off == (self.s < 0) | (tg.pre(self.off) & (self.fire <= 0.5))


class IdealGTOThyristor(IdealBranches):
    """Each phase conducts while its fire > 1/2 and v > Vknee; can be switched off with a current flowing."""

    fire = tg.input("1", "above 1/2: the phase conducts", shape=Phases.m)

    def equations(self) -> Statements:
        yield self.off == (self.s < 0) | (self.fire <= 0.5)


class IdealSwitch(IdealBranches):
    """v = Ron i in closed phases, i = Goff v in open ones, in both directions. Base: it says which phases are `off`."""

    Vknee = tg.parameter(0.0, "V", "zero: a switch has no knee", min=0.0, max=0.0)
    control = tg.input("1", "command for each phase; true above 1/2", shape=Phases.m)


class IdealClosingSwitch(IdealSwitch):
    """Each phase is closed while its control > 1/2."""

    def equations(self) -> Statements:
        yield self.off == (self.control <= 0.5)


class IdealOpeningSwitch(IdealSwitch):
    """Each phase is open while its control > 1/2."""

    def equations(self) -> Statements:
        yield self.off == (self.control > 0.5)


class IdealCommutingSwitch(Lossy, Phases):
    """Two-way switches: a phase of plug_p is connected with plug_n1, with plug_n2 while its control > 1/2."""

    Ron = tg.parameter(1e-5, "ohm", "resistance of a closed path", min=0.0)
    Goff = tg.parameter(1e-5, "S", "conductance of an open path", min=0.0)
    control = tg.input("1", "command for each phase; true above 1/2", shape=Phases.m)
    plug_p = Plug.array(Phases.m, "common plug")
    plug_n1 = Plug.array(Phases.m, "plug at rest")
    plug_n2 = Plug.array(Phases.m, "plug while moved")
    s1 = tg.variable(description="voltages to plug_n1 while open, currents while closed", shape=Phases.m)
    s2 = tg.variable(description="voltages to plug_n2 while open, currents while closed", shape=Phases.m)
    moved = tg.boolean("which phases are connected with plug_n2", shape=Phases.m)

    def losses(self) -> Any:
        one = tg.dot(self.plug_n1.v - self.plug_p.v, self.plug_n1.i)
        return one + tg.dot(self.plug_n2.v - self.plug_p.v, self.plug_n2.i)

    def equations(self) -> Statements:
        yield self.moved == (self.control > 0.5)
        yield self.plug_p.i + self.plug_n1.i + self.plug_n2.i == [0.0] * self.m
        yield self.plug_p.v - self.plug_n1.v == self.s1 * tg.where(self.moved, 1.0, self.Ron)
        yield -self.plug_n1.i == self.s1 * tg.where(self.moved, self.Goff, 1.0)
        yield self.plug_p.v - self.plug_n2.v == self.s2 * tg.where(self.moved, self.Ron, 1.0)
        yield -self.plug_n2.i == self.s2 * tg.where(self.moved, 1.0, self.Goff)


class IdealIntermediateSwitch(Phases):
    """Crossing switches in every phase: plug_p1 with plug_n1 and plug_p2 with plug_n2, crosswise while control > 1/2.

    v = Ron i on closed paths, i = Goff v on open ones.
    """

    use_heat_port = tg.parameter(False, structural=True, description="the losses leave through heat_port")
    Ron = tg.parameter(1e-5, "ohm", "resistance of a closed path", min=0.0)
    Goff = tg.parameter(1e-5, "S", "conductance of an open path", min=0.0)
    control = tg.input("1", "command for each phase; true above 1/2", shape=Phases.m)
    plug_p1 = Plug.array(Phases.m, "first plug of one side")
    plug_p2 = Plug.array(Phases.m, "second plug of one side")
    plug_n1 = Plug.array(Phases.m, "first plug of the other side")
    plug_n2 = Plug.array(Phases.m, "second plug of the other side")
    heat_port = HeatPort("where the losses go").only_if(use_heat_port, must_connect=True)

    def build(self) -> None:
        given = {"Ron": self.Ron, "Goff": self.Goff, "use_heat_port": self.use_heat_port}
        self.phase = [ideal_switches.IdealIntermediateSwitch(**given) for _ in range(self.m)]

    def connections(self) -> Statements:
        for k, phase in enumerate(self.phase):
            yield self.plug_p1[k], phase.p1
            yield self.plug_p2[k], phase.p2
            yield self.plug_n1[k], phase.n1
            yield self.plug_n2[k], phase.n2
            yield self.control[k], phase.control
            if self.use_heat_port:
                yield self.heat_port, phase.heat_port

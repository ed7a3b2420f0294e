"""Wires, interruptions and ideal switches: v = Ron i where closed, i = Goff v where open.

A parameter s runs along the characteristic of a path, the current while it is closed and the voltage while it is open,
so Ron = 0 and Goff = 0 need no other equations.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.losses import Lossy
from tellegen.library.quasi_static.interfaces import Phases, PhasorPin, Statements, TwoPin
from tellegen.library.quasi_static.phasors import Phasor, active_power, equal, zero
from tellegen.library.thermal import HeatPort


class Short(TwoPin):
    """Wires: v = 0."""

    def equations(self) -> Statements:
        yield from zero(self.voltage, self.m)


class Idle(TwoPin):
    """Interruptions: i = 0."""

    def equations(self) -> Statements:
        yield from zero(self.current, self.m)


class IdealSwitch(Lossy, TwoPin):
    """v = Ron i in closed phases, i = Goff v in open ones. Base: it says which phases are `off`."""

    Ron = tg.parameter(1e-5, "ohm", "resistance of a closed path", min=0.0)
    Goff = tg.parameter(1e-5, "S", "conductance of an open path", min=0.0)
    control = tg.input("1", "command for each phase; true above 1/2", shape=Phases.m)
    s_re = tg.variable(description="real parts of current (closed) or voltage (open)", shape=Phases.m)
    s_im = tg.variable(description="imaginary parts of current (closed) or voltage (open)", shape=Phases.m)
    off = tg.boolean("which phases are open", start=True, shape=Phases.m)

    def losses(self) -> Any:
        return active_power(self.voltage, self.current)

    def equations(self) -> Statements:
        along = Phasor(self.s_re, self.s_im)
        yield from equal(self.voltage, along.scaled(tg.where(self.off, 1.0, self.Ron)))
        yield from equal(self.current, along.scaled(tg.where(self.off, self.Goff, 1.0)))


class IdealClosingSwitch(IdealSwitch):
    """Each phase is closed while its control > 1/2."""

    def equations(self) -> Statements:
        yield self.off == (self.control <= 0.5)


class IdealOpeningSwitch(IdealSwitch):
    """Each phase is open while its control > 1/2."""

    def equations(self) -> Statements:
        yield self.off == (self.control > 0.5)


class Commuting(Phases):
    """Base of what is made of several switches with one command: v = Ron i closed, i = Goff v open."""

    use_heat_port = tg.parameter(False, structural=True, description="the losses leave through heat_port")
    Ron = tg.parameter(1e-5, "ohm", "resistance of a closed path", min=0.0)
    Goff = tg.parameter(1e-5, "S", "conductance of an open path", min=0.0)
    control = tg.input("1", "command for each phase; true above 1/2", shape=Phases.m)
    heat_port = HeatPort("where the losses go").only_if(use_heat_port, must_connect=True)

    def switch(self, kind: type[IdealSwitch]) -> Any:
        return kind(m=self.m, Ron=self.Ron, Goff=self.Goff, use_heat_port=self.use_heat_port)

    def commanded(self, *switches: Any) -> Statements:
        for switch in switches:
            yield self.control, switch.control
            if self.use_heat_port:
                yield self.heat_port, switch.heat_port


class IdealCommutingSwitch(Commuting):
    """p is connected with n1, with n2 while control > 1/2."""

    p = PhasorPin.array(Phases.m, "common terminal")
    n1 = PhasorPin.array(Phases.m, "connected while control is not above 1/2")
    n2 = PhasorPin.array(Phases.m, "connected while control is above 1/2")

    def build(self) -> None:
        self.path1 = self.switch(IdealOpeningSwitch)
        self.path2 = self.switch(IdealClosingSwitch)

    def connections(self) -> Statements:
        yield self.p, self.path1.p, self.path2.p
        yield self.n1, self.path1.n
        yield self.n2, self.path2.n
        yield from self.commanded(self.path1, self.path2)


class IdealIntermediateSwitch(Commuting):
    """p1 with n1 and p2 with n2; crosswise while control > 1/2."""

    p1 = PhasorPin.array(Phases.m, "first terminal")
    p2 = PhasorPin.array(Phases.m, "second terminal")
    n1 = PhasorPin.array(Phases.m, "first terminal of the other side")
    n2 = PhasorPin.array(Phases.m, "second terminal of the other side")

    def build(self) -> None:
        self.straight1 = self.switch(IdealOpeningSwitch)
        self.straight2 = self.switch(IdealOpeningSwitch)
        self.across1 = self.switch(IdealClosingSwitch)
        self.across2 = self.switch(IdealClosingSwitch)

    def connections(self) -> Statements:
        yield self.p1, self.straight1.p, self.across1.p
        yield self.p2, self.straight2.p, self.across2.p
        yield self.n1, self.straight1.n, self.across2.n
        yield self.n2, self.straight2.n, self.across1.n
        yield from self.commanded(self.straight1, self.straight2, self.across1, self.across2)

"""Ideal diodes and thyristors: two straight branches, of which one holds at a time.

The characteristic is a curve in the plane of voltage and current with a corner at (Vknee, Goff Vknee). A parameter s
runs along it, zero at the corner:

    blocking,   s < 0:    v = s + Vknee         i = Goff (s + Vknee)      slope Goff
    conducting, s > 0:    v = Ron s + Vknee     i = s + Goff Vknee        slope 1/Ron

So s is the voltage beyond the knee while blocking and the current while conducting. v and i are both explicit in s,
therefore Ron = 0 (a short circuit) and Goff = 0 (an open circuit) need no other equations. One equation of truth
values says which branch holds; a diode blocks just if s < 0. Solving the circuit with that condition is a linear
complementarity problem: no voltage beyond the knee or no current. The event iteration finds the branches of all
diodes together, also where one that begins to conduct makes another one stop at the same instant.

Where a branch would leave something undetermined a small Ron or Goff decides: how diodes in parallel share a current,
or diodes in series a voltage. With Goff = 0 in series with an inductor (Ron = 0 in parallel with a capacitor) the
number of states would change with the branch; keep Goff (Ron) above zero there.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical.components import Capacitor, Resistor
from tellegen.library.electrical.interfaces import OnePort, Pin, Statements
from tellegen.library.losses import Lossy
from tellegen.library.thermal import HeatPort


class IdealBranches(Lossy, OnePort):
    """Two branches: v = Ron i or i = Goff v, both from the corner at v = Vknee. Base of what says when it is `off`."""

    Ron = tg.parameter(1e-5, "ohm", "resistance while conducting", min=0.0)
    Goff = tg.parameter(1e-5, "S", "conductance while blocking", min=0.0)
    Vknee = tg.parameter(0.0, "V", "voltage from which it conducts", min=0.0)
    s = tg.variable(description="position on the characteristic: voltage beyond Vknee if negative, current if positive")
    off = tg.boolean("blocks", start=True)

    def losses(self) -> Any:
        return self.v * self.i

    def equations(self) -> Statements:
        yield self.v == self.s * tg.where(self.off, 1.0, self.Ron) + self.Vknee
        yield self.i == self.s * tg.where(self.off, self.Goff, 1.0) + self.Goff * self.Vknee


class IdealDiode(IdealBranches):
    """Conducts from p to n: v = Vknee + Ron i if i > 0, else i = Goff v."""

    def equations(self) -> Statements:
        yield self.off == (self.s < 0)


class IdealThyristor(IdealBranches):
    """Conducts from p to n once v > Vknee while fire > 1/2, and continues until the current ends."""

    fire = tg.input("1", "above 1/2: may begin to conduct")

    def equations(self) -> Statements:
        yield self.off == (self.s < 0) | (tg.pre(self.off) & (self.fire <= 0.5))


class IdealGTOThyristor(IdealBranches):
    """Conducts from p to n while fire > 1/2 and v > Vknee; can be switched off with a current flowing."""

    fire = tg.input("1", "above 1/2: conducts")

    def equations(self) -> Statements:
        yield self.off == (self.s < 0) | (self.fire <= 0.5)


class IdealTriac(tg.Component):
    """Two ideal thyristors against each other: conducts either way once |v| > Vknee while fire > 1/2, until i ends.

    Beside them is a snubber, Rdis and Cdis in series, unless use_snubber is False.
    """

    use_heat_port = tg.parameter(False, structural=True, description="the losses leave through heat_port")
    use_snubber = tg.parameter(True, structural=True, description="with Rdis and Cdis beside the thyristors")
    Ron = tg.parameter(1e-5, "ohm", "resistance while conducting", min=0.0)
    Goff = tg.parameter(1e-5, "S", "conductance while blocking", min=0.0)
    Vknee = tg.parameter(0.8, "V", "voltage from which it conducts", min=0.0)
    Rdis = tg.parameter(100.0, "ohm", "resistance of the snubber", min=1e-300)
    Cdis = tg.parameter(0.005, "F", "capacitance of the snubber", min=1e-300)
    p = Pin("positive pin")
    n = Pin("negative pin")
    fire = tg.input("1", "above 1/2: may begin to conduct")
    heat_port = HeatPort("where the losses go").only_if(use_heat_port, must_connect=True)
    v = tg.variable("V", "voltage drop from p to n")
    forward = IdealThyristor(Ron=Ron, Goff=Goff, Vknee=Vknee, use_heat_port=use_heat_port)
    backward = IdealThyristor(Ron=Ron, Goff=Goff, Vknee=Vknee, use_heat_port=use_heat_port)

    def build(self) -> None:
        if self.use_snubber:
            self.resistor = Resistor(R=self.Rdis, use_heat_port=self.use_heat_port)
            self.capacitor = Capacitor(C=self.Cdis)

    def equations(self) -> Statements:
        yield self.v == self.p.v - self.n.v

    def connections(self) -> Statements:
        lossy = [self.forward, self.backward]
        yield self.p, self.forward.p, self.backward.n
        yield self.n, self.forward.n, self.backward.p
        yield self.fire, self.forward.fire, self.backward.fire
        if self.use_snubber:
            lossy.append(self.resistor)
            yield self.p, self.resistor.p
            yield self.resistor.n, self.capacitor.p
            yield self.capacitor.n, self.n
        for part in lossy if self.use_heat_port else ():
            yield part.heat_port, self.heat_port

"""Sensors: what they measure is a signal; they take no power."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.electrical.interfaces import Pin, Statements


class PotentialSensor(tg.Component):
    """Measures the potential of a pin, phi = p.v; draws no current."""

    p = Pin()
    phi = tg.output("V", "potential")

    def equations(self) -> Statements:
        yield self.p.i == 0
        yield self.phi == self.p.v


class VoltageSensor(tg.Component):
    """Measures the voltage v = p.v - n.v; draws no current."""

    p = Pin()
    n = Pin()
    v = tg.output("V", "voltage from p to n")

    def equations(self) -> Statements:
        yield self.p.i == 0
        yield self.n.i == 0
        yield self.v == self.p.v - self.n.v


class CurrentSensor(tg.Component):
    """Measures the current from p to n, i = p.i; no voltage drop, p.v = n.v."""

    p = Pin()
    n = Pin()
    i = tg.output("A", "current from p to n")

    def equations(self) -> Statements:
        yield self.p.v == self.n.v
        yield self.i == self.p.i
        yield self.p.i + self.n.i == 0


class MultiSensor(tg.Component):
    """Measures current, voltage and power: the current from pc to nc without drop, the voltage from pv to nv.

    After a source, with pv at pc and nv at the other wire, power > 0 flows from pc to nc into the load.
    """

    pc = Pin("positive pin of the current path")
    nc = Pin("negative pin of the current path")
    pv = Pin("positive pin of the voltage path")
    nv = Pin("negative pin of the voltage path")
    i = tg.output("A", "current from pc to nc")
    v = tg.output("V", "voltage from pv to nv")
    power = tg.output("W", "power v i")

    def equations(self) -> Statements:
        yield self.pc.v == self.nc.v
        yield self.pc.i + self.nc.i == 0
        yield self.pv.i == 0
        yield self.nv.i == 0
        yield self.i == self.pc.i
        yield self.v == self.pv.v - self.nv.v
        yield self.power == self.v * self.i


class PowerSensor(tg.Component):
    """Measures power = v i: the current i from pc to nc, without drop, and the voltage v from pv to nv."""

    pc = Pin("positive pin of the current path")
    nc = Pin("negative pin of the current path")
    pv = Pin("positive pin of the voltage path")
    nv = Pin("negative pin of the voltage path")
    power = tg.output("W", "power")

    def equations(self) -> Statements:
        yield self.pc.v == self.nc.v
        yield self.pc.i + self.nc.i == 0
        yield self.pv.i == 0
        yield self.nv.i == 0
        yield self.power == (self.pv.v - self.nv.v) * self.pc.i

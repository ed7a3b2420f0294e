"""Sensors: phasors as pairs of signals, effective values, powers, frequency and angle. They take no power."""

from __future__ import annotations

import math

import tellegen as tg
from tellegen.library.quasi_static.interfaces import (
    Phases,
    PhasorPin,
    Referenced,
    Statements,
    TwoPin,
    current,
    potential,
)
from tellegen.library.quasi_static.phasors import TINY, active_power, equal, reactive_power, single_power, zero


class PotentialSensor(Phases):
    """y = p.v, without a current."""

    p = PhasorPin.array(Phases.m, "what is measured")
    y_re = tg.output("V", "real parts", shape=Phases.m)
    y_im = tg.output("V", "imaginary parts", shape=Phases.m)

    def equations(self) -> Statements:
        yield from zero(current(self.p), self.m)
        yield self.y_re == self.p.v_re
        yield self.y_im == self.p.v_im


class VoltageSensor(TwoPin):
    """y = p.v - n.v, without a current: i = 0."""

    y_re = tg.output("V", "real parts", shape=Phases.m)
    y_im = tg.output("V", "imaginary parts", shape=Phases.m)

    def equations(self) -> Statements:
        yield from zero(self.current, self.m)
        yield self.y_re == self.v_re
        yield self.y_im == self.v_im


class CurrentSensor(TwoPin):
    """y = i from p to n, without a voltage: v = 0."""

    y_re = tg.output("A", "real parts", shape=Phases.m)
    y_im = tg.output("A", "imaginary parts", shape=Phases.m)

    def equations(self) -> Statements:
        yield from zero(self.voltage, self.m)
        yield self.y_re == self.i_re
        yield self.y_im == self.i_im


class VoltageRMSSensor(TwoPin):
    """y^2 = mean of |v|^2 over the phases, without a current: i = 0."""

    y = tg.output("V", "effective value")

    def equations(self) -> Statements:
        yield from zero(self.current, self.m)
        square = tg.dot(self.v_re, self.v_re) + tg.dot(self.v_im, self.v_im)
        yield self.y == tg.sqrt(square / self.m + TINY)


class CurrentRMSSensor(TwoPin):
    """y^2 = mean of |i|^2 over the phases, without a voltage: v = 0."""

    y = tg.output("A", "effective value")

    def equations(self) -> Statements:
        yield from zero(self.voltage, self.m)
        square = tg.dot(self.i_re, self.i_re) + tg.dot(self.i_im, self.i_im)
        yield self.y == tg.sqrt(square / self.m + TINY)


class MultiSensor(Phases):
    """Current from pc to nc, voltage from pv to nv, and their complex power P + j Q = v conj(i) of all phases."""

    pc = PhasorPin.array(Phases.m, "positive terminal of the current path")
    nc = PhasorPin.array(Phases.m, "negative terminal of the current path")
    pv = PhasorPin.array(Phases.m, "positive terminal of the voltage path")
    nv = PhasorPin.array(Phases.m, "negative terminal of the voltage path")
    v_re = tg.output("V", "real parts of the voltages", shape=Phases.m)
    v_im = tg.output("V", "imaginary parts of the voltages", shape=Phases.m)
    i_re = tg.output("A", "real parts of the currents", shape=Phases.m)
    i_im = tg.output("A", "imaginary parts of the currents", shape=Phases.m)
    P = tg.output("W", "active power")
    Q = tg.output("W", "reactive power")

    def equations(self) -> Statements:
        v = potential(self.pv) - potential(self.nv)
        i = current(self.pc)
        yield from equal(potential(self.pc), potential(self.nc))
        yield from zero(i + current(self.nc), self.m)
        yield from zero(current(self.pv), self.m)
        yield from zero(current(self.nv), self.m)
        yield self.v_re == v.re
        yield self.v_im == v.im
        yield self.i_re == i.re
        yield self.i_im == i.im
        yield self.P == active_power(v, i)
        yield self.Q == reactive_power(v, i)


class PowerSensor(Phases):
    """The complex power P + j Q = v conj(i) of all phases: i from pc to nc, v from pv to nv."""

    pc = PhasorPin.array(Phases.m, "positive terminal of the current path")
    nc = PhasorPin.array(Phases.m, "negative terminal of the current path")
    pv = PhasorPin.array(Phases.m, "positive terminal of the voltage path")
    nv = PhasorPin.array(Phases.m, "negative terminal of the voltage path")
    P = tg.output("W", "active power")
    Q = tg.output("W", "reactive power")

    def equations(self) -> Statements:
        v = potential(self.pv) - potential(self.nv)
        i = current(self.pc)
        yield from equal(potential(self.pc), potential(self.nc))
        yield from zero(i + current(self.nc), self.m)
        yield from zero(current(self.pv), self.m)
        yield from zero(current(self.nv), self.m)
        yield self.P == active_power(v, i)
        yield self.Q == reactive_power(v, i)


class LineSensor(tg.Component):
    """Three lines from p to n, without voltages: v = 0. Base of sensors that need no neutral."""

    p = PhasorPin.array(3, "lines from the source")
    n = PhasorPin.array(3, "lines to the load")

    def equations(self) -> Statements:
        yield from equal(potential(self.p), potential(self.n))
        yield from zero(current(self.p) + current(self.n), 3)


class AronSensor(LineSensor):
    """Active power of three lines by two wattmeters: P = Re(v12 conj(i1) + v32 conj(i3))."""

    P = tg.output("W", "active power")

    def equations(self) -> Statements:
        v = potential(self.p)
        i = current(self.p)
        yield self.P == single_power(v[0] - v[1], i[0]) + single_power(v[2] - v[1], i[2])


class ReactivePowerSensor(LineSensor):
    """Reactive power of three lines by crossed voltages: Q = Re(v23 conj(i1) + v31 conj(i2) + v12 conj(i3))/sqrt(3).

    It is that of the load where the voltages are symmetrical.
    """

    Q = tg.output("W", "reactive power")

    def equations(self) -> Statements:
        v = potential(self.p)
        i = current(self.p)
        crossed = [single_power(v[(k + 1) % 3] - v[(k + 2) % 3], i[k]) for k in range(3)]
        yield self.Q == tg.sum(crossed) / math.sqrt(3.0)


class FrequencySensor(Referenced):
    """y = w/(2 pi) of the reference around it."""

    y = tg.output("Hz", "frequency")

    def equations(self) -> Statements:
        yield self.y == self.reference.w / (2.0 * tg.pi)


class ReferenceSensor(Referenced):
    """y = gamma of the reference around it."""

    y = tg.output("rad", "angle of the axes")

    def equations(self) -> Statements:
        yield self.y == self.reference.gamma

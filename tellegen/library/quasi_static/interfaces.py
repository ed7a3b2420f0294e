"""What parts of quasi-static circuits have in common: terminals with complex potentials and currents, m phases each.

All voltages and currents are phasors of one frequency, that of the part named `reference` around them, and stand still
in a system of axes that turns with it. So grids are computed at once, without transients and oscillations: an
inductor is v = j w L i. Amplitudes, loads and the frequency itself may change over time, slowly compared with a period.

A terminal is an array with an entry for each phase, one unless m says otherwise: `p[0]` is a single phase of it.
The complex power into a part is the sum of v conj(i) = P + j Q over its terminals.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.library.quasi_static.phasors import Phasor, active_power, equal, reactive_power, zero

Statements = Iterator[Any]


class PhasorPin(tg.Connector):
    """A terminal of one phase: potential v_re + j v_im and current i_re + j i_im into the part, effective values."""

    v_re = tg.across("V", "real part of the potential")
    v_im = tg.across("V", "imaginary part of the potential")
    i_re = tg.through("A", "real part of the current")
    i_im = tg.through("A", "imaginary part of the current")


def potential(pin: Any) -> Phasor:
    """The potential of a terminal."""
    return Phasor(pin.v_re, pin.v_im)


def current(pin: Any) -> Phasor:
    """The current into a part at a terminal."""
    return Phasor(pin.i_re, pin.i_im)


class Phases(tg.Component):
    """Base of everything with a number of phases."""

    m = tg.parameter(1, structural=True, description="number of phases", min=1)


class Referenced(Phases):
    """What depends on the frequency around it: some model around it has a part `reference`, say a Reference."""

    reference = tg.outer("reference")


class TwoPin(Phases):
    """Two terminals: v = p.v - n.v, i flows from p to n; the complex power taken in is P + j Q."""

    p = PhasorPin.array(Phases.m, "positive terminal")
    n = PhasorPin.array(Phases.m, "negative terminal")
    v_re = tg.variable("V", "real parts of the voltages from p to n", shape=Phases.m)
    v_im = tg.variable("V", "imaginary parts of the voltages from p to n", shape=Phases.m)
    i_re = tg.variable("A", "real parts of the currents from p to n", shape=Phases.m)
    i_im = tg.variable("A", "imaginary parts of the currents from p to n", shape=Phases.m)
    abs_v = tg.variable("V", "effective values of the voltages", shape=Phases.m)
    abs_i = tg.variable("A", "effective values of the currents", shape=Phases.m)
    P = tg.variable("W", "active power of all phases")
    Q = tg.variable("W", "reactive power of all phases, positive for inductances")

    @property
    def voltage(self) -> Phasor:
        return Phasor(self.v_re, self.v_im)

    @property
    def current(self) -> Phasor:
        return Phasor(self.i_re, self.i_im)

    def equations(self) -> Statements:
        yield from equal(self.voltage, potential(self.p) - potential(self.n))
        yield from equal(self.current, current(self.p))
        yield from zero(current(self.p) + current(self.n), self.m)
        yield self.abs_v == self.voltage.absolute()
        yield self.abs_i == self.current.absolute()
        yield self.P == active_power(self.voltage, self.current)
        yield self.Q == reactive_power(self.voltage, self.current)


class FourPin(Phases):
    """Two pairs of terminals: v1 = p1.v - n1.v, v2 = p2.v - n2.v; i1 and i2 flow into p1 and p2."""

    p1 = PhasorPin.array(Phases.m, "positive terminal of side 1")
    n1 = PhasorPin.array(Phases.m, "negative terminal of side 1")
    p2 = PhasorPin.array(Phases.m, "positive terminal of side 2")
    n2 = PhasorPin.array(Phases.m, "negative terminal of side 2")

    def voltages(self) -> tuple[Phasor, Phasor]:
        return potential(self.p1) - potential(self.n1), potential(self.p2) - potential(self.n2)

    def currents(self) -> tuple[Phasor, Phasor]:
        return current(self.p1), current(self.p2)

    def equations(self) -> Statements:
        yield from zero(current(self.p1) + current(self.n1), self.m)
        yield from zero(current(self.p2) + current(self.n2), self.m)

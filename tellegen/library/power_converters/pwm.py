"""Pulse width modulation for legs of bridges, and the zero sequences that make more of a dc voltage.

The wanted mean u of a leg, -1 to 1, is read once in every period of the carrier, at the corner of a symmetrical
triangle (regular sampling). The pulse of width (1 + u)/2 T stands in the middle of the period. Its edges are instants
known when the period begins, hit without a search.

With u of a sine the phase voltage reaches Vdc/2 at most. In three wires a zero sequence added to all phases changes no
current, but makes room:

    none               amplitude up to 1:            phase voltage Vdc/2
    third_harmonic     1/6 of the amplitude, three times the frequency: up to 2/sqrt(3) = 1.155
    space_vector       the middle between the largest and the smallest is zero: the same, and what vector modulation
                       with two equal zero vectors does: line voltage Vdc, phase voltage Vdc/sqrt(3)
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.power_converters.interfaces import Statements
from tellegen.library.sampled import Sampled

KINDS = ("none", "third_harmonic", "space_vector")


class ZeroSequence(tg.Component):
    """Adds the same to three signals, y = u + u0, so that they need less height; see the top of pwm.py."""

    kind = tg.parameter("space_vector", structural=True, description=", ".join(KINDS), choices=KINDS)
    u = tg.input("1", "wanted means of three phases", shape=3)
    y = tg.output("1", "means with the zero sequence", shape=3)

    def equations(self) -> Statements:
        yield self.y == self.u + self.offset()

    def offset(self) -> Any:
        a = self.u[0]
        b = self.u[1]
        c = self.u[2]
        if self.kind == "none":
            return 0.0
        if self.kind == "third_harmonic":  # sin x sin(x - 120) sin(x + 120) = -sin(3 x)/4
            return -a * b * c / (tg.dot(self.u, self.u) + 1e-12)
        return -0.5 * (tg.maximum(a, tg.maximum(b, c)) + tg.minimum(a, tg.minimum(b, c)))


class PWM(Sampled):
    """Pulses for m legs whose means over a period of the carrier are u; the edges are known when the period begins.

    fire_p is 1 for (1 + u)/2 of the period, in its middle, fire_n is 1 for the rest. With a dead time each of the two
    begins that much later, so that both are off in between.
    """

    clock = tg.parameter(tg.Clock(rate="10 kHz"), structural=True, description="the carrier: one tick per period")
    m = tg.parameter(3, structural=True, description="number of legs", min=1)
    dead_time = tg.parameter(0.0, "s", "time between the end of one pulse and the begin of the other", min=0.0)
    u = tg.input("1", "wanted means, limited to -1 ... 1", shape=m)
    fire_p = tg.output("1", "1 while the upper valve of a leg is to conduct", shape=m)
    fire_n = tg.output("1", "1 while the lower valve of a leg is to conduct", shape=m)
    rise = tg.variable("s", "begin of the pulses", discrete=True, start=0.0, shape=m)
    fall = tg.variable("s", "end of the pulses", discrete=True, start=-1.0, shape=m)
    before = tg.variable("s", "end of the pulses of the last period", discrete=True, start=-1.0, shape=m)

    def equations(self) -> Statements:
        period = self.clock.period
        half = 0.25 * (1.0 + tg.minimum(tg.maximum(self.u, -1.0), 1.0)) * period
        middle = tg.time + 0.5 * period
        yield tg.when(
            self.clock.tick,
            self.rise == middle - half,
            self.fall == middle + half,
            self.before == tg.pre(self.fall),
        )
        t = tg.time
        dead = self.dead_time
        yield self.fire_p == tg.where((t >= self.rise + dead) & (t < self.fall), 1.0, 0.0)
        rest = ((t < self.rise) & (t >= self.before + dead)) | (t >= self.fall + dead)
        yield self.fire_n == tg.where(rest, 1.0, 0.0)

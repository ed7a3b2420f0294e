"""Pulse width modulation and the bridge it drives. Edges are instants computed from the duty, hit without search.

Two codes for a duty d from -1 to 1, in a period T (as in section 7.5 of A. Diaz-Calderon's thesis, 2000):

    sign-magnitude      a direction sign(d) and pulses of width |d| T;   no pulse means no drive
    locked anti-phase   one signal, +1 for (1 + d)/2 T and -1 for the rest;  50 % means no drive

The mean of both over a period is d. With sign-magnitude the current circulates between pulses and has no ripple at no
drive; with locked anti-phase the ripple is largest there, but the current is never left alone.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library import electrical
from tellegen.library.losses import Lossy
from tellegen.library.sampled.base import Sampled, Statements

SIGN_MAGNITUDE = "sign_magnitude"
LOCKED_ANTI_PHASE = "locked_anti_phase"


class PWM(Sampled):
    """Pulses whose mean over a period is the duty read at its beginning; the clock is that of the carrier."""

    clock = tg.parameter(tg.Clock(rate="20 kHz"), structural=True, description="the carrier: one tick per period")
    code = tg.parameter(
        SIGN_MAGNITUDE,
        structural=True,
        description=f"{SIGN_MAGNITUDE} or {LOCKED_ANTI_PHASE}",
        choices=(SIGN_MAGNITUDE, LOCKED_ANTI_PHASE),
    )
    centred = tg.parameter(False, structural=True, description="pulse in the middle of the period, not at its start")
    switching = tg.parameter(True, structural=True, description="pulses; or their mean, for long runs")
    duty = tg.input("1", "wanted mean, limited to -1 ... 1")
    y = tg.output("1", "-1, 0 or 1; the duty itself without switching")
    high = tg.variable("1", "level of the pulse", discrete=True, start=0.0)
    low = tg.variable("1", "level beside it", discrete=True, start=0.0)
    rise = tg.variable("s", "begin of the pulse", discrete=True, start=0.0)
    fall = tg.variable("s", "end of the pulse", discrete=True, start=0.0)

    def equations(self) -> Statements:
        duty = tg.minimum(tg.maximum(self.duty, -1.0), 1.0)
        signed = self.code == SIGN_MAGNITUDE
        width = (abs(duty) if signed else 0.5 * (1.0 + duty)) * self.clock.period
        gap = 0.5 * (self.clock.period - width) if self.centred else 0.0
        if not self.switching:
            width = gap = 0.0
        yield tg.when(
            self.clock.tick,
            self.high == (tg.sign(duty) if signed else 1.0),
            self.low == (duty if not self.switching else 0.0 if signed else -1.0),
            self.rise == tg.time + gap,
            self.fall == tg.time + gap + width,
        )
        if self.switching:
            pulse = (tg.time >= self.rise) & (tg.time < self.fall)
            yield self.y == tg.where(pulse, self.high, self.low)
        else:
            yield self.y == self.low


class HBridge(Lossy, electrical.OnePort):
    """Four switches between a supply and a load: v = V s + R i, with s = -1, 0, 1 from a PWM, or its mean."""

    s = tg.input("1", "state of the switches")
    V = tg.parameter(24.0, "V", "supply")
    R = tg.parameter(0.0, "ohm", "resistance of the two switches that conduct", min=0.0)
    i_supply = tg.variable("A", "current drawn from the supply")

    def losses(self) -> Any:
        return self.R * self.i**2

    def equations(self) -> Statements:
        yield self.v == self.V * self.s + self.R * self.i
        yield self.i_supply == -self.s * self.i

"""Meters of extremes and of the answer to a step: peak, overshoot, rise time, settling time."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.blocks.interfaces import SISO, Statements

NEVER = 1e300


class Peak(tg.Component):
    """The largest and the smallest value so far, and when they were reached.

    A follower chases u with the lag T while u is beyond it and rests else, so a peak of curvature c is underestimated
    by about c T^2/2, and one shorter than T is missed. Both outputs begin at u.
    """

    u = tg.input(description="signal")
    T = tg.parameter(1e-3, "s", "lag of the follower: well below the duration of a peak", min=1e-300)
    y_max = tg.output(description="largest value so far")
    y_min = tg.output(description="smallest value so far")
    t_max = tg.output("s", "when y_max was reached")
    t_min = tg.output("s", "when y_min was reached")
    high = tg.variable("s", "t_max, kept", discrete=True, start=0.0)
    low = tg.variable("s", "t_min, kept", discrete=True, start=0.0)

    def equations(self) -> Statements:
        yield self.T * tg.der(self.y_max) == tg.maximum(self.u - self.y_max, 0.0)
        yield self.T * tg.der(self.y_min) == tg.minimum(self.u - self.y_min, 0.0)
        above = self.u > self.y_max
        below = self.u < self.y_min
        yield tg.when(~above, self.high == tg.time)
        yield tg.when(~below, self.low == tg.time)
        yield self.t_max == tg.where(above, tg.time, self.high)
        yield self.t_min == tg.where(below, tg.time, self.low)

    def initial_equations(self) -> Statements:
        yield self.y_max == self.u
        yield self.y_min == self.u


class StepMeter(SISO):
    """The answer to a step from u_0 to u_final at start_time: a base. `part` goes from 0 to 1."""

    u_0 = tg.parameter(0.0, description="value before the step")
    u_final = tg.parameter(1.0, description="value in the end")
    start_time = tg.parameter(0.0, "s", "instant of the step")
    part = tg.variable("1", "part of the way")

    def equations(self) -> Statements:
        yield self.part == (self.u - self.u_0) / (self.u_final - self.u_0)


class RiseTime(StepMeter):
    """The time from `lower` to `upper` of the way, 0 until it is known."""

    lower = tg.parameter(0.1, "1", "part of the way at which the time begins")
    upper = tg.parameter(0.9, "1", "part of the way at which it ends")
    y = tg.output("s", "rise time")
    begin = tg.variable("s", "first instant at the lower part", discrete=True, start=NEVER)
    end = tg.variable("s", "first instant at the upper part", discrete=True, start=NEVER)

    def equations(self) -> Statements:
        def first(reached: tg.Expression, instant: tg.Expression) -> Any:
            return tg.when(reached, instant == tg.minimum(tg.pre(instant), tg.time))

        yield first(self.part > self.lower, self.begin)
        yield first(self.part > self.upper, self.end)
        yield self.y == tg.where(self.end < NEVER, self.end - self.begin, 0.0)


class SettlingTime(StepMeter):
    """The time from the step until u came into the band around u_final and stayed, so far; 0 while it is outside."""

    band = tg.parameter(0.02, "1", "half width of the band, as a part of the way", min=0.0)
    y = tg.output("s", "settling time")
    since = tg.variable("s", "last entry into the band", discrete=True, start=0.0)

    def equations(self) -> Statements:
        inside = abs(self.part - 1.0) < self.band
        yield tg.when(inside, self.since == tg.time)
        yield self.y == tg.where(inside, tg.maximum(self.since - self.start_time, 0.0), 0.0)


class Overshoot(StepMeter):
    """How far u went beyond u_final so far, as a part of the way."""

    T = tg.parameter(1e-3, "s", "lag of the follower: well below the duration of the overshoot", min=1e-300)
    y = tg.output("1", "overshoot", start=0.0)

    def equations(self) -> Statements:
        yield self.T * tg.der(self.y) == tg.maximum(self.part - 1.0 - self.y, 0.0)

"""Mean square distances from the mean, since the start of a run."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.blocks.interfaces import SISO, Statements


class Variance(SISO):
    """The mean of (u - mean of u)^2 since the start, 0 for the first t_eps.

    With the mean mu so far, dmu/dt = (u - mu)/(t - t0) and dvar/dt = ((u - mu)^2 - var)/(t - t0).
    """

    t_eps = tg.parameter(1e-7, "s", "counted from this time after the start on", min=1e-14)
    mu = tg.variable(description="mean so far")
    var = tg.variable(description="variance so far", start=0.0, fixed=True)
    begin = tg.variable("s", "start of the run", discrete=True, start=0.0)

    def figure(self, variance: Any) -> Any:
        """The figure, from the variance."""
        return variance

    def equations(self) -> Statements:
        yield tg.when(tg.initial(), self.begin == tg.time)
        since = tg.time - self.begin
        counts = since >= self.t_eps
        per = 1.0 / tg.maximum(since, self.t_eps)
        yield tg.der(self.mu) == tg.no_event(tg.where(counts, (self.u - self.mu) * per, 0.0))
        yield tg.der(self.var) == tg.no_event(tg.where(counts, ((self.u - self.mu) ** 2 - self.var) * per, 0.0))
        yield self.y == self.figure(tg.no_event(tg.where(counts, tg.maximum(self.var, 0.0), 0.0)))

    def initial_equations(self) -> Statements:
        yield self.mu == self.u


class StandardDeviation(Variance):
    """The root of the variance since the start, 0 for the first t_eps."""

    def figure(self, variance: Any) -> Any:
        return tg.sqrt(variance)


class SignalExtrema(tg.Component):
    """The smallest and the largest of samples taken every Ts, and when they were taken; u itself at the start."""

    u = tg.input(description="signal")
    Ts = tg.parameter(0.01, "s", "time from sample to sample", min=1e-12)
    y_min = tg.output(description="smallest sample")
    y_max = tg.output(description="largest sample")
    t_min = tg.variable("s", "when the smallest was taken", discrete=True, start=0.0)
    t_max = tg.variable("s", "when the largest was taken", discrete=True, start=0.0)
    least = tg.variable(description="smallest sample", discrete=True, start=0.0)
    most = tg.variable(description="largest sample", discrete=True, start=0.0)

    def equations(self) -> Statements:
        below = self.u < tg.pre(self.least)
        above = self.u > tg.pre(self.most)
        yield tg.when(
            tg.sample(self.Ts, self.Ts) & ~tg.initial(),
            self.least == tg.minimum(self.u, tg.pre(self.least)),
            self.most == tg.maximum(self.u, tg.pre(self.most)),
            self.t_min == tg.where(below, tg.time, tg.pre(self.t_min)),
            self.t_max == tg.where(above, tg.time, tg.pre(self.t_max)),
        ).elsewhen(
            tg.initial(), self.least == self.u, self.most == self.u, self.t_min == tg.time, self.t_max == tg.time
        )
        yield self.y_min == self.least
        yield self.y_max == self.most

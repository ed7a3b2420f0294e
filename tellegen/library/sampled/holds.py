"""Samplers and holds: from signals in continuous time to sampled ones and back."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.sampled.base import Sampled, SampledSISO, Statements


class ZeroOrderHold(SampledSISO):
    """y is u of the last tick: a sampler, or the hold at the border to a slower or faster clock."""

    def equations(self) -> Statements:
        yield tg.when(self.clock.tick, self.y == self.u)


class FirstOrderHold(Sampled):
    """y continues from the last sample with the slope between the last two; the first period is flat."""

    u = tg.input(description="input, read at the ticks")
    y = tg.output(description="output, a straight line between ticks")
    held = tg.variable(description="u of the last tick", discrete=True, start=0.0)
    slope = tg.variable(description="change of u per second", discrete=True, start=0.0)
    begin = tg.variable("s", "instant of the last tick", discrete=True, start=0.0)
    ticks = tg.integer("ticks so far")

    def equations(self) -> Statements:
        change = tg.where(tg.pre(self.ticks) == 0, 0.0, self.u - tg.pre(self.held))
        yield tg.when(
            self.clock.tick,
            self.held == self.u,
            self.slope == change / self.clock.period,
            self.begin == tg.time,
            self.ticks == tg.pre(self.ticks) + 1,
        )
        yield self.y == self.held + self.slope * (tg.time - self.begin)


class UnitDelay(SampledSISO):
    """y is u of the tick before the last one: 1/z. It breaks loops of blocks that answer at once."""

    x = tg.variable(description="u of the last tick", discrete=True, start=0.0)

    def equations(self) -> Statements:
        yield tg.when(self.clock.tick, self.y == tg.pre(self.x), self.x == self.u)


class PeriodicSampler(tg.Component):
    """y is u of the last instant start_time + k period; both are parameters of a run, where a clock is structural."""

    start_time = tg.parameter(0.0, "s", "first instant")
    period = tg.parameter(1e-3, "s", "time between instants", min=1e-12)
    u = tg.input(description="input")
    y = tg.output(description="held output", start=0.0)
    ticks = tg.integer("instants so far")

    def equations(self) -> Statements:
        tick = tg.sample(self.start_time, self.period)
        yield tg.when(tick, self.y == self.u, self.ticks == tg.pre(self.ticks) + 1)

"""Booleans that act later: delays of edges, and ramps that a Boolean begins."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.blocks.interfaces import BooleanSISO, Statements, signal, truth

LONG_AGO = -1e300


class OnDelay(BooleanSISO):
    """Becomes true delay_time after u, if u is still true then; becomes false with u."""

    delay_time = tg.parameter(1.0, "s", "delay of the rise", min=0.0)
    entry = tg.variable("s", "instant at which u became true", discrete=True, start=0.0)

    def equations(self) -> Statements:
        """What is true at the start counts as true for long."""
        yield tg.when(truth(self.u), self.entry == tg.where(tg.initial(), LONG_AGO, tg.time))
        yield self.y == signal(truth(self.u) & (tg.time >= self.entry + self.delay_time))


class LogicalDelay(tg.Component):
    """y1 rises with u and falls delay_time after it; y2 rises delay_time after u and falls with it."""

    u = tg.input("1", "input, true above 1/2")
    y1 = tg.output("1", "longer pulses, 0 or 1")
    y2 = tg.output("1", "shorter pulses, 0 or 1")
    delay_time = tg.parameter(0.0, "s", "delay", min=0.0)
    changed = tg.variable("s", "last change of u", discrete=True, start=LONG_AGO)

    def equations(self) -> Statements:
        on = truth(self.u)
        since = tg.where(tg.initial(), LONG_AGO, tg.time)
        yield tg.when(on, self.changed == since).elsewhen(~on, self.changed == since)
        late = tg.time >= self.changed + self.delay_time
        yield self.y1 == signal(on | ~late)
        yield self.y2 == signal(on & late)


class TriggeredTrapezoid(tg.Component):
    """Rises from offset to offset + amplitude in `rising` when u becomes true, and back in `falling` when it ends.

    A ramp that is interrupted turns where it is, with the rate of the other one.
    """

    u = tg.input("1", "input, true above 1/2")
    y = tg.output(description="output")
    amplitude = tg.parameter(1.0, description="height")
    rising = tg.parameter(0.0, "s", "duration of the rise", min=0.0)
    falling = tg.parameter(rising, "s", "duration of the fall", min=0.0)
    offset = tg.parameter(0.0, description="value while u is false")
    corner = tg.variable("s", "end of the ramp", discrete=True, start=LONG_AGO)
    target = tg.variable("1", "part of amplitude that is gone to", discrete=True, start=0.0)
    per_second = tg.variable("1/s", "part of amplitude gone in a second", discrete=True, start=0.0)

    def equations(self) -> Statements:
        on = truth(self.u)
        yield tg.when(on, *self.ramp(1.0, self.rising)).elsewhen(~on, *self.ramp(0.0, self.falling))
        left = tg.where(tg.time < self.corner, self.corner - tg.time, 0.0)
        yield self.y == self.offset + self.amplitude * (self.target - self.per_second * left)

    def ramp(self, target: float, duration: tg.Expression) -> list[object]:
        """To a target from where the last ramp is."""
        left = tg.maximum(tg.pre(self.corner) - tg.time, 0.0)
        here = tg.pre(self.target) - tg.pre(self.per_second) * left
        takes = tg.where(tg.initial(), 0.0, abs(target - here) * duration)
        rate = (2.0 * target - 1.0) / tg.maximum(duration, 1e-300)
        at_once = (duration <= 0.0) | tg.initial()
        return [
            self.corner == tg.time + takes,
            self.target == target,
            self.per_second == tg.where(at_once, 0.0, rate),
        ]

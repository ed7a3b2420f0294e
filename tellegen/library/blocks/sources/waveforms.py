"""Sources: signals that are formulas of time. Before `start_time` they rest at their offset."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.blocks.interfaces import Source, Statements


class Constant(Source):
    """y = k."""

    k = tg.parameter(1.0, description="value")

    def equations(self) -> Statements:
        yield self.y == self.k


class SignalSource(Source):
    """An offset, and from start_time on a shape above it."""

    offset = tg.parameter(0.0, description="value before start_time, added after it")
    start_time = tg.parameter(0.0, "s", "begin of the shape")

    def after_start(self, value: Any) -> Any:
        """The offset, and the value once the shape has begun."""
        return self.offset + tg.where(tg.time < self.start_time, 0.0, value)


class Step(SignalSource):
    """y = offset until start_time, offset + height after."""

    height = tg.parameter(1.0, description="height of the step")

    def equations(self) -> Statements:
        yield self.y == self.after_start(self.height)


class Ramp(SignalSource):
    """From offset at start_time to offset + height, in a straight line that takes `duration`; 0 makes a step."""

    height = tg.parameter(1.0, description="height of the ramp")
    duration = tg.parameter(2.0, "s", "time from foot to top", min=0.0)

    def equations(self) -> Statements:
        part = (tg.time - self.start_time) / tg.maximum(self.duration, 1e-300)
        yield self.y == self.after_start(
            tg.where(tg.time < self.start_time + self.duration, self.height * part, self.height)
        )


class Sine(SignalSource):
    """y = offset + amplitude sin(2 pi f (t - start_time) + phase), offset before start_time."""

    amplitude = tg.parameter(1.0, description="amplitude")
    f = tg.parameter(1.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phase")

    def equations(self) -> Statements:
        angle = 2 * tg.pi * self.f * (tg.time - self.start_time) + self.phase
        yield self.y == self.after_start(self.amplitude * tg.sin(angle))


class Cosine(SignalSource):
    """y = offset + amplitude cos(2 pi f (t - start_time) + phase), offset before start_time."""

    amplitude = tg.parameter(1.0, description="amplitude")
    f = tg.parameter(1.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phase")

    def equations(self) -> Statements:
        angle = 2 * tg.pi * self.f * (tg.time - self.start_time) + self.phase
        yield self.y == self.after_start(self.amplitude * tg.cos(angle))


class ExpSine(SignalSource):
    """A sine that dies away: offset + amplitude exp(-damping t') sin(2 pi f t' + phase), t' = t - start_time."""

    amplitude = tg.parameter(1.0, description="amplitude at the begin")
    f = tg.parameter(2.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phase")
    damping = tg.parameter(1.0, "1/s", "rate at which it dies away")

    def equations(self) -> Statements:
        t = tg.time - self.start_time
        sine = tg.sin(2 * tg.pi * self.f * t + self.phase)
        # Before the begin the exponential would grow without bound, and 0 times infinity is NaN.
        yield self.y == self.after_start(self.amplitude * tg.exp(-self.damping * tg.maximum(t, 0.0)) * sine)


class Exponentials(SignalSource):
    """Rises towards out_max with one time constant for rise_time, and falls back with another."""

    out_max = tg.parameter(1.0, description="height it would reach if the rise went on")
    rise_time = tg.parameter(0.5, "s", "duration of the rise", min=0.0)
    rise_time_const = tg.parameter(0.1, "s", "time constant of the rise: after it 63 % are reached", min=1e-300)
    fall_time_const = tg.parameter(rise_time_const, "s", "time constant of the fall", min=1e-300)

    def equations(self) -> Statements:
        t = tg.time - self.start_time
        fall = tg.time - self.start_time - self.rise_time
        rising = 1.0 - tg.exp(-tg.maximum(t, 0.0) / self.rise_time_const)
        top = 1.0 - tg.exp(-self.rise_time / self.rise_time_const)
        falling = top * tg.exp(-tg.maximum(fall, 0.0) / self.fall_time_const)
        shape = tg.where(tg.time < self.start_time + self.rise_time, rising, falling)
        yield self.y == self.after_start(self.out_max * shape)


class ContinuousClock(SignalSource):
    """The time since start_time: y = offset + t - start_time."""

    offset = tg.parameter(0.0, "s", "value before start_time, added after it")
    y = tg.output("s", "time")

    def equations(self) -> Statements:
        yield self.y == self.after_start(tg.time - self.start_time)

"""Sources that repeat a shape. Its corners are instants that the integrator hits without search."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.blocks.interfaces import Source, Statements


class Periodic(Source):
    """A shape that is repeated. Its corners are instants that the integrator hits without search."""

    amplitude = tg.parameter(1.0, description="height of the shape")
    period = tg.parameter(1.0, "s", "time from shape to shape", min=1e-12)
    offset = tg.parameter(0.0, description="value beside it")
    nperiod = tg.parameter(-1.0, "1", "number of shapes; without end below 0")
    start_time = tg.parameter(0.0, "s", "begin of the first shape")
    begin = tg.variable("s", "begin of the last shape", discrete=True, start=start_time)

    def equations(self) -> Statements:
        """Counted, not summed up; at the start of a run too, which may lie in the middle of a shape."""
        number = tg.floor((tg.time - self.start_time) / self.period + 1e-9)
        yield tg.when(
            tg.sample(self.start_time, self.period) | tg.initial(),
            self.begin == self.start_time + self.period * tg.maximum(number, 0.0),
        )

    def shaped(self, value: Any) -> Any:
        """A value of the shape, zero before the first and after the last one."""
        last = self.start_time + self.nperiod * self.period
        ended = (self.nperiod >= 0.0) & (tg.time >= last)
        return tg.where((tg.time < self.begin) | ended, 0.0, value)


class Pulse(Periodic):
    """offset + amplitude for the first part of every period, offset for the rest; offset before start_time."""

    width = tg.parameter(0.5, "1", "part of the period", min=0.0, max=1.0)

    def equations(self) -> Statements:
        on = tg.time < self.begin + self.width * self.period
        yield self.y == self.offset + self.shaped(tg.where(on, self.amplitude, 0.0))


class SawTooth(Periodic):
    """Rises from offset by amplitude in every period and falls back at once; offset before start_time."""

    def equations(self) -> Statements:
        part = (tg.time - self.begin) / self.period
        yield self.y == self.offset + self.shaped(self.amplitude * part)


class Trapezoid(Periodic):
    """Rises, stays, falls and rests at offset, in every period; offset before start_time."""

    rising = tg.parameter(0.0, "s", "duration of the rise", min=0.0)
    width = tg.parameter(0.5, "s", "duration at the top", min=0.0)
    falling = tg.parameter(0.0, "s", "duration of the fall", min=0.0)

    def equations(self) -> Statements:
        top = self.begin + self.rising
        down = self.begin + self.rising + self.width
        end = down + self.falling
        up = (tg.time - self.begin) / tg.maximum(self.rising, 1e-300)
        back = (end - tg.time) / tg.maximum(self.falling, 1e-300)
        shape = tg.where(tg.time < top, up, tg.where(tg.time < down, 1.0, tg.where(tg.time < end, back, 0.0)))
        yield self.y == self.offset + self.amplitude * self.shaped(shape)

"""Signals: sources with an output y and blocks from an input u to an output y. Units are those of what is connected.

For example:

    import tellegen as tg
    from tellegen.library import blocks

    class Filtered(tg.Component):
        step = blocks.Step(height=2.0, start_time=0.5)
        lag = blocks.FirstOrder(T=0.3)

        def connections(self):
            yield self.step.y, self.lag.u

    tg.simulate(Filtered(), stop=3.0).plot("step.y", "lag.y")
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

__all__ = [
    "SISO",
    "Constant",
    "FirstOrder",
    "Gain",
    "Integrator",
    "Periodic",
    "Pulse",
    "SecondOrder",
    "Sine",
    "Source",
    "Step",
    "Table",
    "Trapezoid",
]

Statements = Iterator[Any]


class Source(tg.Component):
    """A signal that depends on time only."""

    y = tg.output(description="output")


class Constant(Source):
    """y = k."""

    k = tg.parameter(1.0, description="value")

    def equations(self) -> Statements:
        yield self.y == self.k


class Step(Source):
    """y = offset until start_time, offset + height after."""

    height = tg.parameter(1.0, description="height of the step")
    offset = tg.parameter(0.0, description="value before the step")
    start_time = tg.parameter(0.0, "s", "instant of the step")

    def equations(self) -> Statements:
        yield self.y == self.offset + tg.where(tg.time < self.start_time, 0.0, self.height)


class Sine(Source):
    """y = offset + amplitude sin(2 pi f (t - start_time) + phase), offset before start_time."""

    amplitude = tg.parameter(1.0, description="amplitude")
    f = tg.parameter(1.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phase")
    offset = tg.parameter(0.0, description="offset")
    start_time = tg.parameter(0.0, "s", "start")

    def equations(self) -> Statements:
        angle = 6.283185307179586 * self.f * (tg.time - self.start_time) + self.phase
        yield self.y == self.offset + tg.where(tg.time < self.start_time, 0.0, self.amplitude * tg.sin(angle))


class Periodic(Source):
    """A shape that is repeated. Its corners are instants that the integrator hits without search."""

    amplitude = tg.parameter(1.0, description="height of the shape")
    period = tg.parameter(1.0, "s", "time from shape to shape", min=1e-12)
    offset = tg.parameter(0.0, description="value beside it")
    start_time = tg.parameter(0.0, "s", "begin of the first shape")
    begin = tg.variable("s", "begin of the last shape", discrete=True, start=0.0)

    def equations(self) -> Statements:
        """Counted, not summed up; at the start of a run too, which may lie in the middle of a shape."""
        number = tg.floor((tg.time - self.start_time) / self.period + 1e-9)
        yield tg.when(
            tg.sample(self.start_time, self.period) | tg.initial(),
            self.begin == self.start_time + self.period * tg.maximum(number, 0.0),
        )


class Pulse(Periodic):
    """offset + amplitude for the first part of every period, offset for the rest; offset before start_time."""

    width = tg.parameter(0.5, "1", "part of the period", min=0.0, max=1.0)

    def equations(self) -> Statements:
        on = (tg.time >= self.begin) & (tg.time < self.begin + self.width * self.period)
        yield self.y == self.offset + tg.where(on, self.amplitude, 0.0)


class Trapezoid(Periodic):
    """Rises, stays, falls and rests at offset, in every period; offset before start_time."""

    rising = tg.parameter(0.1, "s", "duration of the rise", min=0.0)
    width = tg.parameter(0.4, "s", "duration at the top", min=0.0)
    falling = tg.parameter(0.1, "s", "duration of the fall", min=0.0)

    def equations(self) -> Statements:
        top, down = self.begin + self.rising, self.begin + self.rising + self.width
        end = down + self.falling
        up = (tg.time - self.begin) / tg.maximum(self.rising, 1e-300)
        back = (end - tg.time) / tg.maximum(self.falling, 1e-300)
        shape = tg.where(tg.time < top, up, tg.where(tg.time < down, 1.0, tg.where(tg.time < end, back, 0.0)))
        yield self.y == self.offset + self.amplitude * tg.where(tg.time < self.begin, 0.0, shape)


class Table(Source):
    """Straight lines through points, the first and last value outside; two points at one time are a jump."""

    n = tg.parameter(2, structural=True, description="points, found from the table")
    times = tg.parameter(None, "s", "times of the points, rising", shape=n)
    values = tg.parameter(None, description="values at these times", shape=n)
    part = tg.variable(shape=n - 1, description="value of the line that is active, 0 of the others")

    def __init__(self, *unnamed: Any, **given: Any) -> None:
        for name in ("times", "values"):
            if hasattr(given.get(name), "__len__"):
                given.setdefault("n", len(given[name]))
        super().__init__(*unnamed, **given)

    def equations(self) -> Statements:
        start, end, first, last = self.times[:-1], self.times[1:], self.values[:-1], self.values[1:]
        slope = (last - first) / tg.maximum(end - start, 1e-300)
        active = (tg.time >= start) & (tg.time < end)
        yield self.part == tg.where(active, first + slope * (tg.time - start), 0.0)
        outside = tg.where(tg.time < self.times[0], self.values[0], 0.0)
        outside += tg.where(tg.time < self.times[-1], 0.0, self.values[-1])
        yield self.y == tg.sum(self.part) + outside
        falls = tg.sum(tg.where(end < start, 1.0, 0.0))
        yield tg.assert_(falls < 0.5, "the times of a table must not fall")  # noqa: PT009


class SISO(tg.Component):
    """One input, one output."""

    u = tg.input(description="input")
    y = tg.output(description="output")


class Gain(SISO):
    """y = k u."""

    k = tg.parameter(1.0, description="gain")

    def equations(self) -> Statements:
        yield self.y == self.k * self.u


class Integrator(SISO):
    """dy/dt = k u."""

    k = tg.parameter(1.0, description="gain")

    def equations(self) -> Statements:
        yield tg.der(self.y) == self.k * self.u


class FirstOrder(SISO):
    """T dy/dt + y = k u."""

    k = tg.parameter(1.0, description="gain")
    T = tg.parameter(1.0, "s", "time constant")

    def equations(self) -> Statements:
        yield self.T * tg.der(self.y) + self.y == self.k * self.u


class SecondOrder(SISO):
    """y''/w^2 + 2 D y'/w + y = k u, with yd = y'."""

    k = tg.parameter(1.0, description="gain")
    w = tg.parameter(1.0, "rad/s", "angular frequency")
    D = tg.parameter(1.0, "1", "damping")
    yd = tg.variable(description="derivative of y")

    def equations(self) -> Statements:
        yield tg.der(self.y) == self.yd
        yield tg.der(self.yd) == self.w * (self.w * (self.k * self.u - self.y) - 2 * self.D * self.yd)

"""Signals: sources with an output y and blocks from an input u to an output y. Units are those of what is connected."""

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
    "SecondOrder",
    "Sine",
    "Source",
    "Step",
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

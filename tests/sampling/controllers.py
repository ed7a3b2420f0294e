"""Continuous controllers and plants that the tests of sampling share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import blocks


class Linear(tg.Component):
    """Three states, two inputs and outputs, all matrices parameters."""

    A = tg.parameter(np.zeros((3, 3)))
    B = tg.parameter(np.zeros((3, 2)))
    C = tg.parameter(np.zeros((2, 3)))
    D = tg.parameter(np.zeros((2, 2)))
    u = tg.input(shape=2)
    y = tg.output(shape=2)
    x = tg.variable(shape=3, start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.A @ self.x + self.B @ self.u
        yield self.y == self.C @ self.x + self.D @ self.u


class Bent(tg.Component):
    """Two states, strongly nonlinear, at rest without input."""

    stiffness = tg.parameter(4.0, "1/s")
    u = tg.input()
    y = tg.output()
    a = tg.variable(start=0.0, fixed=True)
    b = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.a) == self.stiffness * tg.sin(self.b) - self.a**3
        yield tg.der(self.b) == self.u - tg.tanh(self.a) * (1.0 + self.b**2)
        yield self.y == self.a + 0.5 * self.b


class Knotted(tg.Component):
    """An algebraic loop that has no formula, around a state."""

    u = tg.input()
    y = tg.output()
    x = tg.variable(start=0.0, fixed=True)
    z = tg.variable(start=0.0)

    def equations(self) -> Iterator[Any]:
        yield self.z + self.z**3 + 0.2 * tg.sin(self.z) == self.x + self.u
        yield tg.der(self.x) == -self.z
        yield self.y == self.z


class StateFeedback(tg.Component):
    """An observer of a double integrator, and feedback of what it estimates."""

    y = tg.input("m", "measured position")
    r = tg.input("m", "wanted position", default=0.0)
    u = tg.output("m/s2", "acceleration")
    k = tg.parameter([9.0, 4.0], description="gains of position and speed")
    gain = tg.parameter([20.0, 120.0], description="gains of the observer")
    x = tg.variable("m", "estimated position", start=0.0, fixed=True)
    v = tg.variable("m/s", "estimated speed", start=0.0, fixed=True)
    e = tg.variable("m", "what nobody expected")

    def equations(self) -> Iterator[Any]:
        yield self.e == self.y - self.x
        yield self.u == self.k[0] * (self.r - self.x) - self.k[1] * self.v
        yield tg.der(self.x) == self.v + self.gain[0] * self.e
        yield tg.der(self.v) == self.u + self.gain[1] * self.e


class Cascade(tg.Component):
    """Two loops made of parts: nested names, a difference, a limit."""

    wanted = tg.input("rad/s")
    speed = tg.input("rad/s")
    current = tg.input("A")
    voltage = tg.output("V")
    outer = blocks.PI(k=0.5, T=0.2)
    inner = blocks.LimPID(k=2.0, Ti=0.02, y_max=24.0)

    def equations(self) -> Iterator[Any]:
        yield self.outer.u == self.wanted - self.speed
        yield self.inner.u_s == self.outer.y
        yield self.inner.u_m == self.current
        yield self.voltage == self.inner.y

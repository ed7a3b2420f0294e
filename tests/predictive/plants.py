"""Plants that several tests control."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import tellegen as tg


class Linear(tg.Component):
    """x' = A x + B u."""

    A = tg.parameter(np.zeros((3, 3)), structural=True)
    B = tg.parameter(np.zeros((3, 2)), structural=True)
    u = tg.input()
    w = tg.input()
    x = tg.variable(shape=3, start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        first, second = np.asarray(self.B).T
        yield tg.der(self.x) == np.asarray(self.A) @ self.x + first * self.u + second * self.w


class Slide(tg.Component):
    """A mass with damping, driven by a force."""

    d = tg.parameter(0.3, "N.s/m")
    force = tg.input("N")
    x = tg.variable("m", start=0.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.v
        yield 1.0 * tg.der(self.v) == self.force - self.d * self.v


class InOtherUnits(tg.Component):
    """The same, with a scale in millimetres and a force in kilonewtons."""

    d = tg.parameter(0.3, "N.s/m")
    m = tg.parameter(1.0, "kg")
    force = tg.input("kN")
    x = tg.variable("mm", start=0.0, fixed=True)
    v = tg.variable("mm/s", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.v
        yield self.m * tg.der(self.v) == self.force - self.d * self.v


class Rough(tg.Component):
    """A mass with a drag that has a kink, in front of a soft wall."""

    force = tg.input("N")
    x = tg.variable("m", start=0.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        wall = tg.where(self.x > 1.0, 50.0 * (self.x - 1.0), 0.0)
        yield tg.der(self.x) == self.v
        yield 1.0 * tg.der(self.v) == self.force - 0.2 * abs(self.v) * self.v - wall


class Escape(tg.Component):
    """x' = x**2 + u reaches infinity in a time 1/x unless u holds it."""

    u = tg.input()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.x**2 + self.u


class Reactor(tg.Component):
    """A stirred tank with an exothermic reaction, cooled (Kirk 1970, Luus 1990): deviations from its steady state."""

    u = tg.input()
    x1 = tg.variable(description="temperature", start=0.09, fixed=True)
    x2 = tg.variable(description="concentration", start=0.09, fixed=True)

    def equations(self) -> Iterator[Any]:
        rate = (self.x2 + 0.5) * tg.exp(25.0 * self.x1 / (self.x1 + 2.0))
        yield tg.der(self.x1) == -(2.0 + self.u) * (self.x1 + 0.25) + rate
        yield tg.der(self.x2) == 0.5 - self.x2 - rate


class Motor(tg.Component):
    """A motor with a winding, an inertia and a load that is not known."""

    R = tg.parameter(1.0, "ohm")
    L = tg.parameter(0.02, "H")
    k = tg.parameter(0.1, "N.m/A")
    J = tg.parameter(1e-3, "kg.m2")
    v = tg.input("V")
    load = tg.input("N.m", default=0.0)
    i = tg.variable("A", start=0.0, fixed=True)
    w = tg.variable("rad/s", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield self.L * tg.der(self.i) == self.v - self.R * self.i - self.k * self.w
        yield self.J * tg.der(self.w) == self.k * self.i - self.load


class Pushed(tg.Component):
    """Three masses, each with a force of its own."""

    force = tg.input("N", shape=3)
    m = tg.parameter(np.array([1.0, 2.0, 3.0]), "kg", shape=3)
    v = tg.variable("m/s", shape=3, start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield self.m * tg.der(self.v) == self.force

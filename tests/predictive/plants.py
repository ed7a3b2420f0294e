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

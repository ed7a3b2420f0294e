"""Weights of bodies where gravity is not the same everywhere: one for each body, at its centre of mass."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.multibody.sweeps.lump import Motion, Statements
from tellegen.library.multibody.sweeps.poses import ZERO
from tellegen.library.multibody.sweeps.vectors import cross

NOWHERE = 1e-100
"""In square metres: what keeps the acceleration at the origin a number."""
AT_THE_CENTRE = (
    "a body is at the origin of the world, where point gravity has no direction: "
    "let it start elsewhere (r_0_start, or where its joint holds it)"
)


class PointWeight(tg.Component):
    """The weight of a body that is drawn to the origin of the world, m mu/|r|^2; the lump that carries it feels it."""

    parent = Motion()
    A_p = tg.input("1", "orientation of the lump: the columns are its axes", shape=(3, 3))
    r_p = tg.input("m", "position of its reference point", shape=3)
    mu = tg.parameter(3.986004418e14, "m3/s2", "gravitational constant times the mass at the origin")
    m = tg.parameter(0.0, "kg", "mass of the body")
    c = tg.parameter(ZERO, "m", "its centre of mass on the lump")
    d = tg.variable("m", "from the reference point to the centre of mass", shape=3)
    r = tg.variable("m", "position of the centre of mass", shape=3)

    def equations(self) -> Statements:
        yield self.d == self.A_p @ self.c
        yield self.r == self.r_p + self.d
        yield self.parent.f == -self.m * towards_origin(self.mu, self.r)
        yield self.parent.n == cross(self.d, self.parent.f)
        yield tg.assert_(self.r @ self.r > 0, AT_THE_CENTRE)  # noqa: PT009


def towards_origin(mu: Any, r: Any) -> Any:
    """The acceleration of what falls at r; none at the origin itself."""
    square = r @ r + NOWHERE
    return -(mu / (square * tg.sqrt(square))) * r

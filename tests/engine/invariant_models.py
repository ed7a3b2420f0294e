"""Models with invariants: a planar four-bar as an index-one system, and a free body with a quaternion."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

import tellegen as tg

LENGTHS = (0.3, 1.0, 0.7)
BASE = 1.0
GRAVITY = 9.81
_SIGNS = (1.0, 1.0, -1.0)


class FourBar(tg.Component):
    """Three uniform bars of 1 kg: crank from (0, 0), coupler, rocker from (d, 0); all three angles are states.

    The closures are differentiated twice, so angles and speeds satisfy them only up to the errors of the integrator.
    """

    L = tg.parameter(LENGTHS, "m", shape=3)
    d = tg.parameter(BASE, "m")
    phi = tg.variable("rad", shape=3, start=[1.2, 0.5, 1.9], fixed=[True, False, False])
    w = tg.variable("rad/s", shape=3, start=[8.0, 0.0, 0.0], fixed=[True, False, False])
    force = tg.variable("N", shape=2)
    gap = tg.variable("m", shape=2)
    speed = tg.variable("m/s", shape=2)
    J = tg.variable("m", shape=(2, 3))
    energy = tg.variable("J")

    def equations(self) -> Any:
        phi, w, L, J = self.phi, self.w, self.L, self.J
        s = [tg.sin(phi[k]) for k in range(3)]
        c = [tg.cos(phi[k]) for k in range(3)]
        a = [tg.der(w[k]) for k in range(3)]
        m = 1.0
        yield tg.der(phi) == w
        yield self.gap[0] == sum(_SIGNS[k] * L[k] * c[k] for k in range(3)) - self.d
        yield self.gap[1] == sum(_SIGNS[k] * L[k] * s[k] for k in range(3))
        for k in range(3):
            yield J[0, k] == -_SIGNS[k] * L[k] * s[k]
            yield J[1, k] == _SIGNS[k] * L[k] * c[k]
        yield self.speed == J @ w
        inertia = [m * L[0] ** 2 * (1 / 3 + 1), m * L[1] ** 2 / 3, m * L[2] ** 2 / 3]
        weight = [1.5 * m * L[0], 0.5 * m * L[1], 0.5 * m * L[2]]
        couple = 0.5 * m * L[0] * L[1]
        cosine = tg.cos(phi[0] - phi[1])
        sine = tg.sin(phi[0] - phi[1])
        coupled = [couple * (cosine * a[1] + sine * w[1] ** 2), couple * (cosine * a[0] - sine * w[0] ** 2), 0.0]
        for k in range(3):
            reaction = J[0, k] * self.force[0] + J[1, k] * self.force[1]
            yield inertia[k] * a[k] + coupled[k] + weight[k] * GRAVITY * c[k] == reaction
        yield sum(J[0, k] * a[k] - _SIGNS[k] * L[k] * c[k] * w[k] ** 2 for k in range(3)) == 0
        yield sum(J[1, k] * a[k] - _SIGNS[k] * L[k] * s[k] * w[k] ** 2 for k in range(3)) == 0
        kinetic = sum(0.5 * inertia[k] * w[k] ** 2 for k in range(3)) + couple * cosine * w[0] * w[1]
        yield self.energy == kinetic + sum(weight[k] * GRAVITY * s[k] for k in range(3))


class KeptFourBar(FourBar):
    """With its closures as invariants."""

    def equations(self) -> Any:
        yield tg.invariant(self.gap, {self.phi: self.J})
        yield tg.invariant(self.speed, {self.w: self.J})


class RedundantFourBar(KeptFourBar):
    """A third closure row that repeats the other two, at both levels."""

    gap_along = tg.variable("m")
    speed_along = tg.variable("m/s")
    J_along = tg.variable("m", shape=3)

    def equations(self) -> Any:
        J = self.J
        yield self.gap_along == 0.6 * self.gap[0] + 0.8 * self.gap[1]
        yield self.speed_along == 0.6 * self.speed[0] + 0.8 * self.speed[1]
        yield self.J_along == 0.6 * J[0] + 0.8 * J[1]
        yield tg.invariant(self.gap_along, {self.phi: self.J_along})
        yield tg.invariant(self.speed_along, {self.w: self.J_along})


class Body(tg.Component):
    """A free body that tumbles about its middle axis; Q is its orientation."""

    I = tg.parameter([1.0, 2.0, 3.0], "kg.m2", shape=3)  # noqa: E741
    Q = tg.variable(shape=4, start=[0.0, 0.0, 0.0, 1.0], fixed=True)
    w = tg.variable("rad/s", shape=3, start=[0.1, 2.0, 0.1], fixed=True)
    norm = tg.variable()
    norm_by_Q = tg.variable(shape=4)

    def equations(self) -> Any:
        Q, w = self.Q, self.w
        yield tg.der(Q[:3]) == 0.5 * (w * Q[3] - tg.cross(w, Q[:3]))
        yield tg.der(Q[3]) == -0.5 * tg.dot(w, Q[:3])
        yield self.I * tg.der(w) == -tg.cross(w, self.I * w)
        yield self.norm == tg.dot(Q, Q) - 1.0
        yield self.norm_by_Q == 2.0 * Q
        yield tg.invariant(self.norm, {Q: self.norm_by_Q})


def closed(crank: Any, lengths: Any = LENGTHS, base: float = BASE) -> Any:
    """The angles of coupler and rocker, elbow up, from that of the crank."""
    a, b, c = lengths
    x = a * np.cos(crank)
    y = a * np.sin(crank)
    distance = np.hypot(base - x, y)
    inner = np.arccos((b**2 + distance**2 - c**2) / (2 * b * distance))
    coupler = np.arctan2(-y, base - x) + inner
    return coupler, np.arctan2(y + b * np.sin(coupler), x + b * np.cos(coupler) - base)


def crank_acceleration(crank: float, speed: float) -> float:
    """By the crank's own equation of motion, M(q) q'' + M'(q) q'^2 / 2 + V'(q) = 0."""

    def speeds(q: float) -> tuple[Any, Any]:
        psi = np.array([q, *closed(q)])
        J = np.array([-np.array(_SIGNS) * LENGTHS * np.sin(psi), np.array(_SIGNS) * LENGTHS * np.cos(psi)])
        return psi, np.append(1.0, np.linalg.solve(J[:, 1:], -J[:, 0]))

    def mass_and_potential(q: float) -> tuple[float, float]:
        psi, u = speeds(q)
        a, b, c = LENGTHS
        inertia = np.array([a**2 * 4 / 3, b**2 / 3, c**2 / 3])
        mass = inertia @ u**2 + a * b * np.cos(psi[0] - psi[1]) * u[0] * u[1]
        return float(mass), float(GRAVITY * np.array([1.5 * a, 0.5 * b, 0.5 * c]) @ np.sin(psi))

    h = 1e-4
    points = [mass_and_potential(crank + k * h) for k in (-2, -1, 1, 2)]
    slopes = [(p[0] - 8 * p[1] + 8 * p[2] - p[3]) / (12 * h) for p in zip(*points, strict=True)]
    mass, _ = mass_and_potential(crank)
    return -(0.5 * slopes[0] * speed**2 + slopes[1]) / mass


def minimal_coordinates(crank: float, speed: float, times: Any) -> Any:
    """The crank's angle over time, by SciPy."""

    def rates(_: float, x: Any) -> Any:
        return [x[1], crank_acceleration(x[0], x[1])]

    span = (times[0], times[-1])
    return scipy.integrate.solve_ivp(rates, span, [crank, speed], "DOP853", times, rtol=1e-11, atol=1e-12).y[0]

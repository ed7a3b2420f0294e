"""Joints that close loops. The tree leaves them out; their constraints hold the two lumps together by forces.

A joint between frame_a on one lump and frame_b on the other locks some directions b of frame_a. With the gap
g = p_b - p_a of the origins, t = A_a b and the velocity of frame_b against lump a there,

    phi = t.g,         phi' = t.(v_b - v_a - w_a x g)

and for rotations, with an axis u of frame_b that has to stay at a right angle to t,

    phi = t.u,         phi' = W.(w_b - w_a),  W = u x t

so the forces that hold the joint are t and the torques W, each by its multiplier. Of these constraints the second
derivatives are equations; phi and phi' are invariants, kept by projection. Where constraints repeat each other (a
planar loop in space) the multipliers are not determined; a compliance of 1e-14 of the loop's mobility
chooses the smallest. It has to be so small: a constraint is not felt nearer to a singular position than its root.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

import tellegen as tg
from tellegen.library.multibody.sweeps.lump import Motion, Moving, Statements
from tellegen.library.multibody.sweeps.poses import UNIT, ZERO
from tellegen.library.multibody.sweeps.vectors import cross

COMPLIANCE = 1e-14
"""Of a constraint, relative to the mobility of the loop."""


class Between(Moving):
    """Two lumps that hold each other by the force f_b and the torque t_b at the point p."""

    other = Motion()
    A_o = tg.input("1", "orientation of the second lump", shape=(3, 3))
    r_o = tg.input("m", "position of its reference point", shape=3)
    w_o = tg.input("rad/s", "its angular velocity", shape=3)
    v_o = tg.input("m/s", "velocity of its reference point", shape=3)
    s = tg.parameter(ZERO, "m", "frame_a on the first lump")
    C = tg.parameter(UNIT, "1", "its orientation there: the columns are the axes")
    s_o = tg.parameter(ZERO, "m", "frame_b on the second lump")
    C_o = tg.parameter(UNIT, "1", "its orientation there: the columns are the axes")
    m_loop = tg.parameter(1.0, "kg", "mass of the loop")
    J_loop = tg.parameter(np.ones(6), "kg.m2", "inertia of the loop")
    radius = tg.parameter(
        tg.sqrt((J_loop[0] + J_loop[1] + J_loop[2]) / m_loop), "m", "of gyration: rotations count as lengths there"
    )

    d_a = tg.variable("m", "from the first reference point to frame_a", shape=3)
    d_b = tg.variable("m", "from the second reference point to p", shape=3)
    d_g = tg.variable("m", "from the first reference point to p", shape=3)
    F_a = tg.variable("1", "three directions of frame_a, as rows", shape=(3, 3))
    g = tg.variable("m", "from the origin of frame_a to p", shape=3)
    p = tg.variable("m", "where the loop closes: origin of frame_b, or where a wheel touches", shape=3)
    f_b = tg.variable("N", "force on the second lump", shape=3)
    t_b = tg.variable("N.m", "torque on the second lump", shape=3)

    def equations(self) -> Statements:
        yield self.d_a == self.A_p @ self.s
        yield self.p == self.r_o + self.d_b
        yield self.d_g == self.p - self.r_p
        yield self.g == self.d_g - self.d_a
        yield self.other.f == -self.f_b
        yield self.other.n == -self.t_b - cross(self.d_b, self.f_b)
        yield self.parent.f == self.f_b
        yield self.parent.n == self.t_b + cross(self.d_g, self.f_b)


class Held(Between):
    """Two lumps that a joint holds together at the origin of frame_b: how its frames move against each other."""

    v_g = tg.variable("m/s", "velocity of frame_b against the first lump", shape=3)
    w_g = tg.variable("rad/s", "angular velocity of frame_b against frame_a", shape=3)
    z_g = tg.variable("rad/s2", "angular acceleration of frame_b against frame_a", shape=3)
    a_g = tg.variable("m/s2", "acceleration of frame_b against the first lump", shape=3)

    def equations(self) -> Statements:
        yield self.d_b == self.A_o @ self.s_o
        yield self.v_g == self.v_o + cross(self.w_o, self.d_b) - self.v_p - cross(self.w_p, self.d_g)
        yield self.w_g == self.w_o - self.w_p
        yield self.z_g == self.other.z - self.parent.z
        there = self.other.a + cross(self.other.z, self.d_b) + cross(self.w_o, cross(self.w_o, self.d_b))
        here = self.parent.a + cross(self.parent.z, self.d_g) + cross(self.w_p, cross(self.w_p, self.d_g))
        yield self.a_g == there - here - 2 * cross(self.w_p, self.v_g)

    def compliance(self) -> Any:
        """Of a constraint: so small that it decides only which multipliers share what constraints repeat."""
        return COMPLIANCE / self.m_loop

    def hold_along(self, k: int, t: Any) -> Statements:
        """Constraint k: no motion along t; its rate and its second derivative."""
        yield self.gap[k] == t @ self.g
        yield self.rate[k] == t @ self.v_g
        yield t @ self.a_g + self.force[k] * self.compliance() == 0

    def hold_upright(self, k: int, t: Any, u: Any) -> Statements:
        """Constraint k of rotation: t of frame_a and u of frame_b stay at a right angle."""
        W = self.W[k]
        yield W == cross(u, t)
        yield self.tilt[k] == t @ u
        yield self.tilt_rate[k] == W @ self.w_g
        bias = cross(cross(self.w_o, u), t) + cross(u, cross(self.w_p, t))
        turning = W @ self.z_g + bias @ self.w_g
        yield self.radius * turning + self.couple[k] * self.compliance() == 0


class Cut(Held):
    """A joint between two lumps, given by what it locks; see the top of this file."""

    POSITIONS: ClassVar[tuple[int, ...]] = (0, 1, 2)
    """Directions of frame_a along which the origins stay together: 0 and 1 at right angles to the axis, 2 along it."""
    ROTATIONS: ClassVar[tuple[tuple[int, int], ...]] = ()
    """Directions of frame_a and of frame_b that stay at right angles."""

    n = tg.parameter([0.0, 0.0, 1.0], "1", "axis of the joint, of length one")
    sign = tg.parameter(tg.where(n[2] >= 0, 1.0, -1.0), "1", "of the last element of n")
    b = tg.parameter(-1 / (sign + n[2]), "1", "for directions at right angles to n (Duff et al. 2017)")
    F_b = tg.variable("1", "the three directions of frame_b, as rows", shape=(3, 3))

    def equations(self) -> Statements:
        for frame, A, C in ((self.F_a, self.A_p, self.C), (self.F_b, self.A_o, self.C_o)):
            for row, direction in enumerate(around(self.n, self.sign, self.b)):
                yield frame[row] == in_world(A, C, direction)

    def locked(self) -> Statements:
        """The constraints: gaps, their rates and their second derivatives."""
        for k, i in enumerate(self.POSITIONS):
            yield from self.hold_along(k, self.F_a[i])
        for k, (i, j) in enumerate(self.ROTATIONS):
            yield from self.hold_upright(k, self.F_a[i], self.F_b[j])

    def held(self) -> Any:
        """The force on the second lump by the multipliers."""
        terms = [self.force[k] * self.F_a[i] for k, i in enumerate(self.POSITIONS)]
        return sum(terms[1:], terms[0])

    def held_upright(self) -> Any:
        """The torque on the second lump by the multipliers."""
        terms = [self.couple[k] * self.radius * self.W[k] for k in range(len(self.ROTATIONS))]
        return sum(terms[1:], terms[0])


def around(n: Any, sign: Any, b: Any) -> list[Any]:
    """Two directions at right angles to n, and n itself; b = -1/(sign + n_z) with the sign of n_z."""
    c = n[0] * n[1] * b
    first = [1 + sign * n[0] ** 2 * b, sign * c, -sign * n[0]]
    second = [c, sign + n[1] ** 2 * b, -n[1]]
    return [first, second, [n[0], n[1], n[2]]]


def in_world(A: Any, C: Any, direction: Any) -> Any:
    """A direction of a frame that has the orientation C on a lump with the orientation A."""
    local = [C[i, 0] * direction[0] + C[i, 1] * direction[1] + C[i, 2] * direction[2] for i in range(3)]
    return A[:, 0] * local[0] + A[:, 1] * local[1] + A[:, 2] * local[2]


class BallCut(Cut):
    """A ball joint: the origins stay together."""

    gap = tg.variable("m", "constraints", shape=3)
    rate = tg.variable("m/s", "their rates", shape=3)
    force = tg.variable("N", "multipliers", shape=3)

    def equations(self) -> Statements:
        yield from self.locked()
        yield self.f_b == self.held()
        yield self.t_b == 0.0


class AxisCut(Cut):
    """A joint with an axis. Its coordinate is a state by itself, and what it should be the last of the constraints."""

    gap = tg.variable("m", "constraints, as lengths along the directions of frame_a", shape=3)
    rate = tg.variable("m/s", "their rates", shape=3)
    W = tg.variable("1", "directions of the torques", shape=(3, 3))
    tilt = tg.variable("1", "constraints of rotation", shape=3)
    tilt_rate = tg.variable("rad/s", "their rates", shape=3)


class RevoluteCut(AxisCut):
    """A hinge: the origins stay together, and so do the axes."""

    ROTATIONS: ClassVar[tuple[tuple[int, int], ...]] = ((0, 2), (1, 2))

    force = tg.variable("N", "multipliers", shape=3)
    couple = tg.variable("N", "multipliers of rotation, as forces at the radius of gyration", shape=2)
    q = tg.input("rad", "angle")
    qd = tg.input("rad/s", "angular velocity")
    tau = tg.input("N.m", "driving torque", default=0.0)
    qdd = tg.output("rad/s2", "angular acceleration")
    tilt_by_q = tg.variable("1", "derivative of the last constraint by the angle")

    def equations(self) -> Statements:
        yield from self.locked()
        axis = self.F_a[2]
        cosine = self.F_a[0] @ self.F_b[0]
        sine = self.F_a[1] @ self.F_b[0]
        yield self.W[2] == axis
        yield self.tilt[2] == sine * tg.cos(self.q) - cosine * tg.sin(self.q)
        yield self.tilt_rate[2] == axis @ self.w_g - self.qd
        yield self.tilt_by_q == -1
        yield self.f_b == self.held()
        yield self.t_b == self.held_upright() + self.tau * axis
        yield self.qdd == axis @ self.z_g


class PrismaticCut(AxisCut):
    """A slide: no motion but along the axis, no rotation."""

    POSITIONS: ClassVar[tuple[int, ...]] = (0, 1)
    ROTATIONS: ClassVar[tuple[tuple[int, int], ...]] = ((0, 2), (1, 2), (1, 0))

    force = tg.variable("N", "multipliers", shape=2)
    couple = tg.variable("N", "multipliers of rotation, as forces at the radius of gyration", shape=3)
    q = tg.input("m", "distance")
    qd = tg.input("m/s", "velocity")
    tau = tg.input("N", "driving force", default=0.0)
    qdd = tg.output("m/s2", "acceleration")
    gap_by_q = tg.variable("1", "derivative of the last constraint by the distance")

    def equations(self) -> Statements:
        yield from self.locked()
        axis = self.F_a[2]
        yield self.gap[2] == axis @ self.g - self.q
        yield self.rate[2] == axis @ self.v_g - self.qd
        yield self.gap_by_q == -1
        yield self.f_b == self.held() + self.tau * axis
        yield self.t_b == self.held_upright()
        yield self.qdd == axis @ self.a_g

"""Links of three and six freedoms: a ball joint, a lump that nothing holds, and a mass without extension.

Orientation is a quaternion Q = (q, s) of four plain states, the scalar last, so that no orientation is singular. It
turns vectors of the lump into axes of the joint; with the angular velocity w_own in axes of the lump

    q' = (s w_own + q x w_own)/2,    s' = -w_own.q/2

which keeps its length; what integration adds to it is removed by projection, and the rotation matrix is made from
Q/|Q|. The state is w_own and not the same vector in axes of the joint: how a body goes on turning depends on how it
turns about its own axes, and that would inherit the errors of Q: a body that turns over ends with errors a thousand
times as large.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.multibody.sweeps.links import Carried, Felt
from tellegen.library.multibody.sweeps.lump import DIAGONAL, Motion, Placed, Statements
from tellegen.library.multibody.sweeps.poses import ZERO
from tellegen.library.multibody.sweeps.vectors import (
    AFTER,
    NEXT,
    SIX_COLUMN,
    SIX_ROW,
    cross,
    crossed,
    crossed_six,
    determinant,
    full,
    inverse,
    turned_back,
)


class Turning(Carried):
    """A link whose lump may have any orientation against the joint."""

    Q_start = tg.parameter([0.0, 0.0, 0.0, 1.0], "1", "quaternion at the start, of length one")
    w_rel_start = tg.parameter(ZERO, "rad/s", "angular velocity at the start, in axes of the joint")

    Q = tg.variable("1", "quaternion of the lump in axes of the joint", shape=4, start=Q_start, state="prefer")
    w_own = tg.variable(
        "rad/s",
        "angular velocity against the joint, in axes of the lump",
        shape=3,
        start=turned_back(Q_start, w_rel_start),
        state="prefer",
    )
    w_rel = tg.variable("rad/s", "the same in axes of the joint", shape=3)
    scale = tg.variable("1", "2/|Q|^2")
    turn = tg.variable("1", "orientation of the lump in the joint", shape=(3, 3))
    w_r = tg.variable("rad/s", "angular velocity against the joint, in the world", shape=3)
    c_z = tg.variable("rad/s2", "angular acceleration by velocities", shape=3)
    gap = tg.variable("1", "|Q|^2 - 1")
    gap_by_Q = tg.variable("1", "its derivative", shape=4)

    def equations(self) -> Statements:
        q = self.Q[:3]
        s = self.Q[3]
        yield self.scale == 2 / (self.Q @ self.Q)
        yield from turned_by(self.turn, self.Q, self.scale)
        yield self.A == self.A_a @ self.turn
        yield tg.der(q) == 0.5 * (s * self.w_own + cross(q, self.w_own))
        yield tg.der(s) == -0.5 * (self.w_own @ q)
        yield self.w_rel == self.turn @ self.w_own
        yield self.w_r == self.A @ self.w_own
        yield self.w == self.w_p + self.w_r
        yield self.c_z == cross(self.w_p, self.w_r)
        yield tg.der(self.w_own) == self.A.T @ (self.own.z - self.parent.z - self.c_z)
        yield self.gap == self.Q @ self.Q - 1
        yield self.gap_by_Q == 2 * self.Q
        yield tg.invariant(self.gap, {self.Q: self.gap_by_Q})


class BallLink(Turning, Felt):
    """A link that may turn in all directions. With S the inverse of J, and no torque:

    z = -S (b_n + H a_1),    M_a = M - H' S H,    p_f = M_a c_a + b_f - H' S b_n
    """

    S = tg.variable("1/(kg.m2)", "inverse of the articulated inertia", shape=6)
    S_H = tg.variable("1/m", "S H", shape=(3, 3))
    u = tg.variable("rad/s2", "angular acceleration at no acceleration of the parent", shape=3)

    def equations(self) -> Statements:
        yield self.d == self.A_p @ self.s
        yield self.v == self.v_p + self.w_d
        yield self.c_a == cross(self.w_p, self.w_d)
        yield from inverted(self.S, self.J_t)
        yield self.S_H == full(self.S) @ self.H_t
        yield self.u == -(full(self.S) @ self.b_n)
        yield self.own.z == self.u - self.S_H @ self.a_1
        yield self.own.a == self.a_1
        columns = [self.H_t[k, SIX_ROW] * self.S_H[k, SIX_COLUMN] for k in range(3)]
        yield self.M_a == self.M_t - (columns[0] + columns[1] + columns[2])
        yield self.p_f == full(self.M_a) @ self.c_a + self.b_f + self.H_t.T @ self.u
        yield self.parent.f == self.p_f
        yield self.parent.n == cross(self.d, self.p_f)
        yield self.M_up == self.M_a
        yield self.H_up == crossed(self.d, full(self.M_a))
        yield self.J_up == crossed_six(self.d, self.H_up.T)


class FreeLink(Turning):
    """A lump that nothing holds; its place is given against a frame of the parent, which feels nothing of it.

    a = -N (b_f + H' z),    (J - H N H') z = H N b_f - b_n,    N the inverse of M
    """

    r_rel_start = tg.parameter(ZERO, "m", "position at the start")
    v_rel_start = tg.parameter(ZERO, "m/s", "velocity at the start")

    r_rel = tg.variable("m", "position, in axes of the joint", shape=3, start=r_rel_start, state="prefer")
    v_rel = tg.variable(
        "m/s", "velocity against the joint, in axes of the joint", shape=3, start=v_rel_start, state="prefer"
    )
    v_r = tg.variable("m/s", "the same in the world", shape=3)
    N = tg.variable("1/kg", "inverse of the articulated mass", shape=6)
    H_N = tg.variable("m", "H N", shape=(3, 3))
    J_c = tg.variable("kg.m2", "J - H N H'", shape=6)
    S = tg.variable("1/(kg.m2)", "inverse of J - H N H'", shape=6)

    def equations(self) -> Statements:
        yield tg.der(self.r_rel) == self.v_rel
        yield self.d == self.A_p @ self.s + self.A_a @ self.r_rel
        yield self.v_r == self.A_a @ self.v_rel
        yield self.v == self.v_p + self.w_d + self.v_r
        yield self.c_a == cross(self.w_p, self.w_d) + 2 * cross(self.w_p, self.v_r)
        yield tg.der(self.v_rel) == self.A_a.T @ (self.own.a - self.a_1)
        yield from inverted(self.N, self.M_t)
        yield self.H_N == self.H_t @ full(self.N)
        columns = [self.H_N[SIX_ROW, k] * self.H_t[SIX_COLUMN, k] for k in range(3)]
        yield self.J_c == self.J_t - (columns[0] + columns[1] + columns[2])
        yield from inverted(self.S, self.J_c)
        yield self.own.z == full(self.S) @ (self.H_N @ self.b_f - self.b_n)
        yield self.own.a == -(full(self.N) @ (self.b_f + self.H_t.T @ self.own.z))
        yield self.parent.f == 0.0
        yield self.parent.n == 0.0


TURNED = (
    "a torque acts on a point mass, which has no inertia that resists its rotation: "
    "use a Body with an inertia tensor, or let forces act at the point mass itself"
)
LEVER = 1e-5
"""In metres: forces that pass a point mass within this distance do not turn it."""


class PointLink(Placed):
    """A mass without extension that nothing holds: m a = f. It keeps the directions of the world."""

    parent = Motion()
    m = tg.parameter(0.0, "kg", "mass")
    r_rel_start = tg.parameter(ZERO, "m", "position at the start")
    v_rel_start = tg.parameter(ZERO, "m/s", "velocity at the start")

    r_rel = tg.variable("m", "position", shape=3, start=r_rel_start, state="prefer")
    v_rel = tg.variable("m/s", "velocity", shape=3, start=v_rel_start, state="prefer")

    def equations(self) -> Statements:
        yield tg.der(self.r_rel) == self.v_rel
        yield tg.der(self.v_rel) == self.own.a - self.parent.a
        yield self.r == self.r_rel
        yield self.v == self.v_rel
        yield self.own.a == self.own.f / self.m
        yield self.own.z == 0.0
        yield self.parent.f == 0.0
        yield self.parent.n == 0.0
        arm_allowed = LEVER**2 * (self.own.f @ self.own.f)
        yield tg.assert_(self.own.n @ self.own.n <= arm_allowed, TURNED)  # noqa: PT009


def turned_by(turn: Any, Q: Any, scale: Any) -> Statements:
    """The rotation matrix of a quaternion Q = (q, s), by scale = 2/|Q|^2."""
    q = Q[:3]
    s = Q[3]
    yield turn[DIAGONAL, DIAGONAL] == 1 - scale * (q[NEXT] ** 2 + q[AFTER] ** 2)
    yield turn[DIAGONAL, NEXT] == scale * (q[DIAGONAL] * q[NEXT] - s * q[AFTER])
    yield turn[DIAGONAL, AFTER] == scale * (q[DIAGONAL] * q[AFTER] + s * q[NEXT])


def inverted(inverse_six: Any, six: Any) -> Statements:
    """The inverse of a symmetric matrix, both as six numbers."""
    diagonal, beside = inverse(six, determinant(six))
    yield inverse_six[:3] == diagonal
    yield inverse_six[3:] == beside

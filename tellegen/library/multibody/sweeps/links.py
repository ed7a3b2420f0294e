"""Links of one freedom: a joint that turns or slides along an axis, with the lump it carries.

The axis n_0 and the vector d from the parent's reference point to that of the lump are in axes of the world. With c_z
and c_a for what velocities contribute, the lump accelerates by

    z = z_1 + n_0 q''    or z = z_1            z_1 = z_p + c_z
    a = a_1              or a = a_1 + n_0 q''  a_1 = a_p + z_p x d + c_a

U is the wrench that a unit of q'' takes, D its part along the axis. The wrench that the joint transmits has the part
tau along the axis, which gives q'' and, without it, what the parent feels:

    tau = U.(z_1, a_1) + D q'' + b along the axis,     u = (tau - b along the axis)/D
    J_a = J - U U'/D  (H_a, M_a likewise)              p = J_a c + b + U u

Moved to the reference point of the parent, with f at the distance d:

    M_up = M_a,    H_up = H_a + [d]x M_a,    J_up = J_a - H_a [d]x + [d]x H_up',    n = p_n + d x p_f
"""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library.multibody.sweeps.lump import DIAGONAL, Lump, Moving, Statements
from tellegen.library.multibody.sweeps.vectors import (
    AFTER,
    NEXT,
    by_cross_six,
    cross,
    crossed,
    crossed_six,
    full,
    outer,
    square,
)


class Carried(Moving, Lump):
    """A joint and its lump. `s` and `C` say where the joint is on the parent."""

    rotated = tg.parameter(True, structural=True, description="C is not the unit matrix")
    s = tg.parameter([0.0] * 3, "m", "joint on the parent, in axes of the parent")
    C = tg.parameter(np.eye(3), "1", "orientation of the joint on the parent: the columns are its axes")

    A_a = tg.variable("1", "orientation of the joint on the parent", shape=(3, 3))
    d = tg.variable("m", "from the parent's reference point to that of the lump", shape=3)
    w_d = tg.variable("m/s", "w_p x d", shape=3)
    c_a = tg.variable("m/s2", "acceleration by velocities", shape=3)
    a_1 = tg.variable("m/s2", "acceleration of the reference point without that of the joint", shape=3)

    def equations(self) -> Statements:
        yield self.A_a == (self.A_p @ self.C if self.rotated else self.A_p)
        yield self.r == self.r_p + self.d
        yield self.w_d == cross(self.w_p, self.d)
        yield self.a_1 == self.parent.a + cross(self.parent.z, self.d) + self.c_a


class Felt(tg.Component):
    """What the parent feels of a link."""

    J_up = tg.output("kg.m2", "articulated inertia of the link, for the parent", shape=6)
    H_up = tg.output("kg.m", "the same, moments by accelerations", shape=(3, 3))
    M_up = tg.output("kg", "the same, forces by accelerations", shape=6)
    M_a = tg.variable("kg", "articulated inertia less that of the joint, forces by accelerations", shape=6)
    p_f = tg.variable("N", "force of the link at no acceleration of the parent", shape=3)


class Link(Carried, Felt):
    """A joint of one freedom and its lump."""

    n = tg.parameter([0.0, 0.0, 1.0], "1", "axis of the joint, of length one, in axes of the joint")
    n_0 = tg.variable("1", "axis in the world", shape=3)
    J_a = tg.variable("kg.m2", "articulated inertia less that along the axis", shape=6)
    H_a = tg.variable("kg.m", "the same, moments by accelerations", shape=(3, 3))

    def equations(self) -> Statements:
        yield self.n_0 == self.A_a @ self.n
        yield self.M_up == self.M_a
        yield self.H_up == self.H_a + crossed(self.d, full(self.M_a))
        yield self.J_up == self.J_a - by_cross_six(self.H_a, self.d) + crossed_six(self.d, self.H_up.T)
        yield self.parent.f == self.p_f


class RevoluteLink(Link):
    """A link that turns about its axis."""

    q = tg.input("rad", "angle")
    qd = tg.input("rad/s", "angular velocity")
    tau = tg.input("N.m", "driving torque", default=0.0)
    qdd = tg.output("rad/s2", "angular acceleration")

    cosine = tg.variable("1", "of the angle")
    sine = tg.variable("1", "of the angle")
    turn = tg.variable("1", "orientation of the lump in the joint", shape=(3, 3))
    c_z = tg.variable("rad/s2", "angular acceleration by velocities", shape=3)
    z_1 = tg.variable("rad/s2", "angular acceleration without that of the joint", shape=3)
    U_n = tg.variable("kg.m2", "moment of a unit of acceleration", shape=3)
    U_f = tg.variable("kg.m", "force of a unit of acceleration", shape=3)
    D_inverse = tg.variable("1/(kg.m2)", "one by the inertia about the axis")
    u = tg.variable("rad/s2", "acceleration of the joint at no acceleration of the parent")

    def equations(self) -> Statements:
        yield self.cosine == tg.cos(self.q)
        yield self.sine == tg.sin(self.q)
        yield from rodrigues(self.turn, self.n, self.cosine, self.sine)
        yield self.A == self.A_a @ self.turn
        yield self.d == self.A_p @ self.s
        yield self.w == self.w_p + self.n_0 * self.qd
        yield self.v == self.v_p + self.w_d
        yield self.c_z == cross(self.w_p, self.n_0) * self.qd
        yield self.c_a == cross(self.w_p, self.w_d)
        yield self.U_n == full(self.J_t) @ self.n_0
        yield self.U_f == self.H_t.T @ self.n_0
        yield self.D_inverse == 1 / (self.n_0 @ self.U_n)
        yield self.u == (self.tau - self.n_0 @ self.b_n) * self.D_inverse
        yield self.J_a == self.J_t - square(self.U_n) * self.D_inverse
        yield self.H_a == self.H_t - outer(self.U_n, self.U_f) * self.D_inverse
        yield self.M_a == self.M_t - square(self.U_f) * self.D_inverse
        yield self.p_f == self.H_a.T @ self.c_z + full(self.M_a) @ self.c_a + self.b_f + self.U_f * self.u
        moment = full(self.J_a) @ self.c_z + self.H_a @ self.c_a + self.b_n + self.U_n * self.u
        yield self.parent.n == moment + cross(self.d, self.p_f)
        yield self.z_1 == self.parent.z + self.c_z
        yield self.qdd == self.u - (self.U_n @ self.z_1 + self.U_f @ self.a_1) * self.D_inverse
        yield self.own.z == self.z_1 + self.n_0 * self.qdd
        yield self.own.a == self.a_1


class PrismaticLink(Link):
    """A link that slides along its axis."""

    q = tg.input("m", "distance")
    qd = tg.input("m/s", "velocity")
    tau = tg.input("N", "driving force", default=0.0)
    qdd = tg.output("m/s2", "acceleration")

    U_n = tg.variable("kg.m", "moment of a unit of acceleration", shape=3)
    U_f = tg.variable("kg", "force of a unit of acceleration", shape=3)
    D_inverse = tg.variable("1/kg", "one by the inertia along the axis")
    u = tg.variable("m/s2", "acceleration of the joint at no acceleration of the parent")

    def equations(self) -> Statements:
        yield self.A == self.A_a
        yield self.d == self.A_p @ self.s + self.n_0 * self.q
        yield self.w == self.w_p
        yield self.v == self.v_p + self.w_d + self.n_0 * self.qd
        yield self.c_a == cross(self.w_p, self.w_d) + 2 * cross(self.w_p, self.n_0) * self.qd
        yield self.U_n == self.H_t @ self.n_0
        yield self.U_f == full(self.M_t) @ self.n_0
        yield self.D_inverse == 1 / (self.n_0 @ self.U_f)
        yield self.u == (self.tau - self.n_0 @ self.b_f) * self.D_inverse
        yield self.J_a == self.J_t - square(self.U_n) * self.D_inverse
        yield self.H_a == self.H_t - outer(self.U_n, self.U_f) * self.D_inverse
        yield self.M_a == self.M_t - square(self.U_f) * self.D_inverse
        yield self.p_f == full(self.M_a) @ self.c_a + self.b_f + self.U_f * self.u
        moment = self.H_a @ self.c_a + self.b_n + self.U_n * self.u
        yield self.parent.n == moment + cross(self.d, self.p_f)
        yield self.qdd == self.u - (self.U_n @ self.parent.z + self.U_f @ self.a_1) * self.D_inverse
        yield self.own.z == self.parent.z
        yield self.own.a == self.a_1 + self.n_0 * self.qdd


class WeldLink(Carried, Felt):
    """A link without freedom, for what wants to know the wrench that it transmits, in axes of the joint."""

    H_a = tg.variable("kg.m", "articulated inertia, moments by accelerations", shape=(3, 3))
    p_n = tg.variable("N.m", "moment of the link at no acceleration of the parent", shape=3)
    cut_f = tg.output("N", "force on the lump", shape=3)
    cut_t = tg.output("N.m", "torque on the lump", shape=3)

    def equations(self) -> Statements:
        yield self.A == self.A_a
        yield self.d == self.A_p @ self.s
        yield self.w == self.w_p
        yield self.v == self.v_p + self.w_d
        yield self.c_a == cross(self.w_p, self.w_d)
        yield self.own.z == self.parent.z
        yield self.own.a == self.a_1
        yield self.M_a == self.M_t
        yield self.H_a == self.H_t
        yield self.p_f == full(self.M_a) @ self.c_a + self.b_f
        yield self.p_n == self.H_a @ self.c_a + self.b_n
        yield self.parent.f == self.p_f
        yield self.parent.n == self.p_n + cross(self.d, self.p_f)
        yield self.M_up == self.M_a
        yield self.H_up == self.H_a + crossed(self.d, full(self.M_a))
        yield self.J_up == self.J_t - by_cross_six(self.H_a, self.d) + crossed_six(self.d, self.H_up.T)
        z = self.own.z
        a = self.own.a
        yield self.cut_f == self.A_a.T @ (self.H_t.T @ z + full(self.M_t) @ a + self.b_f)
        yield self.cut_t == self.A_a.T @ (full(self.J_t) @ z + self.H_t @ a + self.b_n)


def rodrigues(turn: Any, n: Any, cosine: Any, sine: Any) -> Statements:
    """The rotation about n: turn = E cos + n n' (1 - cos) + [n]x sin."""
    yield turn[DIAGONAL, DIAGONAL] == n[DIAGONAL] ** 2 * (1 - cosine) + cosine
    yield turn[DIAGONAL, NEXT] == n[DIAGONAL] * n[NEXT] * (1 - cosine) - n[AFTER] * sine
    yield turn[DIAGONAL, AFTER] == n[DIAGONAL] * n[AFTER] * (1 - cosine) + n[NEXT] * sine

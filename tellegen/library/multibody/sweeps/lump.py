"""A lump: rigid bodies that move together, on their way through the articulated-body sweeps.

A mechanism is computed as a tree of links (Featherstone 1983, in the axes of the world). A link is a joint and the lump
carried. Three sweeps give the accelerations of all joints in time proportional to the number of links:

    outward   A, r, v, w             orientation, position and velocity of the lump, from those of its parent
    inward    J, H, M and n, f       what the lump, with all that hangs on it, opposes to its acceleration
    outward   z, a                   accelerations, and with them those of the joints

All vectors are in the axes of the world. The reference point of a lump is the origin of the joint that carries it. Of
the lump alone, with mass m, first moment h = m c and inertia tensor J about the reference point, the laws of Newton and
Euler ask for the force f and the moment n about that point,

    f = m a + z x h + w x (w x h)
    n = J z + h x a + w x (J w)

which have the form that also holds for a lump with everything that hangs on it:

    n = J z + H a + b_n         H = [h]x of the lump alone
    f = H' z + M a + b_f        M = m E of the lump alone

Uniform gravity is an acceleration of the ground by -g: a is the acceleration less g.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library.multibody.sweeps.vectors import AFTER, COLUMN, NEXT, ROW, SIX_COLUMN, SIX_ROW, cross, full

Statements = Iterator[Any]
DIAGONAL = np.arange(3)


class Motion(tg.Connector):
    """The accelerations of a lump at its reference point, and the bias of the forces that act on what is connected."""

    z = tg.across("rad/s2", "angular acceleration", shape=3)
    a = tg.across("m/s2", "acceleration of the reference point less that of gravity", shape=3)
    n = tg.through("N.m", "moment about the reference point at no acceleration", shape=3)
    f = tg.through("N", "force at no acceleration", shape=3)


class Moving(tg.Component):
    """Something that knows where a lump is and how fast: what it reads of it, and where it acts on it."""

    parent = Motion()
    A_p = tg.input("1", "orientation of the parent: the columns are its axes", shape=(3, 3))
    r_p = tg.input("m", "position of its reference point", shape=3)
    w_p = tg.input("rad/s", "its angular velocity", shape=3)
    v_p = tg.input("m/s", "velocity of its reference point", shape=3)


class Lump(tg.Component):
    """Rigid bodies that move together; see the top of this file."""

    m = tg.parameter(0.0, "kg", "mass")
    h = tg.parameter([0.0] * 3, "kg.m", "first moment of mass about the reference point, in axes of the lump")
    J = tg.parameter([0.0] * 6, "kg.m2", "inertia about the reference point, in axes of the lump: xx yy zz xy xz yz")

    own = Motion()
    A = tg.output("1", "orientation: the columns are the axes of the lump", shape=(3, 3))
    r = tg.output("m", "position of the reference point", shape=3)
    w = tg.output("rad/s", "angular velocity", shape=3)
    v = tg.output("m/s", "velocity of the reference point", shape=3)
    J_below = tg.input("kg.m2", "articulated inertia of what hangs on the lump", default=[0.0] * 6, shape=6)
    H_below = tg.input("kg.m", "the same, moments by accelerations", default=np.zeros((3, 3)), shape=(3, 3))
    M_below = tg.input("kg", "the same, forces by accelerations", default=[0.0] * 6, shape=6)

    A_J = tg.variable("kg.m2", "A J", shape=(3, 3))
    J_0 = tg.variable("kg.m2", "inertia of the lump in axes of the world", shape=6)
    h_0 = tg.variable("kg.m", "first moment in axes of the world", shape=3)
    J_w = tg.variable("kg.m2/s", "angular momentum of the lump about its reference point", shape=3)
    w_h = tg.variable("kg.m/s", "w x h", shape=3)
    J_t = tg.variable("kg.m2", "articulated inertia", shape=6)
    H_t = tg.variable("kg.m", "articulated inertia, moments by accelerations", shape=(3, 3))
    M_t = tg.variable("kg", "articulated inertia, forces by accelerations", shape=6)
    b_n = tg.variable("N.m", "moment at no acceleration", shape=3)
    b_f = tg.variable("N", "force at no acceleration", shape=3)

    def equations(self) -> Statements:
        yield self.A_J == self.A @ full(self.J)
        columns = [self.A_J[SIX_ROW, k] * self.A[SIX_COLUMN, k] for k in range(3)]
        yield self.J_0 == columns[0] + columns[1] + columns[2]
        yield self.h_0 == self.A @ self.h
        yield self.J_w == full(self.J_0) @ self.w
        yield self.w_h == cross(self.w, self.h_0)
        yield self.J_t == self.J_0 + self.J_below
        yield self.H_t[DIAGONAL, DIAGONAL] == self.H_below[DIAGONAL, DIAGONAL]
        yield self.H_t[DIAGONAL, NEXT] == self.H_below[DIAGONAL, NEXT] - self.h_0[AFTER]
        yield self.H_t[DIAGONAL, AFTER] == self.H_below[DIAGONAL, AFTER] + self.h_0[NEXT]
        yield self.M_t[:3] == self.M_below[:3] + self.m
        yield self.M_t[3:] == self.M_below[3:]
        yield self.b_n == cross(self.w, self.J_w) - self.own.n
        yield self.b_f == cross(self.w, self.w_h) - self.own.f


class Placed(tg.Component):
    """A lump that has the directions of the world at all times."""

    own = Motion()
    A = tg.output("1", "orientation", shape=(3, 3))
    r = tg.output("m", "position", shape=3)
    w = tg.output("rad/s", "angular velocity", shape=3)
    v = tg.output("m/s", "velocity", shape=3)

    def equations(self) -> Statements:
        yield self.A[DIAGONAL, DIAGONAL] == 1.0
        others = ROW != COLUMN
        yield self.A[ROW[others], COLUMN[others]] == 0.0
        yield self.w == 0.0


class Ground(Placed):
    """The lump that does not move: the root of all trees. It accelerates by -g, which is what gravity feels like."""

    g = tg.parameter([0.0, -9.81, 0.0], "m/s2", "acceleration of gravity")

    def equations(self) -> Statements:
        yield self.r == 0.0
        yield self.v == 0.0
        yield self.own.z == 0.0
        yield self.own.a == -self.g


class Both(tg.Component):
    """The articulated inertia of two that hang on one lump."""

    J_a = tg.input("kg.m2", "of the first", shape=6)
    H_a = tg.input("kg.m", "of the first", shape=(3, 3))
    M_a = tg.input("kg", "of the first", shape=6)
    J_b = tg.input("kg.m2", "of the second", shape=6)
    H_b = tg.input("kg.m", "of the second", shape=(3, 3))
    M_b = tg.input("kg", "of the second", shape=6)
    J_up = tg.output("kg.m2", "of both", shape=6)
    H_up = tg.output("kg.m", "of both", shape=(3, 3))
    M_up = tg.output("kg", "of both", shape=6)

    def equations(self) -> Statements:
        yield self.J_up == self.J_a + self.J_b
        yield self.H_up == self.H_a + self.H_b
        yield self.M_up == self.M_a + self.M_b

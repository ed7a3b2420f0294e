"""How the constraints of a cut joint change with the joints of the tree: columns of the loop's Jacobian.

A joint of the tree between the ground and frame_b moves frame_b, one between the ground and frame_a moves lump a
(sign -1); with the axis n of a hinge at r, and the point p where the loop closes,

    gap: t.(n x (p - r)),  tilt: W.n        of a slide  gap: t.n,  tilt: 0
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.multibody.sweeps.lump import Statements
from tellegen.library.multibody.sweeps.vectors import AFTER, COLUMN, NEXT, ROW, cross, crossed


class Column(tg.Component):
    """What all columns need to know of the cut joint."""

    sign = tg.parameter(1.0, "1", "-1 on the side of frame_a")
    F_a = tg.input("1", "directions of the gaps, as rows", shape=(3, 3))
    W = tg.input("1", "directions of the tilts, as rows", shape=(3, 3), default=[[0.0] * 3] * 3)


class RevoluteColumn(Column):
    """The derivatives by the angle of a hinge."""

    p = tg.input("m", "where the loop closes", shape=3)
    r = tg.input("m", "where the hinge is", shape=3)
    n_0 = tg.input("1", "its axis", shape=3)
    by_gap = tg.variable("m", "derivatives of the gaps", shape=3)
    by_tilt = tg.variable("1", "derivatives of the tilts", shape=3)

    def equations(self) -> Statements:
        yield self.by_gap == self.sign * (self.F_a @ cross(self.n_0, self.p - self.r))
        yield self.by_tilt == self.sign * (self.W @ self.n_0)


class PrismaticColumn(Column):
    """The derivatives by the distance of a slide."""

    n_0 = tg.input("1", "its direction", shape=3)
    by_gap = tg.variable("1", "derivatives of the gaps", shape=3)

    def equations(self) -> Statements:
        yield self.by_gap == self.sign * (self.F_a @ self.n_0)


class BallColumn(Column):
    """The derivatives by the angular velocity (in axes of the lump) and by the quaternion of a ball joint.

    A change dQ = (dq, ds) turns by 2 (s dq - q x dq - q ds); P is a row of the derivatives by the rotation.
    """

    p = tg.input("m", "where the loop closes", shape=3)
    r = tg.input("m", "where the joint is", shape=3)
    A = tg.input("1", "axes of the lump, as columns", shape=(3, 3))
    Q = tg.input("1", "its quaternion", shape=4)
    by_gap_w = tg.variable("m", "derivatives of the gaps by the rotation", shape=(3, 3))
    by_tilt_w = tg.variable("1", "derivatives of the tilts by the rotation", shape=(3, 3))
    by_gap_Q = tg.variable("m", "derivatives of the gaps by the quaternion", shape=(3, 4))
    by_tilt_Q = tg.variable("1", "derivatives of the tilts by the quaternion", shape=(3, 4))

    def equations(self) -> Statements:
        yield self.by_gap_w == -self.sign * (self.F_a @ crossed(self.p - self.r, self.A))
        yield self.by_tilt_w == self.sign * (self.W @ self.A)
        yield from by_quaternion(self.by_gap_Q, self.by_gap_w, self.Q)
        yield from by_quaternion(self.by_tilt_Q, self.by_tilt_w, self.Q)


class FreeColumn(BallColumn):
    """The derivatives by the place of a lump that nothing holds, too."""

    A_a = tg.input("1", "axes of the joint, as columns", shape=(3, 3))
    by_gap_r = tg.variable("1", "derivatives of the gaps by the position", shape=(3, 3))

    def equations(self) -> Statements:
        yield self.by_gap_r == self.sign * (self.F_a @ self.A_a)


class PointColumn(Column):
    """The derivatives by the position of a mass without extension that nothing holds."""

    by_gap_r = tg.variable("1", "derivatives of the gaps by the position", shape=(3, 3))

    def equations(self) -> Statements:
        yield self.by_gap_r == self.sign * self.F_a


def by_quaternion(out: Any, P: Any, Q: Any) -> Statements:
    """Derivatives by a quaternion, given those by the rotation, in axes of the lump."""
    q = Q[:3]
    s = Q[3]
    around = P[ROW, NEXT[COLUMN]] * q[AFTER[COLUMN]] - P[ROW, AFTER[COLUMN]] * q[NEXT[COLUMN]]
    yield out[:, :3] == 2 * (s * P - around)
    yield out[:, 3] == -2 * (P @ q)

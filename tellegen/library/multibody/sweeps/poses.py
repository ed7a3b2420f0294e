"""Where frames are on their lumps, and what bodies weigh there: computed from parameters before a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library.multibody.sweeps.vectors import FULL, SIX_COLUMN, SIX_ROW, cross, six, turned_back

ZERO = [0.0, 0.0, 0.0]
UNIT = np.eye(3)
OTHER_PLACE = "two ways of rigid connections to this component lead to different places: lengths do not fit"
OTHER_DIRECTIONS = "two ways of rigid connections to this component lead to different directions of its frame"
_EQUAL = (SIX_ROW == SIX_COLUMN).astype(float)


class Arm(tg.Component):
    """From a frame at (s_a, C_a) to one at r in its axes; the rows of T are the axes of the new one there."""

    s_a = tg.parameter(ZERO, "m", "where the arm begins on the lump")
    C_a = tg.parameter(UNIT, "1", "orientation there: the columns are the axes")
    r = tg.parameter(ZERO, "m", "vector to the other end, in axes of the beginning")
    T = tg.parameter(UNIT, "1", "orientation of the other end: the rows are its axes")
    s = tg.parameter(s_a + C_a @ r, "m", "where the arm ends on the lump", shape=3)
    C = tg.parameter(C_a @ T.T, "1", "orientation there", shape=(3, 3))


class ArmBack(tg.Component):
    """The same from its end to its beginning."""

    s_a = tg.parameter(ZERO, "m", "where the arm ends on the lump")
    C_a = tg.parameter(UNIT, "1", "orientation there: the columns are the axes")
    r = tg.parameter(ZERO, "m", "vector from the beginning to the end, in axes of the beginning")
    T = tg.parameter(UNIT, "1", "orientation of the end: the rows are its axes")
    C = tg.parameter(C_a @ T, "1", "orientation of the beginning", shape=(3, 3))
    s = tg.parameter(s_a - C @ r, "m", "where the arm begins on the lump", shape=3)


class StartBack(tg.Component):
    """Where frame_a starts against frame_b, given where frame_b starts against frame_a.

    It serves joints that the tree passes from frame_b to frame_a. Q = (q, s) is a quaternion of length one.
    """

    Q_ab = tg.parameter([0.0, 0.0, 0.0, 1.0], "1", "orientation of frame_b in frame_a")
    w_rel_ab = tg.parameter(ZERO, "rad/s", "its angular velocity, in axes of frame_a")
    r_rel_ab = tg.parameter(ZERO, "m", "its position")
    v_rel_ab = tg.parameter(ZERO, "m/s", "its velocity")
    Q = tg.parameter([-1.0, -1.0, -1.0, 1.0] * Q_ab, "1", "orientation of frame_a in frame_b", shape=4)
    w_rel = tg.parameter(-turned_back(Q_ab, w_rel_ab), "rad/s", "its angular velocity, in axes of frame_b", shape=3)
    r_rel = tg.parameter(-turned_back(Q_ab, r_rel_ab), "m", "its position", shape=3)
    v_rel = tg.parameter(
        turned_back(Q_ab, cross(w_rel_ab, r_rel_ab) - v_rel_ab), "m/s", "its velocity in frame_b", shape=3
    )


class Meeting(tg.Component):
    """Two ways of rigid connections to one frame: they have to end at the same place, in the same directions.

    That is checked when the model is compiled; here again for the parameter values of each run,
    within the same 1e-5 m and about 1e-5 rad.
    """

    s_a = tg.parameter(ZERO, "m", "where the frame is on the lump, one way")
    C_a = tg.parameter(UNIT, "1", "its orientation there: the columns are the axes")
    s_b = tg.parameter(ZERO, "m", "where the frame is on the lump, the other way")
    C_b = tg.parameter(UNIT, "1", "its orientation there")
    apart = tg.parameter((s_a - s_b) @ (s_a - s_b), "m2", "square of the distance of the places")
    turned = tg.parameter(tg.sum((C_a - C_b) ** 2), "1", "squares of what the orientations differ by")

    def equations(self) -> Iterator[Any]:
        yield tg.assert_(self.apart <= 1e-10, OTHER_PLACE)  # noqa: PT009
        yield tg.assert_(self.turned <= 1e-9, OTHER_DIRECTIONS)  # noqa: PT009


class MassAt(tg.Component):
    """Mass, first moment and inertia of a body about the reference point of its lump (Steiner)."""

    s = tg.parameter(ZERO, "m", "where the body's frame is on the lump")
    C = tg.parameter(UNIT, "1", "its orientation there: the columns are the axes")
    m_body = tg.parameter(0.0, "kg", "mass")
    r_CM_body = tg.parameter(ZERO, "m", "centre of mass, in axes of the body")
    inertia_body = tg.parameter([0.0] * 6, "kg.m2", "inertia about the centre of mass, in axes of the body")
    c = tg.parameter(s + C @ r_CM_body, "m", "centre of mass on the lump", shape=3)
    turned = tg.parameter(C @ inertia_body[FULL] @ C.T, "kg.m2", "inertia about the centre of mass", shape=(3, 3))
    m = tg.parameter(m_body, "kg", "mass")
    h = tg.parameter(m_body * c, "kg.m", "first moment", shape=3)
    J = tg.parameter(
        six(turned) + m_body * ((c @ c) * _EQUAL - c[SIX_ROW] * c[SIX_COLUMN]), "kg.m2", "inertia", shape=6
    )


class Masses(tg.Component):
    """Two of them together."""

    m_a = tg.parameter(0.0, "kg", "mass of the first")
    h_a = tg.parameter(ZERO, "kg.m", "its first moment")
    J_a = tg.parameter([0.0] * 6, "kg.m2", "its inertia")
    m_b = tg.parameter(0.0, "kg", "mass of the second")
    h_b = tg.parameter(ZERO, "kg.m", "its first moment")
    J_b = tg.parameter([0.0] * 6, "kg.m2", "its inertia")
    m = tg.parameter(m_a + m_b, "kg", "mass of both")
    h = tg.parameter(h_a + h_b, "kg.m", "first moment of both", shape=3)
    J = tg.parameter(J_a + J_b, "kg.m2", "inertia of both", shape=6)

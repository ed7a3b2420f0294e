"""Joints that are constraints only: they hold two frames that other joints, or nothing, give their places.

    loop = multibody.SphericalConstraint()     between two bodies of a loop, instead of a Spherical

They have no coordinates and no flanges and are never part of the spanning tree, so a user may decide with them where a
loop is cut. `force` and `torque` act at frame_a on the constraint, in its axes, so on what is connected to frame_b.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.frontends.python.components.frames import (
    ARROW_OF_FRAME,
    BALL,
    LENGTH,
    PARTLY,
    PRISMATIC,
    REVOLUTE,
    ROLLING,
    UNIVERSAL,
    WELD,
    Look,
    arrow,
    joint,
    visual,
)
from tellegen.frontends.python.expressions.symbol import stack
from tellegen.library.multibody.interfaces import Statements, TwoFrames
from tellegen.library.multibody.sweeps.constraint_cuts import ACROSS, BESIDE, ConstraintCut
from tellegen.library.multibody.sweeps.cuts import around
from tellegen.library.multibody.sweeps.length_cut import LengthCut
from tellegen.library.multibody.sweeps.rolling_cut import RollingCut

AXES = np.eye(3)


class Constraint(TwoFrames):
    """Base of joints that are constraints only: which positions they lock, in axes of frame_a."""

    x_locked = tg.parameter(True, structural=True, description="frame_b stays at x = 0 of frame_a")
    y_locked = tg.parameter(True, structural=True, description="frame_b stays at y = 0 of frame_a")
    z_locked = tg.parameter(True, structural=True, description="frame_b stays at z = 0 of frame_a")
    along = tg.parameter(
        lambda self: AXES[self.locked()], "1", "locked directions", shape=(lambda self: len(self.locked()), 3)
    )
    force = tg.variable("N", "force at frame_a on the constraint", shape=3)
    torque = tg.variable("N.m", "torque at frame_a on the constraint", shape=3)

    def equations(self) -> Statements:
        yield arrow(self.frame_a, shape=ARROW_OF_FRAME, force=self.force)

    def locked(self) -> list[int]:
        """Which axes of frame_a are locked."""
        return [k for k, locked in enumerate((self.x_locked, self.y_locked, self.z_locked)) if locked]

    def constraint(self, motion: str, rotations: int, releasable: bool = False, **directions: Any) -> Any:
        """The statement about both frames."""
        cut = ConstraintCut(positions=len(self.locked()), rotations=rotations, releasable=releasable)
        felt = {"cut_f": self.force, "cut_t": self.torque}
        return joint(
            self.frame_a, self.frame_b, motion=motion, parts={"cut": cut}, along=self.along, **directions, **felt
        )


class SphericalConstraint(Constraint):
    """A ball joint as a constraint: r_b = r_a along the axes that are locked; the frames turn freely."""

    def equations(self) -> Statements:
        if not self.locked():
            what = "no position of a SphericalConstraint is locked, so it holds nothing"
            raise tg.DataError("E703", what, advice="lock one, for example z_locked=True, or remove the constraint")
        yield visual(self.frame_a, shape="socket")
        yield self.constraint(BALL if len(self.locked()) == 3 else PARTLY, 0)


class RevoluteConstraint(Constraint):
    """A hinge as a constraint: r_b = r_a along the axes that are locked, and n is the same in both frames."""

    n = tg.parameter([0.0, 0.0, 1.0], "1", "axis, the same in both frames; only the direction counts")
    e = tg.parameter(n / tg.sqrt(n @ n), "1", "the axis with length one", shape=3)
    sign = tg.parameter(tg.where(e[2] >= 0, 1.0, -1.0), "1", "of the last element of e")
    across = tg.parameter(
        stack([stack(row) for row in around(e, sign, -1 / (sign + e[2]))[:2]]), "1", "across n", shape=(2, 3)
    )
    beside = tg.parameter(stack([e, e]), "1", "along n", shape=(2, 3))

    def equations(self) -> Statements:
        yield visual(self.frame_a, shape="hinge", n=self.e)
        motion = REVOLUTE if len(self.locked()) == 3 else PARTLY
        yield self.constraint(motion, 2, across=self.across, beside=self.beside)


class UniversalConstraint(Constraint):
    """A universal joint as a constraint: r_b = r_a along the axes that are locked, n_a of frame_a stays across n_b."""

    n_a = tg.parameter([1.0, 0.0, 0.0], "1", "first axis, in frame_a; only the direction counts")
    n_b = tg.parameter([0.0, 1.0, 0.0], "1", "second axis, in frame_b; only the direction counts")
    across = tg.parameter(stack([n_a / tg.sqrt(n_a @ n_a)]), "1", "the first axis with length one", shape=(1, 3))
    beside = tg.parameter(stack([n_b / tg.sqrt(n_b @ n_b)]), "1", "the second axis with length one", shape=(1, 3))

    def equations(self) -> Statements:
        yield visual(self.frame_a, shape="socket")
        motion = UNIVERSAL if len(self.locked()) == 3 else PARTLY
        yield self.constraint(motion, 1, across=self.across, beside=self.beside)


class RollingWheel(TwoFrames):
    """A thin wheel that rolls on a plane without sliding: where it touches, v_b + w_b x d = v_plane.

    The plane goes through the origin of frame_a, frame_b is the centre of the wheel; mass and inertia belong to a body
    there. d leads to the lowest point of the wheel, of length radius. The plane holds the wheel, upwards and downwards.
    """

    radius = tg.parameter(0.1, "m", "radius of the wheel", min=0.0)
    n = tg.parameter([0.0, 1.0, 0.0], "1", "normal of the plane, out of the ground, in axes of frame_a")
    n_axis = tg.parameter([0.0, 0.0, 1.0], "1", "axis of the wheel, in axes of frame_b; only the direction counts")
    e_n = tg.parameter(n / tg.sqrt(n @ n), "1", "the normal with length one", shape=3)
    e = tg.parameter(n_axis / tg.sqrt(n_axis @ n_axis), "1", "the axis with length one", shape=3)
    animation = tg.parameter(True, structural=True, description="it is drawn in pictures and animations")
    color = tg.parameter("#2b3036", structural=True, description="a colour of CSS")
    width = tg.parameter(0.15 * radius, "m", "width as it is drawn: it rolls as a thin wheel", min=0.0)
    side = tg.parameter(-0.5 * width * e, "m", "from its centre to where it begins as it is drawn", shape=3)
    diameter = tg.parameter(2.0 * radius, "m", "diameter as it is drawn")
    force = tg.variable("N", "force on the wheel where it touches, in axes of frame_a", shape=3)
    f_n = tg.variable("N", "normal force on the wheel")

    def equations(self) -> Statements:
        words = {"R": self.radius, "n": self.e_n, "e": self.e, "cut_f": self.force}
        yield joint(self.frame_a, self.frame_b, motion=ROLLING, parts={"cut": RollingCut()}, **words)
        yield self.f_n == self.force @ self.e_n
        yield arrow(self.frame_a, self.frame_b, shape=ARROW_OF_FRAME, force=self.force)
        if self.animation:
            size = {"start": self.side, "along": self.e, "length": self.width, "diameter": self.diameter}
            yield visual(self.frame_b, look=Look("cylinder", self.color, marked=True), **size)


class PrismaticConstraint(Constraint):
    """A slide as a constraint: no rotation, R_b = R_a, and no motion along the axes that are locked.

    All of them are unless it is said otherwise: a slide along x is PrismaticConstraint(x_locked=False).
    """

    across = tg.parameter(ACROSS, "1", "directions of frame_a", shape=(3, 3))
    beside = tg.parameter(BESIDE, "1", "directions of frame_b", shape=(3, 3))

    def equations(self) -> Statements:
        motion = {3: WELD, 2: PRISMATIC}.get(len(self.locked()), PARTLY)
        yield self.constraint(motion, 3, across=self.across, beside=self.beside)


class Latch(Constraint):
    """A weld that an event releases: R_b = R_a and r_b = r_a until `release` rises above 1/2, nothing afterwards.

    A joint is released by a latch in series with it. What was released stays so: frames that are apart cannot be
    welded again without an impact.
    """

    release = tg.input("1", "releases the frames for good when it rises above 1/2")
    released = tg.boolean("the frames are free of each other", start=False)
    held = tg.variable("1", "1 until they are, 0 afterwards")
    across = tg.parameter(ACROSS, "1", "directions of frame_a", shape=(3, 3))
    beside = tg.parameter(BESIDE, "1", "directions of frame_b", shape=(3, 3))

    def equations(self) -> Statements:
        yield tg.when(self.release > 0.5, self.released == True)  # noqa: E712
        yield self.held == tg.where(self.released, 0.0, 1.0)
        directions = {"across": self.across, "beside": self.beside, "held": self.held}
        yield self.constraint(WELD if len(self.locked()) == 3 else PARTLY, 3, releasable=True, **directions)


class Rod(TwoFrames):
    """A rod without mass between two ball joints: |r_b - r_a| = rod_length."""

    rod_length = tg.parameter(1.0, "m", "distance of the frames", min=0.0)
    f_rod = tg.variable("N", "force in the rod, positive when it is pressed")

    def equations(self) -> Statements:
        words = {"L": self.rod_length, "cut_f": self.f_rod}
        yield joint(self.frame_a, self.frame_b, motion=LENGTH, parts={"cut": LengthCut()}, **words)
        yield visual(self.frame_a, self.frame_b, shape="line")

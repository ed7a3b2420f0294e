"""Joints: how two frames may move against each other. Each axis may be a flange of one-dimensional mechanics.

joint = multibody.Revolute(use_flange=True)       connect a motor to joint.axis
"""

from __future__ import annotations

import tellegen as tg
from tellegen.frontends.python.components.frames import BALL, FREE, PRISMATIC, REVOLUTE, joint, visual
from tellegen.library import rotational, translational
from tellegen.library.multibody.interfaces import Statements, TwoFrames
from tellegen.library.multibody.sweeps.columns import BallColumn, FreeColumn, PrismaticColumn, RevoluteColumn
from tellegen.library.multibody.sweeps.cuts import BallCut, PrismaticCut, RevoluteCut
from tellegen.library.multibody.sweeps.links import PrismaticLink, RevoluteLink
from tellegen.library.multibody.sweeps.loose_links import BallLink, FreeLink
from tellegen.library.multibody.sweeps.vectors import quaternion_of_angles


class Revolute(TwoFrames):
    """A hinge: r_b = r_a, and frame_b is turned by phi about n. The torque tau drives it."""

    use_flange = tg.parameter(False, structural=True, description="axis drives the joint, support takes the reaction")
    animation = tg.parameter(True, structural=True, description="it is drawn in pictures and animations")
    axis = rotational.Flange("turns with the joint, by phi").only_if(use_flange)
    support = rotational.Flange("stands still").only_if(use_flange)
    n = tg.parameter([0.0, 0.0, 1.0], "1", "axis, the same in both frames; only the direction counts")
    e = tg.parameter(n / tg.sqrt(n @ n), "1", "the axis with length one", shape=3)
    phi = tg.variable("rad", "angle of frame_b against frame_a", start=0.0, state="prefer")
    w = tg.variable("rad/s", "angular velocity of the joint", start=0.0, state="prefer")
    a = tg.variable("rad/s2", "angular acceleration of the joint")
    tau = tg.variable("N.m", "driving torque")

    def equations(self) -> Statements:
        parts = {
            "link": RevoluteLink(),
            "straight": RevoluteLink(rotated=False),
            "cut": RevoluteCut(),
            "column": RevoluteColumn(),
        }
        words = {"motion": REVOLUTE, "q": self.phi, "qd": self.w, "qdd": self.a, "tau": self.tau, "n": self.e}
        yield joint(self.frame_a, self.frame_b, parts=parts, **words)
        if self.animation:
            yield visual(self.frame_a, shape="hinge", n=self.e)
        yield self.w == tg.der(self.phi)
        yield self.a == tg.der(self.w)
        if self.use_flange:
            yield self.axis.phi == self.phi
            yield self.axis.tau == self.tau
            yield self.support.phi == 0
        else:
            yield self.tau == 0


class Prismatic(TwoFrames):
    """A slide: r_b = r_a + s n, and frame_b has the directions of frame_a. The force f drives it."""

    use_flange = tg.parameter(False, structural=True, description="axis drives the joint, support takes the reaction")
    animation = tg.parameter(True, structural=True, description="it is drawn in pictures and animations")
    axis = translational.Flange("moves with the joint, by s").only_if(use_flange)
    support = translational.Flange("stands still").only_if(use_flange)
    n = tg.parameter([1.0, 0.0, 0.0], "1", "direction, the same in both frames; only the direction counts")
    e = tg.parameter(n / tg.sqrt(n @ n), "1", "the direction with length one", shape=3)
    s = tg.variable("m", "distance of frame_b from frame_a along n", start=0.0, state="prefer")
    v = tg.variable("m/s", "velocity of the joint", start=0.0, state="prefer")
    a = tg.variable("m/s2", "acceleration of the joint")
    f = tg.variable("N", "driving force")

    def equations(self) -> Statements:
        parts = {
            "link": PrismaticLink(),
            "straight": PrismaticLink(rotated=False),
            "cut": PrismaticCut(),
            "column": PrismaticColumn(),
        }
        words = {"motion": PRISMATIC, "q": self.s, "qd": self.v, "qdd": self.a, "tau": self.f, "n": self.e}
        yield joint(self.frame_a, self.frame_b, parts=parts, **words)
        if self.animation:
            yield visual(self.frame_a, shape="slide", n=self.e)
        yield self.v == tg.der(self.s)
        yield self.a == tg.der(self.v)
        if self.use_flange:
            yield self.axis.s == self.s
            yield self.axis.f == self.f
            yield self.support.s == 0
        else:
            yield self.f == 0


class Started(TwoFrames):
    """Base of joints whose frames may be turned against each other in any way: where they start."""

    angles_start = tg.parameter([0.0, 0.0, 0.0], "rad", "rotations of frame_b about x, then its y, then its z axis")
    w_rel_a_start = tg.parameter([0.0, 0.0, 0.0], "rad/s", "angular velocity of frame_b, in axes of frame_a")
    Q_start = tg.parameter(quaternion_of_angles(angles_start), "1", "the same as a quaternion", shape=4)
    Q_unit = tg.parameter(
        Q_start / tg.sqrt(Q_start @ Q_start), "1", "the same with length one; a quaternion of zeros has none", shape=4
    )


class Spherical(Started):
    """A ball joint: r_b = r_a, and the frames are turned against each other in any way."""

    animation = tg.parameter(True, structural=True, description="it is drawn in pictures and animations")

    def equations(self) -> Statements:
        if self.animation:
            yield visual(self.frame_a, shape="socket")
        parts = {
            "link": BallLink(),
            "straight": BallLink(rotated=False),
            "cut": BallCut(),
            "column": BallColumn(),
        }
        starts = {"start_Q": self.Q_start, "start_w_rel": self.w_rel_a_start}
        yield joint(self.frame_a, self.frame_b, motion=BALL, parts=parts, **starts)


class FreeMotion(Started):
    """No joint at all: frame_b moves freely, f = 0 and t = 0. It says against which frame, and where it starts."""

    r_rel_a_start = tg.parameter([0.0, 0.0, 0.0], "m", "position of frame_b, in axes of frame_a")
    v_rel_a_start = tg.parameter([0.0, 0.0, 0.0], "m/s", "velocity of frame_b, in axes of frame_a")

    def equations(self) -> Statements:
        parts = {"link": FreeLink(), "straight": FreeLink(rotated=False), "column": FreeColumn()}
        yield joint(
            self.frame_a,
            self.frame_b,
            motion=FREE,
            parts=parts,
            start_r_rel=self.r_rel_a_start,
            start_v_rel=self.v_rel_a_start,
            start_Q=self.Q_start,
            start_w_rel=self.w_rel_a_start,
        )

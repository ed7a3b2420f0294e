"""Joints: what two frames may do against each other. Each axis may be a flange of one-dimensional mechanics.

    joint = planar.Revolute(use_flange=True)       connect a motor to joint.flange_a

The flange turns (or moves) as the joint does. A torque tau on the flange turns frame_b forward and, as its reaction,
frame_a backward; so `support`, where the housing of a motor may be connected, stands still and takes any torque: the
reaction is in frame_a already. The signs follow from the power that goes into the joint, which stores nothing:

    t_a w_a + t_b w_b + tau w = 0    with    t_a + t_b = 0  and  w = w_b - w_a:    tau = t_a = -t_b
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library import rotational, translational
from tellegen.library.planar.interfaces import Statements, TwoFrames, moment, turned


class Revolute(TwoFrames):
    """A hinge: both frames in one point, frame_b turned by phi. The torque tau drives it: t_a = tau, t_b = -tau."""

    use_flange = tg.parameter(False, structural=True, description="flange_a drives the joint")
    flange_a = rotational.Flange("turns with the joint, by phi").only_if(use_flange)
    support = rotational.Flange("stands still").only_if(use_flange)
    phi = tg.variable("rad", "angle of frame_b less that of frame_a", start=0.0, state="prefer")
    w = tg.variable("rad/s", "angular velocity of the joint", start=0.0, state="prefer")
    z = tg.variable("rad/s2", "angular acceleration of the joint")
    tau = tg.variable("N.m", "driving torque")

    def equations(self) -> Statements:
        yield self.frame_b.x == self.frame_a.x
        yield self.frame_b.y == self.frame_a.y
        yield self.frame_b.phi == self.frame_a.phi + self.phi
        yield self.w == tg.der(self.phi)
        yield self.z == tg.der(self.w)
        yield self.frame_a.t == self.tau
        yield self.frame_b.t == -self.tau
        if self.use_flange:
            yield self.flange_a.phi == self.phi
            yield self.flange_a.tau == self.tau
            yield self.support.phi == 0
        else:
            yield self.tau == 0


class Prismatic(TwoFrames):
    """A slide: frame_b moves by s along e, a direction of frame_a, and is turned as frame_a is. f drives it.

    With the direction e in the world, and moments about frame_a:

        r_b = r_a + s e,    f_b e = -f,    t_a + t_b + s e x f_b = 0
    """

    use_flange = tg.parameter(False, structural=True, description="flange_a drives the joint")
    flange_a = translational.Flange("moves with the joint, by s").only_if(use_flange)
    support = translational.Flange("stands still").only_if(use_flange)
    r = tg.parameter([1.0, 0.0], "1", "direction of the motion in frame_a; only the direction counts")
    e = tg.parameter(r / tg.sqrt(r @ r), "1", "the same with length one", shape=2)
    s = tg.variable("m", "distance of frame_b from frame_a along e", start=0.0, state="prefer")
    v = tg.variable("m/s", "velocity along e", start=0.0, state="prefer")
    a = tg.variable("m/s2", "acceleration along e")
    f = tg.variable("N", "driving force")

    def equations(self) -> Statements:
        along = turned(self.e, self.frame_a.phi)
        yield self.frame_b.x == self.frame_a.x + self.s * along[0]
        yield self.frame_b.y == self.frame_a.y + self.s * along[1]
        yield self.frame_b.phi == self.frame_a.phi
        yield self.v == tg.der(self.s)
        yield self.a == tg.der(self.v)
        yield self.f == -(along[0] * self.frame_b.fx + along[1] * self.frame_b.fy)
        yield self.frame_a.t + self.frame_b.t + self.s * moment(along, self.frame_b) == 0
        if self.use_flange:
            yield self.flange_a.s == self.s
            yield self.flange_a.f == self.f
            yield self.support.s == 0
        else:
            yield self.f == 0

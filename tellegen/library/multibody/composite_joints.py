"""Joints of several freedoms, made of simple ones in series.

    hook = multibody.Universal(phi_a=tg.variable(start=0.3, fixed=True))

Coordinates of the simple joints are also those of the composite one, so start values are given there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import rotational, translational
from tellegen.library.multibody.constraints import Rod, RollingWheel
from tellegen.library.multibody.interfaces import Frame, Statements, TwoFrames
from tellegen.library.multibody.joints import Prismatic, Revolute, Spherical
from tellegen.library.multibody.line_forces import MassBetween
from tellegen.library.multibody.parts import BodyShape, FixedTranslation
from tellegen.library.multibody.rotations import UNIT, checked_sequence
from tellegen.library.multibody.sweeps.vectors import cross

Connections = Iterator[tuple[Any, ...]]
DRIVEN = "flanges drive the joint, supports take the reaction"
TURN = 2.0 * np.pi
AHEAD, UP, ASIDE = UNIT


def unit_axis(sequence: Sequence[int], number: int) -> Any:
    """The axis of one of the joints of a sequence: [0, 1, 0] for 2."""
    return UNIT[checked_sequence(sequence)[number] - 1]


class Cylindrical(TwoFrames):
    """A shaft in a long bush: frame_b moves by s along n and turns by phi about n."""

    animation = tg.parameter(True, structural=True, description="it is drawn in pictures and animations")
    use_flange = tg.parameter(False, structural=True, description=DRIVEN)
    axis_s = translational.Flange("moves by s").only_if(use_flange)
    support_s = translational.Flange("stands still").only_if(use_flange)
    axis_phi = rotational.Flange("turns by phi").only_if(use_flange)
    support_phi = rotational.Flange("stands still").only_if(use_flange)
    n = tg.parameter([1.0, 0.0, 0.0], "1", "axis, the same in both frames; only the direction counts")
    s = tg.variable("m", "distance of frame_b from frame_a along n")
    v = tg.variable("m/s", "velocity along n")
    phi = tg.variable("rad", "angle of frame_b against frame_a")
    w = tg.variable("rad/s", "angular velocity about n")
    prismatic = Prismatic(n=n, use_flange=use_flange, animation=animation)
    revolute = Revolute(n=n, use_flange=use_flange, animation=animation)

    def equations(self) -> Statements:
        yield self.s == self.prismatic.s
        yield self.v == self.prismatic.v
        yield self.phi == self.revolute.phi
        yield self.w == self.revolute.w

    def connections(self) -> Connections:
        yield self.frame_a, self.prismatic.frame_a
        yield self.prismatic.frame_b, self.revolute.frame_a
        yield self.revolute.frame_b, self.frame_b
        if self.use_flange:
            yield self.axis_s, self.prismatic.axis
            yield self.support_s, self.prismatic.support
            yield self.axis_phi, self.revolute.axis
            yield self.support_phi, self.revolute.support


class Universal(TwoFrames):
    """A universal (Cardan) joint: frame_b is turned by phi_a about n_a of frame_a and then by phi_b about n_b."""

    animation = tg.parameter(True, structural=True, description="it is drawn in pictures and animations")
    use_flange = tg.parameter(False, structural=True, description=DRIVEN)
    axis_a = rotational.Flange("turns by phi_a").only_if(use_flange)
    support_a = rotational.Flange("stands still").only_if(use_flange)
    axis_b = rotational.Flange("turns by phi_b").only_if(use_flange)
    support_b = rotational.Flange("stands still").only_if(use_flange)
    n_a = tg.parameter([1.0, 0.0, 0.0], "1", "first axis, in frame_a")
    n_b = tg.parameter([0.0, 1.0, 0.0], "1", "second axis, in frame_b")
    phi_a = tg.variable("rad", "angle about n_a")
    w_a = tg.variable("rad/s", "angular velocity about n_a")
    phi_b = tg.variable("rad", "angle about n_b")
    w_b = tg.variable("rad/s", "angular velocity about n_b")
    revolute_a = Revolute(n=n_a, use_flange=use_flange, animation=animation)
    revolute_b = Revolute(n=n_b, use_flange=use_flange, animation=animation)

    def equations(self) -> Statements:
        yield self.phi_a == self.revolute_a.phi
        yield self.w_a == self.revolute_a.w
        yield self.phi_b == self.revolute_b.phi
        yield self.w_b == self.revolute_b.w

    def connections(self) -> Connections:
        yield self.frame_a, self.revolute_a.frame_a
        yield self.revolute_a.frame_b, self.revolute_b.frame_a
        yield self.revolute_b.frame_b, self.frame_b
        if self.use_flange:
            yield self.axis_a, self.revolute_a.axis
            yield self.support_a, self.revolute_a.support
            yield self.axis_b, self.revolute_b.axis
            yield self.support_b, self.revolute_b.support


class Gimbal(TwoFrames):
    """Three revolute joints whose axes meet: frame_b is turned by angles[k] about one axis after the other.

    Where the second angle makes the first axis parallel to the third, a gimbal locks and so does this joint: a ball
    without gimbal is Spherical.
    """

    animation = tg.parameter(True, structural=True, description="it is drawn in pictures and animations")
    sequence = tg.parameter([1, 2, 3], structural=True, description="axes of the three joints, each in its own frame")
    angles = tg.variable("rad", "angles of the three joints", shape=3)
    w = tg.variable("rad/s", "angular velocities of the three joints", shape=3)
    n_1 = tg.parameter(lambda self: unit_axis(self.sequence, 0), "1", "axis of the first joint", shape=3)
    n_2 = tg.parameter(lambda self: unit_axis(self.sequence, 1), "1", "axis of the second joint", shape=3)
    n_3 = tg.parameter(lambda self: unit_axis(self.sequence, 2), "1", "axis of the third joint", shape=3)
    use_flange = tg.parameter(False, structural=True, description=DRIVEN)
    axis_1 = rotational.Flange("turns by the first angle").only_if(use_flange)
    support_1 = rotational.Flange("stands still").only_if(use_flange)
    axis_2 = rotational.Flange("turns by the second angle").only_if(use_flange)
    support_2 = rotational.Flange("stands still").only_if(use_flange)
    axis_3 = rotational.Flange("turns by the third angle").only_if(use_flange)
    support_3 = rotational.Flange("stands still").only_if(use_flange)
    first = Revolute(n=n_1, use_flange=use_flange, animation=animation)
    second = Revolute(n=n_2, use_flange=use_flange, animation=animation)
    third = Revolute(n=n_3, use_flange=use_flange, animation=animation)

    def equations(self) -> Statements:
        for k, joint in enumerate((self.first, self.second, self.third)):
            yield self.angles[k] == joint.phi
            yield self.w[k] == joint.w

    def connections(self) -> Connections:
        yield self.frame_a, self.first.frame_a
        yield self.first.frame_b, self.second.frame_a
        yield self.second.frame_b, self.third.frame_a
        yield self.third.frame_b, self.frame_b
        if self.use_flange:
            for k, joint in enumerate((self.first, self.second, self.third), start=1):
                yield getattr(self, f"axis_{k}"), joint.axis
                yield getattr(self, f"support_{k}"), joint.support


class Planar(TwoFrames):
    """A plate on a table: frame_b moves by s_x and s_y in the plane across n, and turns by phi about n."""

    animation = tg.parameter(True, structural=True, description="it is drawn in pictures and animations")
    n = tg.parameter([0.0, 0.0, 1.0], "1", "across the plane, in frame_a")
    n_x = tg.parameter([1.0, 0.0, 0.0], "1", "on the side of the x axis of the plane, in frame_a")
    s_x = tg.variable("m", "distance along the x axis of the plane")
    v_x = tg.variable("m/s", "velocity along the x axis of the plane")
    s_y = tg.variable("m", "distance along the y axis of the plane")
    v_y = tg.variable("m/s", "velocity along the y axis of the plane")
    phi = tg.variable("rad", "angle about n")
    w = tg.variable("rad/s", "angular velocity about n")
    use_flange = tg.parameter(False, structural=True, description=DRIVEN)
    axis_x = translational.Flange("moves by s_x").only_if(use_flange)
    support_x = translational.Flange("stands still").only_if(use_flange)
    axis_y = translational.Flange("moves by s_y").only_if(use_flange)
    support_y = translational.Flange("stands still").only_if(use_flange)
    axis_phi = rotational.Flange("turns by phi").only_if(use_flange)
    support_phi = rotational.Flange("stands still").only_if(use_flange)
    prismatic_x = Prismatic(n=cross(cross(n, n_x), n), use_flange=use_flange, animation=animation)
    prismatic_y = Prismatic(n=cross(n, n_x), use_flange=use_flange, animation=animation)
    revolute = Revolute(n=n, use_flange=use_flange, animation=animation)

    def equations(self) -> Statements:
        yield self.s_x == self.prismatic_x.s
        yield self.v_x == self.prismatic_x.v
        yield self.s_y == self.prismatic_y.s
        yield self.v_y == self.prismatic_y.v
        yield self.phi == self.revolute.phi
        yield self.w == self.revolute.w

    def connections(self) -> Connections:
        yield self.frame_a, self.prismatic_x.frame_a
        yield self.prismatic_x.frame_b, self.prismatic_y.frame_a
        yield self.prismatic_y.frame_b, self.revolute.frame_a
        yield self.revolute.frame_b, self.frame_b
        if self.use_flange:
            yield self.axis_x, self.prismatic_x.axis
            yield self.support_x, self.prismatic_x.support
            yield self.axis_y, self.prismatic_y.axis
            yield self.support_y, self.prismatic_y.support
            yield self.axis_phi, self.revolute.axis
            yield self.support_phi, self.revolute.support


class GearConstraint(TwoFrames):
    """An ideal gear between two shafts: phi_a = ratio phi_b, each turned against `bearing` about its own axis.

    The shafts are held in the bearing, which feels their reaction: the torques of a gear have a sum.
    """

    bearing = Frame("carries both shafts")
    ratio = tg.parameter(1.0, "1", "phi_a/phi_b")
    n_a = tg.parameter([1.0, 0.0, 0.0], "1", "axis of the shaft at frame_a, in axes of the bearing")
    n_b = tg.parameter([1.0, 0.0, 0.0], "1", "axis of the shaft at frame_b, in axes of the bearing")
    r_a = tg.parameter([0.0, 0.0, 0.0], "m", "from the bearing to frame_a, in axes of the bearing")
    r_b = tg.parameter([0.0, 0.0, 0.0], "m", "from the bearing to frame_b, in axes of the bearing")
    phi_a = tg.variable("rad", "angle of frame_a against the bearing")
    w_a = tg.variable("rad/s", "angular velocity of frame_a against the bearing")
    phi_b = tg.variable("rad", "angle of frame_b against the bearing")
    w_b = tg.variable("rad/s", "angular velocity of frame_b against the bearing")
    arm_a = FixedTranslation(r=r_a)
    arm_b = FixedTranslation(r=r_b)
    shaft_a = Revolute(n=n_a, use_flange=True)
    shaft_b = Revolute(n=n_b, use_flange=True)
    gear = rotational.IdealGear(ratio=ratio)

    def equations(self) -> Statements:
        yield self.phi_a == self.shaft_a.phi
        yield self.w_a == self.shaft_a.w
        yield self.phi_b == self.shaft_b.phi
        yield self.w_b == self.shaft_b.w

    def connections(self) -> Connections:
        yield self.bearing, self.arm_a.frame_a, self.arm_b.frame_a
        yield self.arm_a.frame_b, self.shaft_a.frame_a
        yield self.arm_b.frame_b, self.shaft_b.frame_a
        yield self.shaft_a.frame_b, self.frame_a
        yield self.shaft_b.frame_b, self.frame_b
        yield self.shaft_a.axis, self.gear.flange_a
        yield self.shaft_b.axis, self.gear.flange_b


class RollingWheelSet(tg.Component):
    """Two wheels on an axle that stays level: they roll on a plane and turn independently of each other.

    The plane goes through the origin of frame_a, with the normal y and the directions x and z. frame_b is the middle of
    the axle, whose x axis points ahead and whose z axis is that of the wheels; frame_1 and frame_2 turn with the wheels
    at z = track/2 and z = -track/2 of it. Where they touch, v = 0. What keeps the axle level also carries its load.
    """

    frame_a = Frame("the plane")
    frame_b = Frame("middle of the axle")
    frame_1 = Frame("first wheel, at z = track/2 of frame_b")
    frame_2 = Frame("second wheel, at z = -track/2 of frame_b")
    radius = tg.parameter(0.1, "m", "radius of the wheels", min=0.0)
    track = tg.parameter(1.0, "m", "distance of the wheels", min=0.0)
    x = tg.variable("m", "place of the axle along x of frame_a")
    y = tg.variable("m", "place of the axle along -z of frame_a")
    phi = tg.variable("rad", "direction of the axle, about y")
    theta_1 = tg.variable("rad", "angle of the first wheel about z of the axle")
    theta_2 = tg.variable("rad", "angle of the second wheel about z of the axle")
    w_1 = tg.variable("rad/s", "angular velocity of the first wheel")
    w_2 = tg.variable("rad/s", "angular velocity of the second wheel")
    lift = FixedTranslation(r=radius * UP)
    guide = Planar(n=UP, n_x=AHEAD)
    to_1 = FixedTranslation(r=0.5 * track * ASIDE)
    to_2 = FixedTranslation(r=-0.5 * track * ASIDE)
    hub_1 = Revolute(n=ASIDE)
    hub_2 = Revolute(n=ASIDE)
    wheel_1 = RollingWheel(radius=radius, n=UP, n_axis=ASIDE)
    wheel_2 = RollingWheel(radius=radius, n=UP, n_axis=ASIDE)

    def equations(self) -> Statements:
        yield self.x == self.guide.s_x
        yield self.y == self.guide.s_y
        yield self.phi == self.guide.phi
        yield self.theta_1 == self.hub_1.phi
        yield self.theta_2 == self.hub_2.phi
        yield self.w_1 == self.hub_1.w
        yield self.w_2 == self.hub_2.w

    def connections(self) -> Connections:
        yield self.frame_a, self.lift.frame_a, self.wheel_1.frame_a, self.wheel_2.frame_a
        yield self.lift.frame_b, self.guide.frame_a
        yield self.guide.frame_b, self.frame_b, self.to_1.frame_a, self.to_2.frame_a
        yield self.to_1.frame_b, self.hub_1.frame_a
        yield self.to_2.frame_b, self.hub_2.frame_a
        yield self.hub_1.frame_b, self.frame_1, self.wheel_1.frame_b
        yield self.hub_2.frame_b, self.frame_2, self.wheel_2.frame_b


class Screw(TwoFrames):
    """A thread: frame_b turns by phi about n and moves by s = pitch phi/(2 pi) along n."""

    animation = tg.parameter(True, structural=True, description="it is drawn in pictures and animations")
    n = tg.parameter([1.0, 0.0, 0.0], "1", "axis, the same in both frames; only the direction counts")
    pitch = tg.parameter(0.001, "m", "way along n in one turn; negative for a left-hand thread")
    phi = tg.variable("rad", "angle of frame_b against frame_a")
    w = tg.variable("rad/s", "angular velocity about n")
    s = tg.variable("m", "distance of frame_b from frame_a along n")
    use_flange = tg.parameter(False, structural=True, description="axis drives the nut, support takes the reaction")
    axis = rotational.Flange("turns by phi").only_if(use_flange)
    support = rotational.Flange("stands still").only_if(use_flange)
    cylindrical = Cylindrical(n=n, use_flange=True, animation=animation)
    thread = rotational.IdealGearR2T(ratio=TURN / pitch)

    def equations(self) -> Statements:
        yield self.phi == self.cylindrical.phi
        yield self.w == self.cylindrical.w
        yield self.s == self.cylindrical.s

    def connections(self) -> Connections:
        yield self.frame_a, self.cylindrical.frame_a
        yield self.cylindrical.frame_b, self.frame_b
        yield self.cylindrical.axis_phi, self.thread.flange_r
        yield self.cylindrical.axis_s, self.thread.flange_t
        if self.use_flange:
            yield self.axis, self.cylindrical.axis_phi
            yield self.support, self.cylindrical.support_phi


class SphericalSpherical(TwoFrames):
    """A rod between two ball joints: one constraint, |r_b - r_a| = rod_length, and no coordinate.

    With m > 0 it has a point mass in its middle. Rods whose inertia about their middle counts are bodies between a
    Universal and a Spherical, as in UniversalSpherical.
    """

    rod_length = tg.parameter(1.0, "m", "distance of the frames", min=0.0)
    m = tg.parameter(0.0, structural=True, description="mass of the rod in kg, in its middle")
    f_rod = tg.variable("N", "force in the rod, positive when it is pressed")
    rod = Rod(rod_length=rod_length)

    def build(self) -> None:
        """Without mass nothing depends on accelerations."""
        if self.m > 0:
            self.mass = MassBetween(m=self.m)

    def equations(self) -> Statements:
        yield self.f_rod == self.rod.f_rod

    def connections(self) -> Connections:
        yield self.frame_a, self.rod.frame_a
        yield self.frame_b, self.rod.frame_b
        if self.m > 0:
            yield self.frame_a, self.mass.frame_a
            yield self.frame_b, self.mass.frame_b


class UniversalSpherical(TwoFrames):
    """A rod with a universal joint at frame_a and a ball joint at frame_b; frame_ia is fixed on it, at frame_a.

    The first axis of the universal joint is n1_a, the second one at right angles to it and to the rod. It is a round
    bar of mass m; bodies fixed at frame_ia add to it. A rod without any mass is a SphericalSpherical.
    """

    frame_ia = Frame("on the rod, at frame_a")
    n1_a = tg.parameter([0.0, 0.0, 1.0], "1", "first axis, in frame_a")
    r_rod_ia = tg.parameter([1.0, 0.0, 0.0], "m", "from frame_a to frame_b, in axes of the rod")
    m = tg.parameter(1.0, "kg", "mass of the rod", min=0.0)
    length = tg.parameter(tg.sqrt(r_rod_ia @ r_rod_ia), "m", "length of the rod")
    rod_width = tg.parameter(0.02 * length, "m", "diameter of the rod", min=0.0)
    e_rod = tg.parameter(r_rod_ia / length, "1", "direction of the rod", shape=3)
    J_across = tg.parameter(m * (length**2 / 12.0 + rod_width**2 / 16.0), "kg.m2", "inertia across the rod")
    J_less = tg.parameter(m * rod_width**2 / 8.0 - J_across, "kg.m2", "what that along it is more, negative")
    universal = Universal(n_a=n1_a, n_b=cross(n1_a, e_rod))
    rod = BodyShape(
        r=r_rod_ia,
        r_CM=0.5 * r_rod_ia,
        m=m,
        I_11=J_across + J_less * e_rod[0] ** 2,
        I_22=J_across + J_less * e_rod[1] ** 2,
        I_33=J_across + J_less * e_rod[2] ** 2,
        I_21=J_less * e_rod[0] * e_rod[1],
        I_31=J_less * e_rod[0] * e_rod[2],
        I_32=J_less * e_rod[1] * e_rod[2],
    )
    ball = Spherical()

    def connections(self) -> Connections:
        yield self.frame_a, self.universal.frame_a
        yield self.universal.frame_b, self.rod.frame_a, self.frame_ia
        yield self.rod.frame_b, self.ball.frame_a
        yield self.ball.frame_b, self.frame_b

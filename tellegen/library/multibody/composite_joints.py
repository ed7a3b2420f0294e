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
from tellegen.library.multibody.interfaces import Statements, TwoFrames
from tellegen.library.multibody.joints import Prismatic, Revolute
from tellegen.library.multibody.rotations import UNIT, checked_sequence
from tellegen.library.multibody.sweeps.vectors import cross

Connections = Iterator[tuple[Any, ...]]
DRIVEN = "flanges drive the joint, supports take the reaction"
TURN = 2.0 * np.pi


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
    first = Revolute(n=n_1, animation=animation)
    second = Revolute(n=n_2, animation=animation)
    third = Revolute(n=n_3, animation=animation)

    def equations(self) -> Statements:
        for k, joint in enumerate((self.first, self.second, self.third)):
            yield self.angles[k] == joint.phi
            yield self.w[k] == joint.w

    def connections(self) -> Connections:
        yield self.frame_a, self.first.frame_a
        yield self.first.frame_b, self.second.frame_a
        yield self.second.frame_b, self.third.frame_a
        yield self.third.frame_b, self.frame_b


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
    prismatic_x = Prismatic(n=cross(cross(n, n_x), n))
    prismatic_y = Prismatic(n=cross(n, n_x))
    revolute = Revolute(n=n, animation=animation)

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


class Screw(TwoFrames):
    """A thread: frame_b turns by phi about n and moves by s = pitch phi/(2 pi) along n."""

    animation = tg.parameter(True, structural=True, description="it is drawn in pictures and animations")
    n = tg.parameter([1.0, 0.0, 0.0], "1", "axis, the same in both frames; only the direction counts")
    pitch = tg.parameter(0.001, "m", "way along n in one turn; negative for a left-hand thread")
    phi = tg.variable("rad", "angle of frame_b against frame_a")
    w = tg.variable("rad/s", "angular velocity about n")
    s = tg.variable("m", "distance of frame_b from frame_a along n")
    cylindrical = Cylindrical(n=n, use_flange=True)
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

"""Rigid parts: arms and bodies."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.frontends.python.components.frames import AboutFrames, Look, mass, rigid, visual
from tellegen.frontends.python.expressions.symbol import stack
from tellegen.library.multibody.inertia import NO_MASS_HAS_IT, margin
from tellegen.library.multibody.interfaces import Frame, Statements, TwoFrames
from tellegen.library.multibody.rotations import axes_rotation, axis_rotation, direction, sequence_rotation
from tellegen.library.multibody.sweeps.vectors import quaternion_of_angles


class FixedTranslation(TwoFrames):
    """frame_b is at r from frame_a, with the same directions: R_b = R_a."""

    animation = tg.parameter(True, structural=True, description="it is drawn in pictures and animations")
    color = tg.parameter("", structural=True, description="a colour of CSS; one of a palette where there is none")
    r = tg.parameter([0.0, 0.0, 0.0], "m", "from frame_a to frame_b, in axes of frame_a")
    width = tg.parameter(0.0, "m", "width as it is drawn; 0: in proportion to the mechanism", min=0.0)

    def equations(self) -> Statements:
        yield rigid(self.frame_a, self.frame_b, r=self.r)
        if self.animation:
            yield visual(self.frame_a, look=Look("rod", self.color), r=self.r, width=self.width)


class FixedRotation(TwoFrames):
    """frame_b is at r from frame_a and turned against it, R_b = T R_a: the rows of T are its axes in frame_a.

    `rotation` says how it is turned: "axis" by angle about n, "sequence" by angles about the axes of a sequence,
    "axes" so that its x axis has the direction n_x and its y axis lies with n_y on one side of it.
    """

    rotation = tg.parameter(
        "axis",
        structural=True,
        description="axis (n, angle), sequence (angles), axes (n_x, n_y)",
        choices=("axis", "sequence", "axes"),
    )
    animation = tg.parameter(True, structural=True, description="it is drawn in pictures and animations")
    color = tg.parameter("", structural=True, description="a colour of CSS; one of a palette where there is none")
    sequence = tg.parameter([1, 2, 3], structural=True, description="axes about which it is turned one after the other")
    r = tg.parameter([0.0, 0.0, 0.0], "m", "from frame_a to frame_b, in axes of frame_a")
    width = tg.parameter(0.0, "m", "width as it is drawn; 0: in proportion to the mechanism", min=0.0)
    n = tg.parameter([1.0, 0.0, 0.0], "1", "axis of the rotation; only the direction counts")
    angle = tg.parameter(0.0, "rad", "angle of the rotation about n")
    angles = tg.parameter([0.0, 0.0, 0.0], "rad", "angles about the axes of the sequence")
    n_x = tg.parameter([1.0, 0.0, 0.0], "1", "direction of the x axis of frame_b, in frame_a")
    n_y = tg.parameter([0.0, 1.0, 0.0], "1", "a direction on the side of the y axis of frame_b, in frame_a")
    T = tg.parameter(lambda self: self.orientation(), "1", "the rows are the axes of frame_b in frame_a", shape=(3, 3))

    def orientation(self) -> Any:
        """T, as `rotation` says."""
        if self.rotation == "axis":
            return axis_rotation(direction(self.n), self.angle)
        if self.rotation == "sequence":
            return sequence_rotation(self.sequence, self.angles)
        return axes_rotation(self.n_x, self.n_y)

    def equations(self) -> Statements:
        yield rigid(self.frame_a, self.frame_b, r=self.r, T=self.T)
        if self.animation:
            yield visual(self.frame_a, look=Look("rod", self.color), r=self.r, width=self.width)


class Massive(tg.Component):
    """Mass, centre of mass and inertia of a body at frame_a."""

    frame_a = Frame()
    animation = tg.parameter(True, structural=True, description="it is drawn in pictures and animations")
    color = tg.parameter("", structural=True, description="a colour of CSS; one of a palette where there is none")
    m = tg.parameter(1.0, "kg", "mass", min=0.0)
    r_CM = tg.parameter([0.0, 0.0, 0.0], "m", "from frame_a to the centre of mass, in axes of frame_a")
    I_11 = tg.parameter(0.001, "kg.m2", "element (1,1) of the inertia tensor about the centre of mass", min=0.0)
    I_22 = tg.parameter(0.001, "kg.m2", "element (2,2)", min=0.0)
    I_33 = tg.parameter(0.001, "kg.m2", "element (3,3)", min=0.0)
    I_21 = tg.parameter(0.0, "kg.m2", "element (2,1)")
    I_31 = tg.parameter(0.0, "kg.m2", "element (3,1)")
    I_32 = tg.parameter(0.0, "kg.m2", "element (3,2)")
    inertia = tg.parameter(
        stack([I_11, I_22, I_33, I_21, I_31, I_32]), "kg.m2", "the inertia tensor as six numbers", shape=6
    )

    inertia_margin = tg.parameter(margin(inertia), "kg.m2", "negative for a tensor that no body has")
    r_0_start = tg.parameter([0.0, 0.0, 0.0], "m", "start position of frame_a, where nothing holds the body")
    v_0_start = tg.parameter([0.0, 0.0, 0.0], "m/s", "start velocity of frame_a, where nothing holds the body")
    angles_start = tg.parameter(
        [0.0, 0.0, 0.0], "rad", "start orientation: rotations about x, then its y, then its z axis"
    )
    w_0_start = tg.parameter([0.0, 0.0, 0.0], "rad/s", "start angular velocity, in the world")
    Q_start = tg.parameter(quaternion_of_angles(angles_start), "1", "start orientation as a quaternion", shape=4)
    Q_unit = tg.parameter(
        Q_start / tg.sqrt(Q_start @ Q_start), "1", "the same with length one; a quaternion of zeros has none", shape=4
    )

    def equations(self) -> Statements:
        start = {
            "start_r_rel": self.r_0_start,
            "start_v_rel": self.v_0_start,
            "start_Q": self.Q_start,
            "start_w_rel": self.w_0_start,
        }
        yield mass(self.frame_a, m=self.m, r_CM=self.r_CM, inertia=self.inertia, start=start)
        yield tg.assert_(self.inertia_margin >= 0, NO_MASS_HAS_IT, warning=True)  # noqa: PT009


class Body(Massive):
    """A rigid body with one frame: force and torque by Newton and Euler, f = m a, t = I dw/dt + w x I w."""

    def equations(self) -> Statements:
        if self.animation:
            yield self.look()

    def look(self) -> AboutFrames:
        """What it looks like in pictures."""
        return visual(self.frame_a, look=Look("ball", self.color), r=self.r_CM)


class PointMass(tg.Component):
    """A mass without extension, f = m a. Where nothing holds it, it keeps the directions of the world.

    Nothing resists its rotation: a torque on a point mass that nothing holds is an error.
    """

    frame_a = Frame()
    animation = tg.parameter(True, structural=True, description="it is drawn in pictures and animations")
    color = tg.parameter("", structural=True, description="a colour of CSS; one of a palette where there is none")
    m = tg.parameter(1.0, "kg", "mass", min=0.0)
    r_0_start = tg.parameter([0.0, 0.0, 0.0], "m", "start position, where nothing holds it")
    v_0_start = tg.parameter([0.0, 0.0, 0.0], "m/s", "start velocity, where nothing holds it")

    def equations(self) -> Statements:
        yield mass(self.frame_a, m=self.m, start={"start_r_rel": self.r_0_start, "start_v_rel": self.v_0_start})
        if self.animation:
            yield visual(self.frame_a, look=Look("ball", self.color), m=self.m)


class BodyShape(Massive):
    """A rigid body with a second frame at r."""

    frame_b = Frame()
    r = tg.parameter([0.0, 0.0, 0.0], "m", "from frame_a to frame_b, in axes of frame_a")
    width = tg.parameter(0.0, "m", "width as it is drawn; 0: in proportion to the mechanism", min=0.0)

    def equations(self) -> Statements:
        yield rigid(self.frame_a, self.frame_b, r=self.r)
        if self.animation:
            yield self.look()

    def look(self) -> AboutFrames:
        """What it looks like in pictures."""
        return visual(self.frame_a, look=Look("bar", self.color), r=self.r, width=self.width)

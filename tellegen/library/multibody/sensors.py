"""Sensors: they measure frames and act on nothing.

Vectors are in the axes that `resolve_in` names: the world, or the frame itself (frame_a and frame_b where there are
two). Relative quantities are those of frame_b as frame_a sees them: a passenger of frame_a takes their derivatives.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.frontends.python.expressions.refusal import check_option
from tellegen.frontends.python.expressions.symbol import stack
from tellegen.library.multibody.interfaces import OneFrame, Statements, TwoFrames
from tellegen.library.multibody.rotations import angles_of
from tellegen.library.multibody.sweeps.vectors import cross


class AbsoluteSensor(OneFrame):
    """Base of sensors of one frame."""

    resolve_in = tg.parameter(
        "world", structural=True, description="axes of the output: world or frame_a", choices=("world", "frame_a")
    )

    def from_world(self, vector: Any) -> Any:
        """A vector of the world in the axes of the output."""
        return vector if self.resolve_in == "world" else self.frame_a.R @ vector

    def from_frame(self, vector: Any) -> Any:
        """A vector of the frame in the axes of the output."""
        return vector if self.resolve_in == "frame_a" else self.frame_a.R.T @ vector


class AbsolutePosition(AbsoluteSensor):
    """Measures where a frame is: r = r_0."""

    r = tg.output("m", "position", shape=3)

    def equations(self) -> Statements:
        yield self.r == self.from_world(self.frame_a.r_0)


class AbsoluteVelocity(AbsoluteSensor):
    """Measures the velocity of a frame: v = dr_0/dt."""

    v = tg.output("m/s", "velocity", shape=3)

    def equations(self) -> Statements:
        yield self.v == self.from_world(self.frame_a.v_0)


class AbsoluteAcceleration(AbsoluteSensor):
    """Measures the acceleration of a frame: a = dv_0/dt; Accelerometer also feels gravity."""

    a = tg.output("m/s2", "acceleration", shape=3)

    def equations(self) -> Statements:
        yield self.a == self.from_world(self.frame_a.a_0)


class AbsoluteAngularVelocity(AbsoluteSensor):
    """Measures the angular velocity of a frame, w = frame_a.w."""

    w = tg.output("rad/s", "angular velocity", shape=3)

    def equations(self) -> Statements:
        yield self.w == self.from_frame(self.frame_a.w)


class AbsoluteAngularAcceleration(AbsoluteSensor):
    """Measures the angular acceleration of a frame, z = dw/dt."""

    z = tg.output("rad/s2", "angular acceleration", shape=3)

    def equations(self) -> Statements:
        yield self.z == self.from_frame(self.frame_a.z)


class AbsoluteAngles(OneFrame):
    """Measures the angles by which a frame is turned against the world, about one axis of the sequence after another.

    They jump: the first and third are in (-pi, pi], the second in [-pi/2, pi/2], or [0, pi] if the last axis is the
    first again. Where the second is at its limit, the first and third are not determined. R = T(angles).
    """

    sequence = tg.parameter([1, 2, 3], structural=True, description="axes about which the frame is turned")
    angles = tg.output("rad", "angles about the axes of the sequence", shape=3)

    def equations(self) -> Statements:
        yield self.angles == stack(angles_of(self.frame_a.R, self.sequence))


class RelativeSensor(TwoFrames):
    """Base of sensors of two frames."""

    resolve_in = tg.parameter(
        "frame_a",
        structural=True,
        description="axes of the output: world, frame_a or frame_b",
        choices=("world", "frame_a", "frame_b"),
    )

    def from_a(self, vector: Any) -> Any:
        """A vector of frame_a in the axes of the output."""
        if self.resolve_in == "frame_a":
            return vector
        world = self.frame_a.R.T @ vector
        return world if self.resolve_in == "world" else self.frame_b.R @ world

    def arm(self) -> Any:
        """From frame_a to frame_b, in axes of frame_a."""
        return self.frame_a.R @ (self.frame_b.r_0 - self.frame_a.r_0)

    def velocity(self) -> Any:
        """The derivative of the arm in frame_a."""
        moved = self.frame_a.R @ (self.frame_b.v_0 - self.frame_a.v_0)
        return moved - cross(self.frame_a.w, self.arm())

    def turning(self) -> Any:
        """The angular velocity of frame_b less that of frame_a, in axes of frame_a."""
        return self.frame_a.R @ (self.frame_b.R.T @ self.frame_b.w) - self.frame_a.w


class RelativePosition(RelativeSensor):
    """Measures where frame_b is as seen from frame_a: r_rel = r_b - r_a."""

    r_rel = tg.output("m", "position of frame_b in frame_a", shape=3)

    def equations(self) -> Statements:
        yield self.r_rel == self.from_a(self.arm())


class RelativeVelocity(RelativeSensor):
    """Measures how fast frame_b moves as seen from frame_a: v_rel = v_b - v_a - w_a x (r_b - r_a)."""

    v_rel = tg.output("m/s", "velocity of frame_b in frame_a", shape=3)

    def equations(self) -> Statements:
        yield self.v_rel == self.from_a(self.velocity())


class RelativeAcceleration(RelativeSensor):
    """Measures how frame_b accelerates as seen from frame_a: its acceleration less that of guiding and of Coriolis.

    With the arm r and the velocity v_rel: a_rel = a_b - a_a - z_a x r - w_a x (w_a x r) - 2 w_a x v_rel.
    """

    a_rel = tg.output("m/s2", "acceleration of frame_b in frame_a", shape=3)
    r_a = tg.variable("m", "from frame_a to frame_b, in axes of frame_a", shape=3)
    v_a = tg.variable("m/s", "its derivative", shape=3)

    def equations(self) -> Statements:
        w = self.frame_a.w
        z = self.frame_a.z
        yield self.r_a == self.arm()
        yield self.v_a == self.velocity()
        moved = self.frame_a.R @ (self.frame_b.a_0 - self.frame_a.a_0)
        guided = cross(z, self.r_a) + cross(w, cross(w, self.r_a)) + 2.0 * cross(w, self.v_a)
        yield self.a_rel == self.from_a(moved - guided)


class RelativeAngularVelocity(RelativeSensor):
    """Measures the angular velocity of frame_b as seen from frame_a: w_rel = w_b - w_a."""

    w_rel = tg.output("rad/s", "angular velocity of frame_b in frame_a", shape=3)

    def equations(self) -> Statements:
        yield self.w_rel == self.from_a(self.turning())


class RelativeAngularAcceleration(RelativeSensor):
    """Measures the angular acceleration of frame_b as seen from frame_a: z_rel = z_b - z_a - w_a x (w_b - w_a)."""

    z_rel = tg.output("rad/s2", "angular acceleration of frame_b in frame_a", shape=3)

    def equations(self) -> Statements:
        moved = self.frame_a.R @ (self.frame_b.R.T @ self.frame_b.z) - self.frame_a.z
        yield self.z_rel == self.from_a(moved - cross(self.frame_a.w, self.turning()))


class RelativeAngles(TwoFrames):
    """Measures the angles by which frame_b is turned against frame_a, about one axis of the sequence after another.

    Their ranges are those of AbsoluteAngles: R_b = T(angles) R_a.
    """

    sequence = tg.parameter([1, 2, 3], structural=True, description="axes about which frame_b is turned")
    angles = tg.output("rad", "angles about the axes of the sequence", shape=3)
    R_rel = tg.variable("1", "orientation of frame_b in frame_a: the rows are its axes", shape=(3, 3))

    def equations(self) -> Statements:
        yield self.R_rel == self.frame_b.R @ self.frame_a.R.T
        yield self.angles == stack(angles_of(self.R_rel, self.sequence))


class Distance(TwoFrames):
    """Measures the distance of two points: distance = |r_b - r_a|, smooth where they meet (within s_small)."""

    s_small = tg.parameter(1e-10, "m", "distances below are rounded", min=0.0)
    distance = tg.output("m", "distance of the origins")

    def equations(self) -> Statements:
        arm = self.frame_b.r_0 - self.frame_a.r_0
        yield self.distance == tg.sqrt(arm @ arm + self.s_small**2)


class TransformAbsoluteVector(OneFrame):
    """Turns a vector from the axes of the world to those of frame_a, or back: r_out = R r_in."""

    resolve_in = tg.parameter("frame_a", structural=True, description="axes of the input: world or frame_a")
    resolve_out = tg.parameter("world", structural=True, description="axes of the output: world or frame_a")
    r_in = tg.input(description="vector in axes of resolve_in", shape=3)
    r_out = tg.output(description="the same in axes of resolve_out", shape=3)

    def equations(self) -> Statements:
        yield self.r_out == turned_between(self, ("world", "frame_a"))


class TransformRelativeVector(TwoFrames):
    """Turns a vector between the axes of the world, frame_a and frame_b: r_out = R_out R_in.T r_in."""

    resolve_in = tg.parameter("frame_a", structural=True, description="axes of the input: world, frame_a or frame_b")
    resolve_out = tg.parameter("frame_b", structural=True, description="axes of the output: world, frame_a or frame_b")
    r_in = tg.input(description="vector in axes of resolve_in", shape=3)
    r_out = tg.output(description="the same in axes of resolve_out", shape=3)

    def equations(self) -> Statements:
        yield self.r_out == turned_between(self, ("world", "frame_a", "frame_b"))


def turned_between(sensor: Any, axes: tuple[str, ...]) -> Any:
    """r_in of a sensor in the axes of its output."""
    check_option(sensor, "resolve_in", axes)
    check_option(sensor, "resolve_out", axes)
    if sensor.resolve_in == sensor.resolve_out:
        return sensor.r_in
    world = sensor.r_in if sensor.resolve_in == "world" else getattr(sensor, sensor.resolve_in).R.T @ sensor.r_in
    return world if sensor.resolve_out == "world" else getattr(sensor, sensor.resolve_out).R @ world


class Accelerometer(OneFrame):
    """Measures what a test mass feels, in axes of the frame: a = R (dv_0/dt - g); at rest it shows g upwards."""

    world = tg.outer("world")
    a = tg.output("m/s2", "acceleration less gravity", shape=3)

    def equations(self) -> Statements:
        yield self.a == self.frame_a.R @ (self.frame_a.a_0 - self.world.gravity_at(self.frame_a.r_0))


class Gyroscope(OneFrame):
    """Measures angular velocity, in axes of the frame: w = frame_a.w."""

    w = tg.output("rad/s", "angular velocity", shape=3)

    def equations(self) -> Statements:
        yield self.w == self.frame_a.w

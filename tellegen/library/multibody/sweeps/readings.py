"""What components mention of their frames, computed from the motion of the lump; and the wrench they exert there."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.multibody.sweeps.lump import Motion, Statements
from tellegen.library.multibody.sweeps.poses import UNIT, ZERO
from tellegen.library.multibody.sweeps.vectors import cross


class PoseReading(tg.Component):
    """Position r_0 of a frame, and its orientation R: the rows are its axes."""

    A_p = tg.input("1", "orientation of the lump: the columns are its axes", shape=(3, 3))
    r_p = tg.input("m", "position of its reference point", shape=3)
    s = tg.parameter(ZERO, "m", "where the frame is on the lump")
    C = tg.parameter(UNIT, "1", "its orientation there: the columns are the axes")
    d = tg.output("m", "from the reference point to the frame", shape=3)
    r_0 = tg.output("m", "position", shape=3)
    R = tg.output("1", "orientation: the rows are the axes of the frame", shape=(3, 3))

    def equations(self) -> Statements:
        yield self.d == self.A_p @ self.s
        yield self.r_0 == self.r_p + self.d
        yield self.R == self.C.T @ self.A_p.T


class VelocityReading(tg.Component):
    """Velocity v_0 of a frame in the world, and its angular velocity w in its own axes."""

    w_p = tg.input("rad/s", "angular velocity of the lump", shape=3)
    v_p = tg.input("m/s", "velocity of its reference point", shape=3)
    d = tg.input("m", "from the reference point to the frame", shape=3)
    R = tg.input("1", "orientation: the rows are the axes of the frame", shape=(3, 3))
    v_0 = tg.output("m/s", "velocity", shape=3)
    w = tg.output("rad/s", "angular velocity", shape=3)

    def equations(self) -> Statements:
        yield self.v_0 == self.v_p + cross(self.w_p, self.d)
        yield self.w == self.R @ self.w_p


class AccelerationReading(tg.Component):
    """Acceleration a_0 of a frame in the world, and its angular acceleration z in its own axes."""

    parent = Motion()
    w_p = tg.input("rad/s", "angular velocity of the lump", shape=3)
    d = tg.input("m", "from the reference point to the frame", shape=3)
    R = tg.input("1", "orientation: the rows are the axes of the frame", shape=(3, 3))
    g = tg.parameter([0.0, -9.81, 0.0], "m/s2", "acceleration of gravity")
    w_d = tg.variable("m/s", "w x d", shape=3)
    a_0 = tg.output("m/s2", "acceleration", shape=3)
    z = tg.output("rad/s2", "angular acceleration", shape=3)

    def equations(self) -> Statements:
        yield self.w_d == cross(self.w_p, self.d)
        yield self.a_0 == self.parent.a + self.g + cross(self.parent.z, self.d) + cross(self.w_p, self.w_d)
        yield self.z == self.R @ self.parent.z
        yield self.parent.f == 0.0
        yield self.parent.n == 0.0


class Wrench(tg.Component):
    """The force f and torque t on a component at its frame, in axes of the frame, moved to the reference point."""

    parent = Motion()
    d = tg.input("m", "from the reference point to the frame", shape=3)
    R = tg.input("1", "orientation: the rows are the axes of the frame", shape=(3, 3))
    f = tg.input("N", "force on the component", shape=3)
    t = tg.input("N.m", "torque on the component", shape=3)

    def equations(self) -> Statements:
        yield self.parent.f == self.R.T @ self.f
        yield self.parent.n == self.R.T @ self.t + cross(self.d, self.parent.f)

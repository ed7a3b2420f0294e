"""Sensors: they measure frames and act on nothing. Vectors are in the directions of the world."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.planar.interfaces import Frame, Statements, TwoFrames


class Measuring(tg.Component):
    """Base of sensors at one frame, on which nothing acts."""

    frame_a = Frame()

    def equations(self) -> Statements:
        yield self.frame_a.fx == 0
        yield self.frame_a.fy == 0
        yield self.frame_a.t == 0


class AbsolutePosition(Measuring):
    """Measures where a frame is: r = (frame.x, frame.y) and phi = frame.phi."""

    r = tg.output("m", "position", shape=2)
    phi = tg.output("rad", "angle")

    def equations(self) -> Statements:
        yield self.r[0] == self.frame_a.x
        yield self.r[1] == self.frame_a.y
        yield self.phi == self.frame_a.phi


class AbsoluteVelocity(Measuring):
    """Measures how fast a frame moves: v and w."""

    v = tg.output("m/s", "velocity", shape=2)
    w = tg.output("rad/s", "angular velocity")

    def equations(self) -> Statements:
        yield self.v[0] == tg.der(self.frame_a.x)
        yield self.v[1] == tg.der(self.frame_a.y)
        yield self.w == tg.der(self.frame_a.phi)


class AbsoluteAcceleration(AbsoluteVelocity):
    """Measures velocity and acceleration of a frame: a = dv/dt and z = dw/dt besides v and w."""

    a = tg.output("m/s2", "acceleration", shape=2)
    z = tg.output("rad/s2", "angular acceleration")

    def equations(self) -> Statements:
        yield self.a == tg.der(self.v)
        yield self.z == tg.der(self.w)


class RelativePosition(tg.Component):
    """Measures where frame_b is as seen from frame_a: r_rel in the directions of frame_a, phi_rel = phi_b - phi_a."""

    frame_a = Frame()
    frame_b = Frame()
    r_rel = tg.output("m", "position of frame_b in frame_a", shape=2)
    phi_rel = tg.output("rad", "angle of frame_b less that of frame_a")

    def equations(self) -> Statements:
        dx = self.frame_b.x - self.frame_a.x
        dy = self.frame_b.y - self.frame_a.y
        c = tg.cos(self.frame_a.phi)
        s = tg.sin(self.frame_a.phi)
        yield self.r_rel[0] == c * dx + s * dy
        yield self.r_rel[1] == c * dy - s * dx
        yield self.phi_rel == self.frame_b.phi - self.frame_a.phi
        for frame in (self.frame_a, self.frame_b):
            yield frame.fx == 0
            yield frame.fy == 0
            yield frame.t == 0


class CutForce(TwoFrames):
    """Measures what acts from frame_a on frame_b through a cut: force = (fx, fy) and torque = t of frame_a."""

    force = tg.output("N", "force", shape=2)
    torque = tg.output("N.m", "torque")

    def equations(self) -> Statements:
        yield self.frame_b.x == self.frame_a.x
        yield self.frame_b.y == self.frame_a.y
        yield self.frame_b.phi == self.frame_a.phi
        yield self.frame_a.t + self.frame_b.t == 0
        yield self.force[0] == self.frame_a.fx
        yield self.force[1] == self.frame_a.fy
        yield self.torque == self.frame_a.t

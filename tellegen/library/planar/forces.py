"""Forces between two points, along the line that joins them, and forces and torques from outside.

    s = |r_b - r_a|,    e = (r_b - r_a)/s,    f_b = f e,    f_a = -f e

f is positive when it pulls: what acts on the component at frame_b then points away from frame_a, as on a stretched
spring. There is no moment, for the force goes through both points. Where the points meet the line has no direction;
s = sqrt(|r_b - r_a|^2 + s_small^2) is smooth there, and the force fades out within s_small.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library import translational
from tellegen.library.losses import Lossy
from tellegen.library.planar.interfaces import Frame, Statements, TwoFrames, moment, turned


class LineForce(tg.Component):
    """Base of what pulls two points together with a force f along their line: f > 0 pulls."""

    frame_a = Frame()
    frame_b = Frame()
    s_small = tg.parameter(1e-9, "m", "distances below have no direction", min=0.0)
    s = tg.variable("m", "distance of the points", start=1.0)
    f = tg.variable("N", "force along the line, positive when it pulls")

    def equations(self) -> Statements:
        dx = self.frame_b.x - self.frame_a.x
        dy = self.frame_b.y - self.frame_a.y
        pull = self.f / self.s
        yield self.s == tg.sqrt(dx**2 + dy**2 + self.s_small**2)
        yield self.frame_b.fx == pull * dx
        yield self.frame_b.fy == pull * dy
        yield self.frame_a.fx == -pull * dx
        yield self.frame_a.fy == -pull * dy
        yield self.frame_a.t == 0
        yield self.frame_b.t == 0


class Spring(LineForce):
    """A spring between two points: f = c (s - s_unstretched)."""

    c = tg.parameter(1.0, "N/m", "stiffness", min=0.0)
    s_unstretched = tg.parameter(0.0, "m", "length without force")

    def equations(self) -> Statements:
        yield self.f == self.c * (self.s - self.s_unstretched)


class Damper(Lossy, LineForce):
    """A damper between two points: f = d ds/dt."""

    d = tg.parameter(1.0, "N.s/m", "damping constant", min=0.0)
    v = tg.variable("m/s", "derivative of the distance")

    def losses(self) -> Any:
        return self.f * self.v

    def equations(self) -> Statements:
        yield self.v == tg.der(self.s)
        yield self.f == self.d * self.v


class SpringDamper(Lossy, LineForce):
    """A spring and a damper side by side between two points: f = c (s - s_unstretched) + d ds/dt."""

    c = tg.parameter(1.0, "N/m", "stiffness", min=0.0)
    s_unstretched = tg.parameter(0.0, "m", "length without force")
    d = tg.parameter(1.0, "N.s/m", "damping constant", min=0.0)
    v = tg.variable("m/s", "derivative of the distance")

    def losses(self) -> Any:
        return self.d * self.v**2

    def equations(self) -> Statements:
        yield self.v == tg.der(self.s)
        yield self.f == self.c * (self.s - self.s_unstretched) + self.d * self.v


class LineForceWithFlanges(LineForce):
    """Two points joined by one-dimensional parts: what is connected between flange_a and flange_b acts along the line.

    flange_a stands at 0 and flange_b at the distance s. The part pulls at flange_b with the force f = -flange_b.f; that
    at flange_a is its reaction (a part with a mass of its own would hand it to the ground instead).
    """

    flange_a = translational.Flange("at 0")
    flange_b = translational.Flange("at the distance of the points")

    def equations(self) -> Statements:
        yield self.flange_a.s == 0
        yield self.flange_b.s == self.s
        yield self.f == -self.flange_b.f


class WorldForce(tg.Component):
    """Pushes what is connected to frame_b with an input force: f_b = -force, in the directions of the world."""

    frame_b = Frame()
    resolve_in_frame_b = tg.parameter(False, structural=True, description="the force turns with frame_b")
    force = tg.input("N", "force on what is connected", shape=2)

    def equations(self) -> Statements:
        acting = turned(self.force, self.frame_b.phi) if self.resolve_in_frame_b else (self.force[0], self.force[1])
        yield self.frame_b.fx == -acting[0]
        yield self.frame_b.fy == -acting[1]
        yield self.frame_b.t == 0


class WorldTorque(tg.Component):
    """Turns what is connected to frame_b with an input torque: t_b = -torque."""

    frame_b = Frame()
    torque = tg.input("N.m", "torque on what is connected, counterclockwise")

    def equations(self) -> Statements:
        yield self.frame_b.fx == 0
        yield self.frame_b.fy == 0
        yield self.frame_b.t == -self.torque


class Force(TwoFrames):
    """Pushes frame_b with an input force, in the directions of frame_a, and frame_a with its reaction.

    f_b = -force; moments about frame_a: t_a + (r_b - r_a) x f_b = 0, t_b = 0.
    """

    force = tg.input("N", "force on what is connected to frame_b", shape=2)

    def equations(self) -> Statements:
        acting = turned(self.force, self.frame_a.phi)
        arm = self.frame_b.x - self.frame_a.x, self.frame_b.y - self.frame_a.y
        yield self.frame_b.fx == -acting[0]
        yield self.frame_b.fy == -acting[1]
        yield self.frame_b.t == 0
        yield self.frame_a.t + moment(arm, self.frame_b) == 0


class Torque(tg.Component):
    """Turns frame_b with an input torque and frame_a with its reaction: t_b = -torque, t_a = torque."""

    frame_a = Frame()
    frame_b = Frame()
    torque = tg.input("N.m", "torque on what is connected to frame_b")

    def equations(self) -> Statements:
        for frame, sign in ((self.frame_a, 1.0), (self.frame_b, -1.0)):
            yield frame.fx == 0
            yield frame.fy == 0
            yield frame.t == sign * self.torque

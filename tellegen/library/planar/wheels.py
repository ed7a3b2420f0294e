"""Wheels seen from above: the plane is the ground, and a wheel may only go where it points.

A wheel has its frame above the point where it touches the ground and a flange on its axle. It points in the direction
e = r/|r| of its frame; n is e turned by 90 degrees to the left. The flange turns forward with w > 0.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library import rotational
from tellegen.library.losses import Lossy
from tellegen.library.planar.interfaces import Frame, Statements, turned


class WheelJoint(tg.Component):
    """Base of wheels seen from above: directions, velocities, and the forces of the ground along and across."""

    frame_a = Frame("above the contact point")
    flange_a = rotational.Flange("axle")
    radius = tg.parameter(0.3, "m", "radius of the wheel", min=0.0)
    r = tg.parameter([1.0, 0.0], "1", "driving direction in frame_a; only the direction counts")
    e = tg.parameter(r / tg.sqrt(r @ r), "1", "the same with length one", shape=2)
    w_roll = tg.variable("rad/s", "angular velocity of the axle", start=0.0)
    v_long = tg.variable("m/s", "velocity along the driving direction", start=0.0, state="prefer")
    v_lat = tg.variable("m/s", "velocity to the left", start=0.0)
    f_long = tg.variable("N", "force of the ground along the driving direction")
    f_lat = tg.variable("N", "force of the ground to the left")

    def equations(self) -> Statements:
        ahead = turned(self.e, self.frame_a.phi)
        left = -ahead[1], ahead[0]
        yield self.w_roll == tg.der(self.flange_a.phi)
        # the components of one velocity, written so that v_long and v_lat give the others whatever the direction
        yield tg.der(self.frame_a.x) == self.v_long * ahead[0] + self.v_lat * left[0]
        yield tg.der(self.frame_a.y) == self.v_long * ahead[1] + self.v_lat * left[1]
        # what is connected feels the ground; acting on this component is the opposite
        yield self.frame_a.fx == -(self.f_long * ahead[0] + self.f_lat * left[0])
        yield self.frame_a.fy == -(self.f_long * ahead[1] + self.f_lat * left[1])
        yield self.frame_a.t == 0
        yield self.flange_a.tau == self.radius * self.f_long


class IdealWheelJoint(WheelJoint):
    """A wheel that neither slips nor drifts: v_long = radius w_roll, v_lat = 0. Massless; seen from above."""

    def equations(self) -> Statements:
        yield self.v_long == self.radius * self.w_roll
        yield self.v_lat == 0


class DryFrictionWheelJoint(Lossy, WheelJoint):
    """A wheel with tyre friction: a force against its slip velocity, at most mu_A N. Massless; seen from above.

    With the slip velocity v = (v_long - radius w_roll, v_lat) the ground pushes against it with mu(|v|) N. mu rises
    smoothly to mu_A at v_adhesion, falls to mu_S at v_slide and stays there.
    """

    N = tg.parameter(100.0, "N", "normal force", min=0.0)
    v_adhesion = tg.parameter(0.1, "m/s", "slip velocity with the largest friction", min=0.0)
    v_slide = tg.parameter(0.3, "m/s", "slip velocity from which it slides", min=0.0)
    mu_A = tg.parameter(1.0, "1", "largest coefficient of friction", min=0.0)
    mu_S = tg.parameter(0.7, "1", "coefficient of friction when sliding", min=0.0)
    v_slip = tg.variable("m/s", "size of the slip velocity", start=0.0)

    def losses(self) -> Any:
        return -self.f_long * (self.v_long - self.radius * self.w_roll) - self.f_lat * self.v_lat

    def equations(self) -> Statements:
        v_x = self.v_long - self.radius * self.w_roll
        v_y = self.v_lat
        mu_per_v = _friction(self, self.v_slip) / self.v_slip
        yield self.v_slip == tg.sqrt(v_x**2 + v_y**2 + (1e-4 * self.v_adhesion) ** 2)  # smooth at zero
        yield self.f_long == -mu_per_v * self.N * v_x
        yield self.f_lat == -mu_per_v * self.N * v_y


def _friction(wheel: DryFrictionWheelJoint, v: tg.Expression) -> Any:
    """mu(v): two cubics that meet with a horizontal tangent, and a constant."""
    up = tg.minimum(v / wheel.v_adhesion, 1.0)
    down = tg.minimum(tg.maximum((v - wheel.v_adhesion) / (wheel.v_slide - wheel.v_adhesion), 0.0), 1.0)
    rise = 1.5 * up - 0.5 * up**3
    fall = 3.0 * down**2 - 2.0 * down**3
    return tg.smooth(1, wheel.mu_A * rise - (wheel.mu_A - wheel.mu_S) * fall)

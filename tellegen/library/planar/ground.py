"""What stands on the ground: wheels that roll, discs and points that bounce, slide and stick.

The ground is a straight line through r0 that rises by the angle alpha. With its direction t = (cos alpha, sin alpha)
and its normal n = (-sin alpha, cos alpha), a disc of radius R with its centre at r touches it where n (r - r0) = R, at
the point r - R n. That point of the disc moves along the ground with

    v_slip = t v + R w        (w counterclockwise: a disc that rolls to the right turns clockwise, w = -v/R)

The ground pushes with N along n and with F along t, which also has the moment R F about the centre.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.losses import Lossy
from tellegen.library.planar.interfaces import Frame, Statements
from tellegen.library.stick_slip import FREE, Contact, stick_slip


class OnLine(tg.Component):
    """Base of what touches the ground; see tellegen/library/planar/ground.py."""

    frame_a = Frame("the centre")
    R = tg.parameter(0.0, "m", "radius, 0 for a point", min=0.0)
    r0 = tg.parameter([0.0, 0.0], "m", "a point of the ground")
    alpha = tg.parameter(0.0, "rad", "slope of the ground, positive where it rises to the right")
    N = tg.variable("N", "normal force of the ground")
    F = tg.variable("N", "force of the ground along its slope")

    def along(self) -> Any:
        """How far the centre is along the ground."""
        dx = self.frame_a.x - self.r0[0]
        dy = self.frame_a.y - self.r0[1]
        return tg.cos(self.alpha) * dx + tg.sin(self.alpha) * dy

    def height(self) -> Any:
        """How far the lowest point is above the ground."""
        dx = self.frame_a.x - self.r0[0]
        dy = self.frame_a.y - self.r0[1]
        return tg.cos(self.alpha) * dy - tg.sin(self.alpha) * dx - self.R

    def equations(self) -> Statements:
        c = tg.cos(self.alpha)
        s = tg.sin(self.alpha)
        # what is connected feels N n + F t and the moment R F; acting on this component is the opposite
        yield self.frame_a.fx == s * self.N - c * self.F
        yield self.frame_a.fy == -c * self.N - s * self.F
        yield self.frame_a.t == -self.R * self.F


class RollingWheel(OnLine):
    """A wheel that rolls on the ground without slipping: its centre stays at the height R, v = -R w.

    The ground holds it as well as it supports it: N may be negative. (GroundContact lets go.)
    """

    R = tg.parameter(0.3, "m", "radius", min=0.0)
    phi = tg.variable("rad", "angle", start=0.0, state="prefer")
    w = tg.variable("rad/s", "angular velocity", start=0.0, state="prefer")
    s = tg.variable("m", "way along the ground", start=0.0, state="prefer")

    def equations(self) -> Statements:
        yield self.phi == self.frame_a.phi
        yield self.w == tg.der(self.phi)
        yield self.s == self.along()
        yield self.height() == 0
        yield tg.der(self.s) == -self.R * self.w


class GroundContact(Lossy, OnLine):
    """A disc or a point that may touch the ground: elastic with damping, and dry friction that sticks exactly.

    While the depth p below the ground is positive, N = c p (1 + d dp/dt), but never less than zero: the damping fades
    with the depth, so that the force does not jump (Hunt and Crossley, 1975). How much of the speed comes back depends
    on d and the speed alone. Friction is mu N while it slides; at rest (or rolling) it is what holds the contact point,
    at most peak mu N. mode is 2 in the air, 1 sliding forward, 0 sticking, -1 sliding backward.
    """

    c = tg.parameter(1e5, "N/m", "stiffness", min=0.0)
    d = tg.parameter(0.5, "s/m", "damping, per speed", min=0.0)
    mu = tg.parameter(0.5, "1", "coefficient of sliding friction", min=0.0)
    peak = tg.parameter(1.0, "1", "largest friction at rest over sliding friction", min=1.0)
    v_small = tg.parameter(1e-6, "m/s", "velocities below this count as standstill", min=0.0)
    p = tg.variable("m", "depth below the ground")
    v_p = tg.variable("m/s", "its derivative")
    v_slip = tg.variable("m/s", "velocity of the contact point along the ground")
    a_slip = tg.variable("m/s2", "its derivative")
    mode = tg.integer("2 in the air, 1 forward, 0 sticking, -1 backward", start=FREE)

    def losses(self) -> Any:
        elastic = tg.where(self.p > 0, self.c * self.p, 0.0)
        return (self.N - elastic) * self.v_p + self.mu * self.N * abs(self.v_slip)  # stuck: v_slip is zero

    def equations(self) -> Statements:
        yield self.p == -self.height()
        yield self.v_p == tg.der(self.p)
        yield self.v_slip == tg.der(self.along()) + self.R * tg.der(self.frame_a.phi)
        yield self.a_slip == tg.der(self.v_slip)
        pushing = self.c * self.p * tg.maximum(1.0 + self.d * self.v_p, 0.0)
        yield self.N == tg.where(self.p > 0, pushing, 0.0)
        slide = self.mu * self.N
        slip = self.v_slip, self.a_slip, -self.F
        yield from stick_slip(
            Contact(self.mode, *slip, slide, self.peak * slide, v_small=self.v_small, free=self.p <= 0)
        )

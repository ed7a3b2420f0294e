"""Forces between two points, along the line that joins them.

    s = |r_b - r_a|,    e = (r_b - r_a)/s,    f_b = f e,    f_a = -f e,    ds/dt = e (v_b - v_a)

f is positive when it pulls: what acts on the component at frame_b then points away from frame_a, as on a stretched
spring. There is no moment, for the force goes through both points. Where the points meet the line has no direction;
s = sqrt(|r_b - r_a|^2 + s_small^2) is smooth there, and the force fades out within s_small.

A point mass at r_a + q (r_b - r_a) accelerates with (1 - q) a_a + q a_b; what that takes, F = m (a - g), both ends
share in the same way, by virtual work. Masses at fixed distances from the ends turn with the line as well.
"""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.frontends.python.components.frames import PULL, arrow, visual
from tellegen.library import translational
from tellegen.library.losses import Lossy
from tellegen.library.multibody.interfaces import Statements, TwoFrames


class LineForce(TwoFrames):
    """Base of what pulls two points together with a force f along their line: f > 0 pulls."""

    LOOK: ClassVar[str] = "spring"

    s_small = tg.parameter(1e-9, "m", "distances below have no direction", min=0.0)
    s = tg.variable("m", "distance of the points", start=1.0)
    e = tg.variable("1", "direction from frame_a to frame_b, in the world", shape=3)
    f = tg.variable("N", "force along the line, positive when it pulls")

    def equations(self) -> Statements:
        arm = self.frame_b.r_0 - self.frame_a.r_0
        pull = self.f * self.e
        yield visual(self.frame_a, self.frame_b, shape=self.LOOK)
        yield arrow(self.frame_a, self.frame_b, shape=PULL, force=self.f, e=self.e)
        yield self.s == tg.sqrt(arm @ arm + self.s_small**2)
        yield self.e == arm / self.s
        at_a, at_b = self.loads()
        yield self.frame_b.f == self.frame_b.R @ (pull + at_b)
        yield self.frame_a.f == self.frame_a.R @ (at_a - pull)
        yield self.frame_b.t == 0.0
        yield self.frame_a.t == 0.0

    def loads(self) -> tuple[Any, Any]:
        """What parts with a mass take to be moved, at frame_a and frame_b, in the world."""
        return 0.0, 0.0


class DampedLineForce(Lossy, LineForce):
    """Base of line forces that depend on the derivative v of the distance."""

    v = tg.variable("m/s", "derivative of the distance")

    def equations(self) -> Statements:
        yield self.v == self.e @ (self.frame_b.v_0 - self.frame_a.v_0)


class Spring(LineForce):
    """A spring between two points: f = c (s - s_unstretched)."""

    c = tg.parameter(1.0, "N/m", "stiffness", min=0.0)
    s_unstretched = tg.parameter(0.0, "m", "length without force")

    def equations(self) -> Statements:
        yield self.f == self.c * (self.s - self.s_unstretched)


class Damper(DampedLineForce):
    """A damper between two points: f = d ds/dt."""

    LOOK: ClassVar[str] = "line"

    d = tg.parameter(1.0, "N.s/m", "damping constant", min=0.0)

    def losses(self) -> Any:
        return self.f * self.v

    def equations(self) -> Statements:
        yield self.f == self.d * self.v


class SpringDamperParallel(DampedLineForce):
    """A spring and a damper side by side between two points: f = c (s - s_unstretched) + d ds/dt."""

    c = tg.parameter(1.0, "N/m", "stiffness", min=0.0)
    s_unstretched = tg.parameter(0.0, "m", "length without force")
    d = tg.parameter(1.0, "N.s/m", "damping constant", min=0.0)

    def losses(self) -> Any:
        return self.d * self.v**2

    def equations(self) -> Statements:
        yield self.f == self.c * (self.s - self.s_unstretched) + self.d * self.v


class SpringDamperSeries(Lossy, LineForce):
    """A spring and a damper one after the other: f = c (s - s_unstretched - s_damper) = d ds_damper/dt."""

    c = tg.parameter(1.0, "N/m", "stiffness", min=0.0)
    s_unstretched = tg.parameter(0.0, "m", "length of the spring without force")
    d = tg.parameter(1.0, "N.s/m", "damping constant", min=0.0)
    s_damper = tg.variable("m", "length of the damper", start=0.0, state="prefer")

    def losses(self) -> Any:
        return self.f**2 / self.d

    def equations(self) -> Statements:
        yield self.f == self.c * (self.s - self.s_unstretched - self.s_damper)
        yield self.f == self.d * tg.der(self.s_damper)


class SpringDamperActuator(DampedLineForce):
    """A spring, a damper and an actuator side by side between two points: f = k (s - l_0) + d ds/dt + F."""

    k = tg.parameter(0.0, "N/m", "stiffness", min=0.0)
    d = tg.parameter(0.0, "N.s/m", "damping constant", min=0.0)
    l_0 = tg.parameter(0.0, "m", "length without force of the spring")
    F = tg.input("N", "force of the actuator, positive when it pulls", default=0.0)

    def losses(self) -> Any:
        return self.d * self.v**2

    def equations(self) -> Statements:
        yield self.f == self.k * (self.s - self.l_0) + self.d * self.v + self.F


class LineForceWithFlanges(LineForce):
    """Two points joined by one-dimensional parts: what is connected between flange_a and flange_b acts along the line.

    flange_a stands at 0 and flange_b at the distance s. The part pulls at flange_b with the force f = -flange_b.f; that
    at flange_a is its reaction, so the part has no mass. Parts such as dampers take the derivative of the distance:
    dx/dt = e (v_b - v_a) is integrated for them, which spares differentiating s, and x is held at s.
    """

    LOOK: ClassVar[str] = "line"

    flange_a = translational.Flange("at 0")
    flange_b = translational.Flange("at the distance of the points")
    x = tg.variable("m", "the distance, as a state", start=1.0, state="prefer")
    gap = tg.variable("m", "x - s")
    gap_by_x = tg.variable("1", "its derivative")

    def equations(self) -> Statements:
        yield tg.der(self.x) == self.e @ (self.frame_b.v_0 - self.frame_a.v_0)
        yield self.gap == self.x - self.s
        yield self.gap_by_x == 1.0
        yield tg.invariant(self.gap, {self.x: self.gap_by_x})
        yield self.flange_a.s == 0
        yield self.flange_b.s == self.x
        yield self.f == -self.flange_b.f

    def initial_equations(self) -> Statements:
        yield self.x == self.s


class LineForceWithMass(LineForceWithFlanges):
    """One-dimensional parts between two points, with a point mass m at length_fraction of the line from frame_a."""

    world = tg.outer("world")
    m = tg.parameter(1.0, "kg", "mass on the line", min=0.0)
    length_fraction = tg.parameter(0.5, "1", "place of the mass: 0 at frame_a, 1 at frame_b", min=0.0, max=1.0)

    def loads(self) -> tuple[Any, Any]:
        share = self.length_fraction
        a, b = self.frame_a, self.frame_b
        place = (1.0 - share) * a.r_0 + share * b.r_0
        moved = (1.0 - share) * a.a_0 + share * b.a_0
        F = self.m * (moved - self.world.gravity_at(place))
        return (1.0 - share) * F, share * F


class LineForceWithTwoMasses(LineForceWithFlanges):
    """One-dimensional parts between two points, such as a hydraulic cylinder, with a point mass at either end.

    m_a is at L_a from frame_a along the line, m_b at L_b from frame_b. With the line e = (r_b - r_a)/s the mass m_a
    accelerates with a_a + L_a d2e/dt2.
    """

    world = tg.outer("world")
    m_a = tg.parameter(1.0, "kg", "mass at the end of frame_a", min=0.0)
    m_b = tg.parameter(1.0, "kg", "mass at the end of frame_b", min=0.0)
    L_a = tg.parameter(0.0, "m", "distance of m_a from frame_a")
    L_b = tg.parameter(0.0, "m", "distance of m_b from frame_b")
    e_rate = tg.variable("1/s", "derivative of e", shape=3)
    e_turning = tg.variable("1/s2", "second derivative of e", shape=3)
    F_a = tg.variable("N", "what moves m_a, less its weight", shape=3)
    F_b = tg.variable("N", "what moves m_b, less its weight", shape=3)

    def equations(self) -> Statements:
        a, b = self.frame_a, self.frame_b
        v = b.v_0 - a.v_0
        moved = b.a_0 - a.a_0
        stretching = self.e @ v
        yield self.e_rate == (v - self.e * stretching) / self.s
        faster = self.e @ moved + self.s * (self.e_rate @ self.e_rate)
        yield self.e_turning == (moved - self.e * faster - 2.0 * stretching * self.e_rate) / self.s
        yield self.F_a == self.m_a * (a.a_0 + self.L_a * self.e_turning - self._g(a.r_0 + self.L_a * self.e))
        yield self.F_b == self.m_b * (b.a_0 - self.L_b * self.e_turning - self._g(b.r_0 - self.L_b * self.e))

    def loads(self) -> tuple[Any, Any]:
        turning = (self.L_a * self._across(self.F_a) - self.L_b * self._across(self.F_b)) / self.s
        return self.F_a - turning, self.F_b + turning

    def _across(self, F: Any) -> Any:
        return F - self.e * (self.e @ F)

    def _g(self, place: Any) -> Any:
        return self.world.gravity_at(place)


class MassBetween(TwoFrames):
    """A point mass halfway between two frames, each of which feels F = m/2 ((a_a + a_b)/2 - g)."""

    world = tg.outer("world")
    m = tg.parameter(1.0, "kg", "mass", min=0.0)
    F = tg.variable("N", "half of what moves the mass, less its weight", shape=3)

    def equations(self) -> Statements:
        a = self.frame_a
        b = self.frame_b
        moved = 0.5 * (a.a_0 + b.a_0)
        yield self.F == 0.5 * self.m * (moved - self.world.gravity_at(0.5 * (a.r_0 + b.r_0)))
        for frame in (a, b):
            yield frame.f == frame.R @ self.F
            yield frame.t == 0.0

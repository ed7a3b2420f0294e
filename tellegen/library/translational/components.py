"""Masses, rods, levers, springs, dampers, elastic and rigid stops."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library import one_sided, rigid_contact
from tellegen.library.losses import Lossy
from tellegen.library.translational.interfaces import Compliant, CompliantWithSpeed, Flange, Statements, TwoFlanges


class Fixed(tg.Component):
    """A flange held in place: flange.s = s0."""

    flange = Flange()
    s0 = tg.parameter(0.0, "m", "position")

    def equations(self) -> Statements:
        yield self.flange.s == self.s0


class Mass(tg.Component):
    """A sliding mass without friction: m dv/dt = sum of forces; flange_a.s = s - L/2, flange_b.s = s + L/2."""

    flange_a = Flange()
    flange_b = Flange()
    m = tg.parameter(1.0, "kg", "mass", min=0.0)
    L = tg.parameter(0.0, "m", "length from flange_a to flange_b")
    s = tg.variable("m", "position of the centre", start=0.0, state="prefer")
    v = tg.variable("m/s", "velocity", start=0.0, state="prefer")
    a = tg.variable("m/s2", "acceleration")

    def equations(self) -> Statements:
        yield self.flange_a.s == self.s - self.L / 2
        yield self.flange_b.s == self.s + self.L / 2
        yield self.v == tg.der(self.s)
        yield self.a == tg.der(self.v)
        yield self.m * self.a == self.flange_a.f + self.flange_b.f


class Rod(tg.Component):
    """A rigid rod without mass: flange_b.s = flange_a.s + L."""

    flange_a = Flange()
    flange_b = Flange()
    L = tg.parameter(0.0, "m", "length from flange_a to flange_b")

    def equations(self) -> Statements:
        yield self.flange_b.s == self.flange_a.s + self.L
        yield self.flange_a.f + self.flange_b.f == 0


class Lever(TwoFlanges):
    """A lever without mass, for small angles: s_a = ratio s_b against the pivot, ratio f_a + f_b = 0.

    ratio is the arm of flange_a over the arm of flange_b, negative if the pivot is between them (they then move against
    each other) and positive if both are on one side. The pivot is the flange support, or the ground; it holds the lever
    with the force f_pivot = -(f_a + f_b).
    """

    ratio = tg.parameter(-1.0, "1", "arm of flange_a over arm of flange_b, negative with the pivot between them")
    f_pivot = tg.variable("N", "force of the pivot on the lever")

    def equations(self) -> Statements:
        yield self.position(self.flange_a) == self.ratio * self.position(self.flange_b)
        yield self.ratio * self.flange_a.f + self.flange_b.f == 0
        yield self.f_pivot == -(self.flange_a.f + self.flange_b.f)


class Spring(Compliant):
    """f = c (s_rel - s_rel0): positive when stretched."""

    c = tg.parameter(1.0, "N/m", "stiffness", min=0.0)
    s_rel0 = tg.parameter(0.0, "m", "length without force")

    def equations(self) -> Statements:
        yield self.f == self.c * (self.s_rel - self.s_rel0)


class Damper(Lossy, Compliant):
    """f = d ds_rel/dt; the heat f v_rel leaves through the heat port if there is one."""

    d = tg.parameter(1.0, "N.s/m", "damping constant", min=0.0)
    v_rel = tg.variable("m/s", "relative velocity")

    def losses(self) -> Any:
        return self.f * self.v_rel

    def equations(self) -> Statements:
        yield self.v_rel == tg.der(self.s_rel)
        yield self.f == self.d * self.v_rel


class SpringDamper(Lossy, CompliantWithSpeed):
    """A spring and a damper side by side: f = c (s_rel - s_rel0) + d v_rel, positive when stretched.

    The heat d v_rel^2 leaves through the heat port if there is one.
    """

    c = tg.parameter(1.0, "N/m", "stiffness", min=0.0)
    d = tg.parameter(1.0, "N.s/m", "damping constant", min=0.0)
    s_rel0 = tg.parameter(0.0, "m", "length without force of the spring")

    def losses(self) -> Any:
        return self.d * self.v_rel**2

    def equations(self) -> Statements:
        yield self.f == self.c * (self.s_rel - self.s_rel0) + self.d * self.v_rel


class ElastoGap(Lossy, CompliantWithSpeed):
    """An elastic stop: nothing while s_rel > s_rel0, a spring and a damper that push when the gap is closed.

    With the depth e = s_rel0 - s_rel > 0 the spring pushes the flanges apart by c e (by c e0 (e/e0)^n if n is not 1).
    The damper adds d de/dt, but no more than the spring either way: the force begins at zero with the touch, does not
    jump, and never holds together what parts. f is minus that, as every force between two flanges is positive when it
    pulls. With a Fixed connected to it this is an end stop. The heat leaves through the heat port if there is one.
    """

    c = tg.parameter(1.0, "N/m", "stiffness", min=0.0)
    d = tg.parameter(1.0, "N.s/m", "damping constant", min=0.0)
    s_rel0 = tg.parameter(0.0, "m", "distance below which the flanges touch")
    limited_damping = tg.parameter(
        True, structural=True, description="no more damping than the spring has force; else it jumps at the touch"
    )
    n = tg.parameter(1.0, structural=True, description="exponent of the spring: 1 linear, 1.5 for spheres (Hertz)")
    e0 = tg.parameter(1.0, "m", "with n other than 1: the depth at which the spring has the force c e0", min=1e-300)
    f_c = tg.variable("N", "the part of the spring, positive when it pulls")

    def losses(self) -> Any:
        return (self.f - self.f_c) * self.v_rel

    def equations(self) -> Statements:
        depth = self.s_rel0 - self.s_rel
        bend = None if self.n == 1 else (self.n, self.e0)
        push = one_sided.law(self.limited_damping)
        yield self.f_c == -one_sided.spring(depth, self.c, bend)
        yield self.f == -push(depth, -self.v_rel, self.c, self.d, bend)


class RigidContact(CompliantWithSpeed):
    """A rigid stop: s_rel >= s_rel0, with impacts v_rel := -e v_rel that take no time.

    This is Newton's law of restitution. The impulse of an impact acts on all masses that move with the flanges, also
    through rods and gears. A rebound slower than v_rest is none: the flanges then touch and move together, until a
    force parts them. mode is "apart" or "touching"; f is the force while they touch, negative because it pushes, and
    does not contain impacts. Flanges in mode "touching" take the impact of a third body as one; a row of masses at
    distance zero in mode "apart" passes it on, one by one. With a Fixed connected to it this is an end stop.
    """

    s_rel0 = tg.parameter(0.0, "m", "smallest distance")
    e = tg.parameter(1.0, "1", "restitution: 1 elastic, 0 plastic", min=0.0, max=1.0)
    v_rest = tg.parameter(0.01, "m/s", "the slowest rebound", min=0.0)

    def equations(self) -> Statements:
        gap = self.s_rel - self.s_rel0
        yield rigid_contact.contact(gap, self.v_rel, -self.f, self.e, self.v_rest)

"""Masses, springs and dampers."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.translational.interfaces import Compliant, Flange, Statements


class Fixed(tg.Component):
    """A flange held in place."""

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


class Spring(Compliant):
    """f = c (s_rel - s_rel0): positive when stretched."""

    c = tg.parameter(1.0, "N/m", "stiffness", min=0.0)
    s_rel0 = tg.parameter(0.0, "m", "length without force")

    def equations(self) -> Statements:
        yield self.f == self.c * (self.s_rel - self.s_rel0)


class Damper(Compliant):
    """f = d ds_rel/dt."""

    d = tg.parameter(1.0, "N.s/m", "damping constant", min=0.0)
    v_rel = tg.variable("m/s", "relative velocity")

    def equations(self) -> Statements:
        yield self.v_rel == tg.der(self.s_rel)
        yield self.f == self.d * self.v_rel

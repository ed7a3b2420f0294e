"""Inertias, springs, dampers and gears."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.rotational.interfaces import Compliant, Flange, Statements


class Fixed(tg.Component):
    """A flange held at an angle."""

    flange = Flange()
    phi0 = tg.parameter(0.0, "rad", "angle")

    def equations(self) -> Statements:
        yield self.flange.phi == self.phi0


class Inertia(tg.Component):
    """A rigid rotor: J dw/dt = sum of torques."""

    flange_a = Flange()
    flange_b = Flange()
    J = tg.parameter(1.0, "kg.m2", "moment of inertia", min=0.0)
    phi = tg.variable("rad", "absolute angle", start=0.0, state="prefer")
    w = tg.variable("rad/s", "angular velocity", start=0.0, state="prefer")
    a = tg.variable("rad/s2", "angular acceleration")

    def equations(self) -> Statements:
        yield self.phi == self.flange_a.phi
        yield self.phi == self.flange_b.phi
        yield self.w == tg.der(self.phi)
        yield self.a == tg.der(self.w)
        yield self.J * self.a == self.flange_a.tau + self.flange_b.tau


class Spring(Compliant):
    """tau = c (phi_rel - phi_rel0)."""

    c = tg.parameter(1.0, "N.m/rad", "stiffness", min=0.0)
    phi_rel0 = tg.parameter(0.0, "rad", "angle without torque")

    def equations(self) -> Statements:
        yield self.tau == self.c * (self.phi_rel - self.phi_rel0)


class Damper(Compliant):
    """tau = d dphi_rel/dt."""

    d = tg.parameter(1.0, "N.m.s/rad", "damping constant", min=0.0)
    w_rel = tg.variable("rad/s", "relative velocity")

    def equations(self) -> Statements:
        yield self.w_rel == tg.der(self.phi_rel)
        yield self.tau == self.d * self.w_rel


class IdealGear(tg.Component):
    """phi_a = ratio phi_b without losses: ratio tau_a + tau_b = 0."""

    flange_a = Flange()
    flange_b = Flange()
    ratio = tg.parameter(1.0, "1", "angle of flange_a over angle of flange_b")

    def equations(self) -> Statements:
        yield self.flange_a.phi == self.ratio * self.flange_b.phi
        yield self.ratio * self.flange_a.tau + self.flange_b.tau == 0

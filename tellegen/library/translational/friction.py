"""Dry friction between rods, and between a rod and the ground: sliding, or stuck exactly. See library/stick_slip.py."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.stick_slip import FREE, RELEASED, Contact, stick_slip
from tellegen.library.translational.interfaces import Compliant, Flange, Statements


class Friction(Compliant):
    """Coulomb, viscous and Stribeck friction between two flanges: f = F_Coulomb + F_Stribeck exp(-fexp v) + F_prop v.

    That is for v = dflange_b/dt - dflange_a/dt > 0; for v < 0 the force is opposite, and at v = 0 it is what keeps the
    flanges together, at most peak (F_Coulomb + F_Stribeck). mode is 1 sliding forward, 0 stuck, -1 sliding backward.
    """

    F_Coulomb = tg.parameter(1.0, "N", "constant part of the sliding force", min=0.0)
    F_Stribeck = tg.parameter(0.0, "N", "what it takes more to break loose", min=0.0)
    fexp = tg.parameter(2.0, "s/m", "decay of that with the velocity", min=0.0)
    F_prop = tg.parameter(0.0, "N.s/m", "viscous part", min=0.0)
    peak = tg.parameter(1.0, "1", "largest force at rest over the one at the slowest sliding", min=1.0)
    v_small = tg.parameter(1e-6, "m/s", "velocities below are taken for rest after an impact", min=0.0)
    v = tg.variable("m/s", "sliding velocity, flange_b less flange_a", start=0.0)
    a = tg.variable("m/s2", "its derivative")
    mode = tg.integer("1 forward, 0 stuck, -1 backward", start=FREE)

    def equations(self) -> Statements:
        yield self.v == tg.der(self.s_rel)
        yield self.a == tg.der(self.v)
        speed = abs(self.v)
        sliding = self.F_Coulomb + self.F_Stribeck * tg.exp(-self.fexp * speed) + self.F_prop * speed
        holding = self.peak * (self.F_Coulomb + self.F_Stribeck)
        yield from stick_slip(Contact(self.mode, self.v, self.a, self.f, sliding, holding, self.v_small))


class OnGround(tg.Component):
    """A rod that slides along the ground: both flanges at position s, the ground resists with the force f."""

    flange_a = Flange()
    flange_b = Flange()
    v_small = tg.parameter(1e-6, "m/s", "velocities below are taken for rest after an impact", min=0.0)
    s = tg.variable("m", "position")
    v = tg.variable("m/s", "velocity", start=0.0)
    a = tg.variable("m/s2", "acceleration")
    f = tg.variable("N", "friction force, positive against positive v")

    def equations(self) -> Statements:
        yield self.s == self.flange_a.s
        yield self.s == self.flange_b.s
        yield self.v == tg.der(self.s)
        yield self.a == tg.der(self.v)
        yield self.flange_a.f + self.flange_b.f == self.f


class SupportFriction(OnGround):
    """Coulomb, viscous and Stribeck friction on the ground: f = F_Coulomb + F_Stribeck exp(-fexp v) + F_prop v.

    That is for v > 0; for v < 0 the force is opposite, and at v = 0 it is what holds the rod, at most
    peak (F_Coulomb + F_Stribeck). mode is 1 sliding forward, 0 stuck, -1 sliding backward.
    """

    F_Coulomb = tg.parameter(1.0, "N", "constant part of the sliding force", min=0.0)
    F_Stribeck = tg.parameter(0.0, "N", "what it takes more to break loose", min=0.0)
    fexp = tg.parameter(2.0, "s/m", "decay of that with the velocity", min=0.0)
    F_prop = tg.parameter(0.0, "N.s/m", "viscous part", min=0.0)
    peak = tg.parameter(1.0, "1", "largest force at rest over the one at the slowest sliding", min=1.0)
    mode = tg.integer("1 forward, 0 stuck, -1 backward", start=FREE)

    def equations(self) -> Statements:
        speed = abs(self.v)
        sliding = self.F_Coulomb + self.F_Stribeck * tg.exp(-self.fexp * speed) + self.F_prop * speed
        holding = self.peak * (self.F_Coulomb + self.F_Stribeck)
        yield from stick_slip(Contact(self.mode, self.v, self.a, self.f, sliding, holding, self.v_small))


class Brake(OnGround):
    """Brake against the ground: f = cgeo mu fn_max f_normalized while sliding, at most peak times that while holding.

    mode is 2 released (f_normalized is not positive), 1 sliding forward, 0 holding, -1 sliding backward.
    """

    f_normalized = tg.input("1", "normal force over fn_max, released at 0 and below")
    fn_max = tg.parameter(1.0, "N", "largest normal force", min=0.0)
    mu = tg.parameter(0.5, "1", "coefficient of sliding friction", min=0.0)
    peak = tg.parameter(1.0, "1", "largest friction at rest over sliding friction", min=1.0)
    cgeo = tg.parameter(1.0, "1", "geometry: number of faces", min=0.0)
    mode = tg.integer("2 released, 1 forward, 0 holding, -1 backward", start=FREE)

    def equations(self) -> Statements:
        sliding = self.cgeo * self.mu * self.fn_max * tg.maximum(self.f_normalized, 0.0)
        contact = Contact(self.mode, self.v, self.a, self.f, sliding, self.peak * sliding, self.v_small)
        yield from stick_slip(contact, free=self.f_normalized <= RELEASED)

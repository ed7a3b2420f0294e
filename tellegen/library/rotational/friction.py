"""Dry friction of shafts: bearings, brakes, clutches and freewheels, sliding or stuck exactly.

How sticking is decided stands in library/stick_slip.py.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.rotational.interfaces import Compliant, Flange, Statements
from tellegen.library.stick_slip import FREE, RELEASED, Contact, stick_slip


class InHousing(tg.Component):
    """A shaft in a housing at rest: both flanges at angle phi, the housing resists with the torque tau."""

    flange_a = Flange()
    flange_b = Flange()
    w_small = tg.parameter(1e-6, "rad/s", "velocities below are taken for rest after an impact", min=0.0)
    phi = tg.variable("rad", "angle")
    w = tg.variable("rad/s", "angular velocity", start=0.0)
    a = tg.variable("rad/s2", "angular acceleration")
    tau = tg.variable("N.m", "friction torque, positive against positive w")

    def equations(self) -> Statements:
        yield self.phi == self.flange_a.phi
        yield self.phi == self.flange_b.phi
        yield self.w == tg.der(self.phi)
        yield self.a == tg.der(self.w)
        yield self.flange_a.tau + self.flange_b.tau == self.tau


class BearingFriction(InHousing):
    """Coulomb, viscous and Stribeck friction: tau = tau_Coulomb + tau_Stribeck exp(-w/w_Stribeck) + tau_prop w.

    That is for w > 0; for w < 0 the torque is opposite, and at w = 0 it is what holds the shaft, at most
    peak (tau_Coulomb + tau_Stribeck). mode is 1 sliding forward, 0 stuck, -1 sliding backward.
    """

    tau_Coulomb = tg.parameter(1.0, "N.m", "constant part of the sliding torque", min=0.0)
    tau_Stribeck = tg.parameter(0.0, "N.m", "what it takes more to break loose", min=0.0)
    w_Stribeck = tg.parameter(0.5, "rad/s", "velocity at which a third of that is left", min=0.0)
    tau_prop = tg.parameter(0.0, "N.m.s/rad", "viscous part", min=0.0)
    peak = tg.parameter(1.0, "1", "largest torque at rest over the one at the slowest sliding", min=1.0)
    mode = tg.integer("1 forward, 0 stuck, -1 backward", start=FREE)

    def equations(self) -> Statements:
        speed = abs(self.w)
        sliding = self.tau_Coulomb + self.tau_Stribeck * tg.exp(-speed / self.w_Stribeck) + self.tau_prop * speed
        holding = self.peak * (self.tau_Coulomb + self.tau_Stribeck)
        yield from stick_slip(Contact(self.mode, self.w, self.a, self.tau, sliding, holding, self.w_small))


class Brake(InHousing):
    """Brake against the housing: tau = cgeo mu fn_max f_normalized while sliding, at most peak times that at rest.

    mode is 2 released (f_normalized is not positive), 1 sliding forward, 0 holding, -1 sliding backward.
    """

    f_normalized = tg.input("1", "normal force over fn_max, released at 0 and below")
    fn_max = tg.parameter(1.0, "N", "largest normal force", min=0.0)
    mu = tg.parameter(0.5, "1", "coefficient of sliding friction", min=0.0)
    peak = tg.parameter(1.0, "1", "largest friction at rest over sliding friction", min=1.0)
    cgeo = tg.parameter(1.0, "m", "number of faces times mean radius", min=0.0)
    mode = tg.integer("2 released, 1 forward, 0 holding, -1 backward", start=FREE)

    def equations(self) -> Statements:
        sliding = self.cgeo * self.mu * self.fn_max * tg.maximum(self.f_normalized, 0.0)
        contact = Contact(self.mode, self.w, self.a, self.tau, sliding, self.peak * sliding, self.w_small)
        yield from stick_slip(contact, free=self.f_normalized <= RELEASED)


class PressedPlates(Compliant):
    """Two shafts with plates that are pressed together: relative motion and the torque of their friction."""

    fn_max = tg.parameter(1.0, "N", "largest normal force", min=0.0)
    mu = tg.parameter(0.5, "1", "coefficient of sliding friction", min=0.0)
    peak = tg.parameter(1.0, "1", "largest friction at rest over sliding friction", min=1.0)
    cgeo = tg.parameter(1.0, "m", "number of faces times mean radius", min=0.0)
    w_small = tg.parameter(1e-6, "rad/s", "velocities below are taken for rest after an impact", min=0.0)
    w_rel = tg.variable("rad/s", "sliding velocity, flange_b less flange_a", start=0.0, state="prefer")
    a_rel = tg.variable("rad/s2", "its derivative")
    slipping = tg.variable("N.m", "torque while sliding")

    def equations(self) -> Statements:
        yield self.w_rel == tg.der(self.phi_rel)
        yield self.a_rel == tg.der(self.w_rel)


class Clutch(PressedPlates):
    """Friction clutch: tau = cgeo mu fn_max f_normalized in the direction of w_rel, at most peak times that if stuck.

    mode is 2 open (f_normalized is not positive), 1 sliding forward, 0 stuck, -1 sliding backward.
    """

    f_normalized = tg.input("1", "normal force over fn_max, open at 0 and below")
    mode = tg.integer("2 open, 1 forward, 0 stuck, -1 backward", start=FREE)

    def equations(self) -> Statements:
        yield self.slipping == self.cgeo * self.mu * self.fn_max * tg.maximum(self.f_normalized, 0.0)
        holding = self.peak * self.slipping
        contact = Contact(self.mode, self.w_rel, self.a_rel, self.tau, self.slipping, holding, self.w_small)
        yield from stick_slip(contact, free=self.f_normalized <= RELEASED)


class OneWayClutch(PressedPlates):
    """Freewheel beside a clutch: flange_b may overrun flange_a, w_rel >= 0, and is driven where it would fall behind.

    While overrunning tau = cgeo mu fn_max f_normalized (0 for a plain freewheel); locked, tau is below peak times that
    and has no lower limit. mode is 1 overrunning, 0 locked.
    """

    f_normalized = tg.input("1", "normal force over fn_max", default=0.0)
    mode = tg.integer("1 overrunning, 0 locked", start=FREE)

    def equations(self) -> Statements:
        yield self.slipping == self.cgeo * self.mu * self.fn_max * tg.maximum(self.f_normalized, 0.0)
        holding = self.peak * self.slipping
        contact = Contact(self.mode, self.w_rel, self.a_rel, self.tau, self.slipping, holding, self.w_small)
        yield from stick_slip(contact, one_way=True)
        yield tg.assert_(self.w_rel > -1e-3, "flange_b turns backward against flange_a: start it with w_rel >= 0")  # noqa: PT009

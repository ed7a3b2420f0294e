"""Dry friction of shafts: bearings, brakes, clutches and freewheels, sliding or stuck exactly."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.curves import checked, column
from tellegen.library.dry_friction import DryFriction, Motion, PressedFriction, coulomb_stribeck
from tellegen.library.rotational.interfaces import Compliant, Statements, TwoFlanges


class InHousing(TwoFlanges):
    """A shaft in a housing: both flanges at the angle phi against it, and it resists with the torque tau."""

    w_small = tg.parameter(1e-6, "rad/s", "velocities below this count as standstill", min=0.0)
    phi = tg.variable("rad", "angle against the housing")
    w = tg.variable("rad/s", "angular velocity", start=0.0)
    a = tg.variable("rad/s2", "angular acceleration")
    tau = tg.variable("N.m", "friction torque, positive against positive w")

    def motion(self) -> Motion:
        return Motion(self.w, self.a, self.tau, self.w_small)

    def equations(self) -> Statements:
        yield self.flange_b.phi == self.flange_a.phi
        yield self.phi == self.angle(self.flange_a)
        yield self.w == tg.der(self.phi)
        yield self.a == tg.der(self.w)
        yield self.flange_a.tau + self.flange_b.tau == self.tau


class BearingFriction(InHousing, DryFriction):
    """Coulomb, viscous and Stribeck friction: tau = tau_Coulomb + tau_Stribeck exp(-w/w_Stribeck) + tau_prop w.

    That is for w > 0; for w < 0 the torque is opposite, and at w = 0 it is what holds the shaft, at most
    peak (tau_Coulomb + tau_Stribeck). mode is 1 sliding forward, 0 stuck, -1 sliding backward. With use_heat_port the
    heat tau w leaves through heat_port.

    A measured curve takes the place of the formula: tau_pos=[[w, tau], ...] with rising w >= 0, straight lines between
    the points, the last value beyond them.
    """

    tau_Coulomb = tg.parameter(1.0, "N.m", "constant part of the sliding torque", min=0.0)
    tau_Stribeck = tg.parameter(0.0, "N.m", "what it takes more to break loose", min=0.0)
    w_Stribeck = tg.parameter(0.5, "rad/s", "velocity at which a third of that is left", min=0.0)
    tau_prop = tg.parameter(0.0, "N.m.s/rad", "viscous part", min=0.0)
    tau_pos = tg.parameter((), structural=True, description="rows [w, tau] instead of the formula")

    def sliding(self, speed: tg.Expression) -> Any:
        if len(self.tau_pos):
            return column(checked(self.tau_pos, self, "[w, tau]"), 1, speed)
        viscous = self.tau_prop * speed
        return coulomb_stribeck(self.tau_Coulomb, self.tau_Stribeck, speed / self.w_Stribeck, viscous)


class Brake(InHousing, PressedFriction):
    """Brake against the housing: tau = cgeo mu fn_max f_normalized while sliding, at most peak times that at rest.

    mode is 2 released (f_normalized is not positive), 1 sliding forward, 0 holding, -1 sliding backward. With
    use_heat_port the heat tau w leaves through heat_port.
    """

    cgeo = tg.parameter(1.0, "m", "number of faces times mean radius", min=0.0)


class PressedPlates(Compliant, PressedFriction):
    """Two shafts with plates that are pressed together: relative motion and the torque of their friction."""

    cgeo = tg.parameter(1.0, "m", "number of faces times mean radius", min=0.0)
    w_small = tg.parameter(1e-6, "rad/s", "velocities below this count as standstill", min=0.0)
    w_rel = tg.variable("rad/s", "sliding velocity, flange_b less flange_a", start=0.0, state="prefer")
    a_rel = tg.variable("rad/s2", "its derivative")

    def motion(self) -> Motion:
        return Motion(self.w_rel, self.a_rel, self.tau, self.w_small)

    def equations(self) -> Statements:
        yield self.w_rel == tg.der(self.phi_rel)
        yield self.a_rel == tg.der(self.w_rel)


class Clutch(PressedPlates):
    """Friction clutch: tau = cgeo mu fn_max f_normalized in the direction of w_rel, at most peak times that if stuck.

    mode is 2 open (f_normalized is not positive), 1 sliding forward, 0 stuck, -1 sliding backward. With use_heat_port
    the heat tau w_rel leaves through heat_port.
    """


class OneWayClutch(PressedPlates):
    """Freewheel beside a clutch: flange_b may overrun flange_a, w_rel >= 0, and is driven where it would fall behind.

    While overrunning tau = cgeo mu fn_max f_normalized (0 for a plain freewheel); locked, tau is below peak times that
    and has no lower limit. mode is 1 overrunning, 0 locked. With use_heat_port the heat tau w_rel leaves through
    heat_port.
    """

    f_normalized = tg.input("1", "normal force over fn_max", default=0.0)

    def contact(self) -> dict[str, Any]:
        return {"bars_backward": True}

    def equations(self) -> Statements:
        yield tg.assert_(self.w_rel > -1e-3, "flange_b turns backward against flange_a: start it with w_rel >= 0")  # noqa: PT009

"""Dry friction between rods, and of a rod in its housing: sliding, or stuck exactly; a mass between hard stops."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.curves import checked, column
from tellegen.library.dry_friction import DryFriction, Motion, PressedFriction, coulomb_stribeck
from tellegen.library.translational.interfaces import Compliant, Flange, Statements, TwoFlanges


class Lubricated(DryFriction):
    """Coulomb, viscous and Stribeck friction: F_Coulomb + F_Stribeck exp(-fexp v) + F_prop v at sliding speed v."""

    F_Coulomb = tg.parameter(1.0, "N", "constant part of the sliding force", min=0.0)
    F_Stribeck = tg.parameter(0.0, "N", "what it takes more to break loose", min=0.0)
    fexp = tg.parameter(2.0, "s/m", "decay of that with the velocity", min=0.0)
    F_prop = tg.parameter(0.0, "N.s/m", "viscous part", min=0.0)
    v_small = tg.parameter(1e-6, "m/s", "velocities below this count as standstill", min=0.0)

    def sliding(self, speed: tg.Expression) -> Any:
        return coulomb_stribeck(self.F_Coulomb, self.F_Stribeck, self.fexp * speed, self.F_prop * speed)


class Friction(Lubricated, Compliant):
    """Coulomb, viscous and Stribeck friction between two flanges: f = F_Coulomb + F_Stribeck exp(-fexp v) + F_prop v.

    That is for v = dflange_b/dt - dflange_a/dt > 0; for v < 0 the force is opposite, and at v = 0 it is what keeps the
    flanges together, at most peak (F_Coulomb + F_Stribeck). mode is 1 sliding forward, 0 stuck, -1 sliding backward.
    With use_heat_port the heat f v leaves through heat_port.
    """

    v = tg.variable("m/s", "sliding velocity, flange_b less flange_a", start=0.0)
    a = tg.variable("m/s2", "its derivative")

    def motion(self) -> Motion:
        return Motion(self.v, self.a, self.f, self.v_small)

    def equations(self) -> Statements:
        yield self.v == tg.der(self.s_rel)
        yield self.a == tg.der(self.v)


class OnGround(TwoFlanges):
    """A rod that slides in a housing or along the ground: both flanges at s against it, it resists with the force f."""

    v_small = tg.parameter(1e-6, "m/s", "velocities below this count as standstill", min=0.0)
    s = tg.variable("m", "position against the housing")
    v = tg.variable("m/s", "velocity", start=0.0)
    a = tg.variable("m/s2", "acceleration")
    f = tg.variable("N", "friction force, positive against positive v")

    def motion(self) -> Motion:
        return Motion(self.v, self.a, self.f, self.v_small)

    def equations(self) -> Statements:
        yield self.flange_b.s == self.flange_a.s
        yield self.s == self.position(self.flange_a)
        yield self.v == tg.der(self.s)
        yield self.a == tg.der(self.v)
        yield self.flange_a.f + self.flange_b.f == self.f


class SupportFriction(OnGround, Lubricated):
    """Coulomb, viscous and Stribeck friction on the ground: f = F_Coulomb + F_Stribeck exp(-fexp v) + F_prop v.

    That is for v > 0; for v < 0 the force is opposite, and at v = 0 it is what holds the rod, at most
    peak (F_Coulomb + F_Stribeck). mode is 1 sliding forward, 0 stuck, -1 sliding backward. With use_heat_port the heat
    f v leaves through heat_port.

    A measured curve takes the place of the formula: f_pos=[[v, f], ...] with rising v >= 0, straight lines between the
    points, the last value beyond them.
    """

    f_pos = tg.parameter((), structural=True, description="rows [v, f] instead of the formula")

    def sliding(self, speed: tg.Expression) -> Any:
        return column(checked(self.f_pos, self, "[v, f]"), 1, speed) if len(self.f_pos) else super().sliding(speed)


class Brake(OnGround, PressedFriction):
    """Brake against the ground: f = cgeo mu fn_max f_normalized while sliding, at most peak times that while holding.

    mode is 2 released (f_normalized is not positive), 1 sliding forward, 0 holding, -1 sliding backward. With
    use_heat_port the heat f v leaves through heat_port.
    """

    cgeo = tg.parameter(1.0, "1", "geometry: number of faces", min=0.0)


class MassWithStopAndFriction(Lubricated):
    """A mass that slides with friction between two hard stops: m a = flange_a.f + flange_b.f - f.

    Its ends stay between the stops, smin <= s - L/2 and s + L/2 <= smax.
    Friction is that of SupportFriction. At a stop the mass loses its velocity at once (it does not bounce) and stays
    until it is pushed away by more than the friction; f is then friction and force of the stop together, positive
    against positive v. mode is 1 moving forward, 0 at rest, -1 moving backward. With use_heat_port the heat of the
    friction leaves through heat_port; the energy of an impact, which takes no time, does not.

    The velocity jumps, so it has to be a state: the mass cannot be joined rigidly to another one (take one mass, or a
    stiff spring between them).
    """

    flange_a = Flange()
    flange_b = Flange()
    m = tg.parameter(1.0, "kg", "mass", min=0.0)
    L = tg.parameter(0.0, "m", "length from flange_a to flange_b")
    smin = tg.parameter(-25.0, "m", "position of the lower stop")
    smax = tg.parameter(25.0, "m", "position of the upper stop")
    s = tg.variable("m", "position of the centre", start=0.0, state="always")
    v = tg.variable("m/s", "velocity", start=0.0, state="always")
    a = tg.variable("m/s2", "acceleration")
    f = tg.variable("N", "friction, and the force of a stop while it lies there")

    def motion(self) -> Motion:
        return Motion(self.v, self.a, self.f, self.v_small)

    def contact(self) -> dict[str, Any]:
        return {"bars_forward": self.s >= self.highest(), "bars_backward": self.s <= self.lowest()}

    def highest(self) -> Any:
        """The position of the centre at the upper stop."""
        return self.smax - self.L / 2

    def lowest(self) -> Any:
        """The position of the centre at the lower stop."""
        return self.smin + self.L / 2

    def equations(self) -> Statements:
        yield self.flange_a.s == self.s - self.L / 2
        yield self.flange_b.s == self.s + self.L / 2
        yield self.v == tg.der(self.s)
        yield self.a == tg.der(self.v)
        yield self.m * self.a == self.flange_a.f + self.flange_b.f - self.f
        yield tg.when(self.s >= self.highest(), tg.reinit(self.v, tg.minimum(tg.pre(self.v), 0.0)))
        yield tg.when(self.s <= self.lowest(), tg.reinit(self.v, tg.maximum(tg.pre(self.v), 0.0)))
        yield tg.assert_(self.smin < self.smax, "the lower stop has to be below the upper one: smin < smax")  # noqa: PT009

"""Gears without losses: two shafts, three shafts, and a shaft with a rod."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library import translational
from tellegen.library.rotational.interfaces import Flange, Statements, Supported, TwoFlanges


class IdealGear(TwoFlanges):
    """phi_a = ratio phi_b without losses: ratio tau_a + tau_b = 0; angles are against the housing.

    The housing, which is the flange support or the ground, takes the torque -(tau_a + tau_b).
    """

    ratio = tg.parameter(1.0, "1", "angle of flange_a over angle of flange_b; negative turns round")

    def equations(self) -> Statements:
        yield self.angle(self.flange_a) == self.ratio * self.angle(self.flange_b)
        yield self.ratio * self.flange_a.tau + self.flange_b.tau == 0


class IdealPlanetary(tg.Component):
    """Planetary gear without losses and inertias: (1 + ratio) phi_carrier = phi_sun + ratio phi_ring.

    Power is conserved for every motion, so tau_ring = ratio tau_sun and tau_carrier = -(1 + ratio) tau_sun. Two of the
    three shafts move freely; a housing is what one of them is fixed to.
    """

    sun = Flange("sun wheel")
    carrier = Flange("carrier of the planets")
    ring = Flange("ring wheel")
    ratio = tg.parameter(100 / 50, "1", "teeth of the ring over teeth of the sun", min=0.0)

    def equations(self) -> Statements:
        yield (1 + self.ratio) * self.carrier.phi == self.sun.phi + self.ratio * self.ring.phi
        yield self.ring.tau == self.ratio * self.sun.tau
        yield self.carrier.tau == -(1 + self.ratio) * self.sun.tau


class IdealDifferential(Supported):
    """Final drive and differential: flange_a turns ratio times as fast as the mean of left and right.

    phi_a = ratio (phi_left + phi_right)/2, and both wheels get the same torque: tau_left = tau_right = -ratio tau_a/2.
    """

    flange_a = Flange("propeller shaft")
    left = Flange("left wheel")
    right = Flange("right wheel")
    ratio = tg.parameter(1.0, "1", "ratio of the final drive")

    def torque_in(self) -> Any:
        return self.flange_a.tau + self.left.tau + self.right.tau

    def equations(self) -> Statements:
        wheels = self.angle(self.left) + self.angle(self.right)
        yield self.angle(self.flange_a) == self.ratio * wheels / 2
        yield self.left.tau == self.right.tau
        yield self.left.tau == -self.ratio * self.flange_a.tau / 2


class RotationToTranslation(tg.Component):
    """A shaft flange_r and a rod flange_t, with a housing for each: the ground, or support_r and support_t."""

    flange_r = Flange("shaft")
    flange_t = translational.Flange("rod")
    use_support_r = tg.parameter(False, structural=True, description="the housing of the shaft is support_r")
    use_support_t = tg.parameter(False, structural=True, description="the housing of the rod is support_t")
    support_r = Flange("housing of the shaft").only_if(use_support_r)
    support_t = translational.Flange("housing of the rod").only_if(use_support_t)

    def angle(self) -> Any:
        """The angle of the shaft in its housing."""
        return self.flange_r.phi - self.support_r.phi if self.use_support_r else self.flange_r.phi

    def position(self) -> Any:
        """The position of the rod in its housing."""
        return self.flange_t.s - self.support_t.s if self.use_support_t else self.flange_t.s

    def equations(self) -> Statements:
        if self.use_support_r:
            yield self.support_r.tau == -self.flange_r.tau
        if self.use_support_t:
            yield self.support_t.f == -self.flange_t.f


class IdealGearR2T(RotationToTranslation):
    """A spindle: phi = ratio s without losses, ratio tau + f = 0."""

    ratio = tg.parameter(1.0, "rad/m", "angle of the shaft over the path of the rod")

    def equations(self) -> Statements:
        yield self.angle() == self.ratio * self.position()
        yield self.ratio * self.flange_r.tau + self.flange_t.f == 0


class IdealRollingWheel(RotationToTranslation):
    """A wheel that rolls without slip and without mass: s = radius phi, tau + radius f = 0.

    flange_t is the axle: it moves forward, s > 0, as the wheel turns by phi > 0.
    """

    radius = tg.parameter(0.3, "m", "radius of the wheel", min=0.0)

    def equations(self) -> Statements:
        yield self.position() == self.radius * self.angle()
        yield self.flange_r.tau + self.radius * self.flange_t.f == 0


class RackAndPinion(RotationToTranslation):
    """A pinion on flange_r moves the rack flange_t: s = r phi without losses, tau + r f = 0."""

    r = tg.parameter(0.05, "m", "pitch radius of the pinion; negative with the rack on the other side")

    def equations(self) -> Statements:
        yield self.position() == self.r * self.angle()
        yield self.flange_r.tau + self.r * self.flange_t.f == 0

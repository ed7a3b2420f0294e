"""Between electricity and motion, without losses: v = k times a speed, and k times the current is what pulls.

The signs follow from energy. Power into the pins is v i = k w i; what goes in through the flanges, tau w, must be its
opposite, so the torque into the flange is tau = -k i. Through variables are positive into the component: with i > 0
the machine pushes a free shaft forward, it is a motor.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library import rotational, translational
from tellegen.library.electrical.interfaces import OnePort, Statements


class EMF(OnePort):
    """Ideal electromechanical transducer: v = k w, tau = -k i (power in equals power out).

    w is the velocity of the flange against the support, which is the ground unless `use_support` makes it a port.
    """

    flange = rotational.Flange("shaft")
    use_support = tg.parameter(False, structural=True, description="the housing is a flange, not the ground")
    support = rotational.Flange("housing").only_if(use_support)
    k = tg.parameter(1.0, "N.m/A", "transformation coefficient")
    phi = tg.variable("rad", "angle of the shaft in the housing")
    w = tg.variable("rad/s", "angular velocity of the shaft in the housing")

    def equations(self) -> Statements:
        if self.use_support:
            yield self.phi == self.flange.phi - self.support.phi
            yield self.flange.tau + self.support.tau == 0
        else:
            yield self.phi == self.flange.phi
        yield self.w == tg.der(self.phi)
        yield self.v == self.k * self.w
        yield self.flange.tau == -self.k * self.i


class TranslationalEMF(OnePort):
    """Ideal transducer to straight motion (voice coil, linear motor): v = k vel, f = -k i (power in equals power out).

    vel is the velocity of the flange against the support, which is the ground unless `use_support` makes it a port.
    """

    flange = translational.Flange("rod")
    use_support = tg.parameter(False, structural=True, description="the housing is a flange, not the ground")
    support = translational.Flange("housing").only_if(use_support)
    k = tg.parameter(1.0, "N/A", "transformation coefficient")
    s = tg.variable("m", "position of the rod in the housing")
    vel = tg.variable("m/s", "velocity of the rod in the housing")

    def equations(self) -> Statements:
        if self.use_support:
            yield self.s == self.flange.s - self.support.s
            yield self.flange.f + self.support.f == 0
        else:
            yield self.s == self.flange.s
        yield self.vel == tg.der(self.s)
        yield self.v == self.k * self.vel
        yield self.flange.f == -self.k * self.i

"""One-dimensional rotation: flanges with absolute angle phi and cut torque tau, positive into the component."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

__all__ = [
    "Compliant",
    "ConstantTorque",
    "Damper",
    "Fixed",
    "Flange",
    "IdealGear",
    "Inertia",
    "SpeedSensor",
    "Spring",
]

Statements = Iterator[Any]


class Flange(tg.Connector):
    """A shaft end."""

    phi = tg.across("rad", "absolute angle")
    tau = tg.through("N.m", "cut torque into the component")


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


class Compliant(tg.Component):
    """Two flanges and a torque that depends on what is between them; tau acts on flange_b, -tau on flange_a."""

    flange_a = Flange()
    flange_b = Flange()
    phi_rel = tg.variable("rad", "relative angle, flange_b less flange_a", start=0.0)
    tau = tg.variable("N.m", "torque between the flanges")

    def equations(self) -> Statements:
        yield self.phi_rel == self.flange_b.phi - self.flange_a.phi
        yield self.flange_b.tau == self.tau
        yield self.flange_a.tau == -self.tau


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


class ConstantTorque(tg.Component):
    """Drives its flange with a torque."""

    flange = Flange()
    tau_constant = tg.parameter(1.0, "N.m", "driving torque")

    def equations(self) -> Statements:
        yield self.flange.tau == -self.tau_constant


class SpeedSensor(tg.Component):
    """Measures the angular velocity of a flange."""

    flange = Flange()
    w = tg.output("rad/s", "angular velocity")

    def equations(self) -> Statements:
        yield self.flange.tau == 0
        yield self.w == tg.der(self.flange.phi)

"""Sensors of a shaft: they take no torque, and those between two flanges no power."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.rotational.interfaces import Flange, Statements


class Probe(tg.Component):
    """A flange that is looked at and left alone."""

    flange = Flange()

    def equations(self) -> Statements:
        yield self.flange.tau == 0


class AngleSensor(Probe):
    """Measures the angle of a flange, phi = flange.phi; takes no torque."""

    phi = tg.output("rad", "angle")

    def equations(self) -> Statements:
        yield self.phi == self.flange.phi


class SpeedSensor(Probe):
    """Measures the angular velocity of a flange, w = dphi/dt; takes no torque."""

    w = tg.output("rad/s", "angular velocity")

    def equations(self) -> Statements:
        yield self.w == tg.der(self.flange.phi)


class AccSensor(Probe):
    """Measures the angular acceleration of a flange, a = d2phi/dt2; takes no torque."""

    w = tg.variable("rad/s", "angular velocity")
    a = tg.output("rad/s2", "angular acceleration")

    def equations(self) -> Statements:
        yield self.w == tg.der(self.flange.phi)
        yield self.a == tg.der(self.w)


class RelativeProbe(tg.Component):
    """Two flanges that are compared and left alone; all differences are flange_b less flange_a."""

    flange_a = Flange()
    flange_b = Flange()

    def equations(self) -> Statements:
        yield self.flange_a.tau == 0
        yield self.flange_b.tau == 0


class RelAngleSensor(RelativeProbe):
    """Measures the relative angle, phi_rel = flange_b.phi - flange_a.phi."""

    phi_rel = tg.output("rad", "relative angle")

    def equations(self) -> Statements:
        yield self.phi_rel == self.flange_b.phi - self.flange_a.phi


class RelSpeedSensor(RelativeProbe):
    """Measures the angular velocity of flange_b less that of flange_a, w_rel = dphi_rel/dt."""

    phi_rel = tg.variable("rad", "relative angle")
    w_rel = tg.output("rad/s", "relative angular velocity")

    def equations(self) -> Statements:
        yield self.phi_rel == self.flange_b.phi - self.flange_a.phi
        yield self.w_rel == tg.der(self.phi_rel)


class RelAccSensor(RelativeProbe):
    """Measures the angular acceleration of flange_b less that of flange_a, a_rel = d2phi_rel/dt2."""

    phi_rel = tg.variable("rad", "relative angle")
    w_rel = tg.variable("rad/s", "relative angular velocity")
    a_rel = tg.output("rad/s2", "relative angular acceleration")

    def equations(self) -> Statements:
        yield self.phi_rel == self.flange_b.phi - self.flange_a.phi
        yield self.w_rel == tg.der(self.phi_rel)
        yield self.a_rel == tg.der(self.w_rel)


class Coupling(tg.Component):
    """A rigid coupling without inertia, in which something is measured."""

    flange_a = Flange()
    flange_b = Flange()

    def equations(self) -> Statements:
        yield self.flange_a.phi == self.flange_b.phi
        yield self.flange_a.tau + self.flange_b.tau == 0


class TorqueSensor(Coupling):
    """Measures the torque from flange_a to flange_b: tau = flange_a.tau."""

    tau = tg.output("N.m", "torque")

    def equations(self) -> Statements:
        yield self.tau == self.flange_a.tau


class PowerSensor(Coupling):
    """Measures the power from flange_a to flange_b: power = flange_a.tau w."""

    power = tg.output("W", "power")

    def equations(self) -> Statements:
        yield self.power == self.flange_a.tau * tg.der(self.flange_a.phi)


class MultiSensor(Coupling):
    """Measures the power = tau w that goes from flange_a to flange_b in a shaft, the torque tau and the velocity w."""

    power = tg.output("W", "power")
    w = tg.output("rad/s", "angular velocity")
    tau = tg.output("N.m", "torque")

    def equations(self) -> Statements:
        yield self.w == tg.der(self.flange_a.phi)
        yield self.tau == self.flange_a.tau
        yield self.power == self.tau * self.w

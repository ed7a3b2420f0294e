"""Sensors of a rod: they take no force, and those between two flanges no power."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.translational.interfaces import Flange, Statements


class Probe(tg.Component):
    """A flange that is looked at and left alone."""

    flange = Flange()

    def equations(self) -> Statements:
        yield self.flange.f == 0


class PositionSensor(Probe):
    """Measures the position of a flange, s = flange.s; takes no force."""

    s = tg.output("m", "position")

    def equations(self) -> Statements:
        yield self.s == self.flange.s


class SpeedSensor(Probe):
    """Measures the velocity of a flange, v = ds/dt; takes no force."""

    v = tg.output("m/s", "velocity")

    def equations(self) -> Statements:
        yield self.v == tg.der(self.flange.s)


class AccSensor(Probe):
    """Measures the acceleration of a flange, a = d2s/dt2; takes no force."""

    v = tg.variable("m/s", "velocity")
    a = tg.output("m/s2", "acceleration")

    def equations(self) -> Statements:
        yield self.v == tg.der(self.flange.s)
        yield self.a == tg.der(self.v)


class RelativeProbe(tg.Component):
    """Two flanges that are compared and left alone; all differences are flange_b less flange_a."""

    flange_a = Flange()
    flange_b = Flange()

    def equations(self) -> Statements:
        yield self.flange_a.f == 0
        yield self.flange_b.f == 0


class RelPositionSensor(RelativeProbe):
    """Measures the distance, s_rel = flange_b.s - flange_a.s."""

    s_rel = tg.output("m", "distance")

    def equations(self) -> Statements:
        yield self.s_rel == self.flange_b.s - self.flange_a.s


class RelSpeedSensor(RelativeProbe):
    """Measures the velocity of flange_b less that of flange_a, v_rel = ds_rel/dt."""

    s_rel = tg.variable("m", "distance")
    v_rel = tg.output("m/s", "relative velocity")

    def equations(self) -> Statements:
        yield self.s_rel == self.flange_b.s - self.flange_a.s
        yield self.v_rel == tg.der(self.s_rel)


class RelAccSensor(RelativeProbe):
    """Measures the acceleration of flange_b less that of flange_a, a_rel = d2s_rel/dt2."""

    s_rel = tg.variable("m", "distance")
    v_rel = tg.variable("m/s", "relative velocity")
    a_rel = tg.output("m/s2", "relative acceleration")

    def equations(self) -> Statements:
        yield self.s_rel == self.flange_b.s - self.flange_a.s
        yield self.v_rel == tg.der(self.s_rel)
        yield self.a_rel == tg.der(self.v_rel)


class Coupling(tg.Component):
    """A rigid coupling without mass, in which something is measured."""

    flange_a = Flange()
    flange_b = Flange()

    def equations(self) -> Statements:
        yield self.flange_a.s == self.flange_b.s
        yield self.flange_a.f + self.flange_b.f == 0


class ForceSensor(Coupling):
    """Measures the force from flange_a to flange_b: f = flange_a.f."""

    f = tg.output("N", "force")

    def equations(self) -> Statements:
        yield self.f == self.flange_a.f


class PowerSensor(Coupling):
    """Measures the power from flange_a to flange_b: power = flange_a.f v."""

    power = tg.output("W", "power")

    def equations(self) -> Statements:
        yield self.power == self.flange_a.f * tg.der(self.flange_a.s)


class MultiSensor(Coupling):
    """Measures the power = f v that goes from flange_a to flange_b in a rod, the force and the velocity."""

    power = tg.output("W", "power")
    v = tg.output("m/s", "velocity")
    f = tg.output("N", "force")

    def equations(self) -> Statements:
        yield self.v == tg.der(self.flange_a.s)
        yield self.f == self.flange_a.f
        yield self.power == self.f * self.v

"""What electrical machines have in common: a rotor, its shaft, and a stator that may be held by a support."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.library import rotational
from tellegen.library.losses import Lossy

Statements = Iterator[Any]


class Turning(Lossy):
    """What turns in a machine: inertia, friction and the torque tau_electrical of the air gap, without a shaft."""

    Jr = tg.parameter(0.15, "kg.m2", "moment of inertia of the rotor", min=0.0)
    d = tg.parameter(0.0, "N.m.s/rad", "viscous friction of bearings and brushes", min=0.0)
    T_operational = tg.parameter(Lossy.T_ref, "K", "temperature of the windings where there is no heat port", min=0.0)
    w = tg.variable("rad/s", "angular velocity of the rotor against the stator", start=0.0, state="prefer")
    tau_electrical = tg.variable("N.m", "torque of the air gap on the rotor")

    def temperature(self) -> Any:
        """That of the winding whose losses leave through heat_port; T_operational without one."""
        return self.heat_port.T if self.use_heat_port else self.T_operational

    def braking(self) -> Any:
        """The torque of friction against the rotation; subclasses may add to it."""
        return self.d * self.w


class Rotor(Turning):
    """A rotor with inertia and viscous friction, turned by the torque tau_electrical of the air gap.

    The rotor turns by phi = flange.phi - support.phi against the stator. Three torques act on it: that of the air gap
    in the direction of positive phi, friction d w against it, and flange.tau from outside:

        Jr d2(flange.phi)/dt2 = tau_electrical - d w + flange.tau

    What acts on the rotor acts on the stator with the opposite sign. If the stator has no inertia, the support must
    hold it: support.tau = tau_electrical - d w. Without a support the stator rests.
    """

    use_support = tg.parameter(False, structural=True, description="the stator is held by the flange `support`")
    flange = rotational.Flange("shaft")
    support = rotational.Flange("stator").only_if(use_support)
    phi = tg.variable("rad", "angle of the rotor against the stator", start=0.0, state="prefer")
    tau_shaft = tg.variable("N.m", "torque that the machine gives to its load, -flange.tau")

    def equations(self) -> Statements:
        stator = self.support.phi if self.use_support else 0.0
        on_rotor = self.tau_electrical - self.braking()
        yield self.phi == self.flange.phi - stator
        yield self.w == tg.der(self.phi)
        speed = tg.der(self.flange.phi) if self.use_support else self.w
        yield self.Jr * tg.der(speed) == on_rotor + self.flange.tau
        yield self.tau_shaft == -self.flange.tau
        if self.use_support:
            yield self.support.tau == on_rotor + self.inertia_of_stator()

    def inertia_of_stator(self) -> Any:
        """The torque that accelerates the stator; it has no inertia unless a subclass says so."""
        return 0.0

"""Gearboxes of a fixed ratio."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library import rotational as rot
from tellegen.library.rotational.interfaces import Statements


class GearboxInterface(tg.Interface):
    """A gearbox in a housing at rest: flange_a turns ratio times as fast as flange_b."""

    flange_a = rot.Flange("input, the side of the motor")
    flange_b = rot.Flange("output, the side of the load")
    ratio = tg.parameter(1.0, "1", "angle of flange_a over angle of flange_b", semantics="gear_ratio")
    eta = tg.parameter(1.0, "1", "efficiency", min=1e-3, max=1.0, semantics="efficiency")
    J = tg.parameter(0.0, "kg.m2", "moment of inertia at flange_a", min=0.0, semantics="input_inertia")
    semantics = tg.Semantics(limits={"torque_max": "flange_b.tau", "torque_peak": "flange_b.tau"})


class IdealGearbox(tg.Component, implements=GearboxInterface, name="ideal", tags={"cost": 1}):
    """The ratio alone: phi_a = ratio phi_b, tau_b = -ratio tau_a."""

    gear = rot.IdealGear(ratio=GearboxInterface.ratio)

    def connections(self) -> Statements:
        yield self.flange_a, self.gear.flange_a
        yield self.gear.flange_b, self.flange_b


class GearboxWithInertia(tg.Component, implements=GearboxInterface, name="inertia", default=True, tags={"cost": 2}):
    """The ratio, and the moment of inertia at the input."""

    wheels = rot.Inertia(J=GearboxInterface.J)
    gear = rot.IdealGear(ratio=GearboxInterface.ratio)

    def connections(self) -> Statements:
        yield self.flange_a, self.wheels.flange_a
        yield self.wheels.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.flange_b


class GearOfEfficiency(rot.LossyGear):
    """A LossyGear whose mesh has the efficiency eta in both directions: -tau_b = ratio eta tau_a driven by flange_a."""

    eta = tg.parameter(1.0, "1", "efficiency", min=1e-3, max=1.0)

    def loss(self, tau_a: tg.Expression, speed: tg.Expression) -> Any:  # noqa: ARG002, the same at all speeds
        return tg.maximum((1.0 - self.eta) * tau_a, (1.0 - 1.0 / self.eta) * tau_a)


class LossyGearbox(tg.Component, implements=GearboxInterface, name="lossy", tags={"cost": 5}):
    """The ratio, the moment of inertia at the input, and the efficiency of the mesh whichever side drives."""

    wheels = rot.Inertia(J=GearboxInterface.J)
    gear = GearOfEfficiency(ratio=GearboxInterface.ratio, eta=GearboxInterface.eta)

    def connections(self) -> Statements:
        yield self.flange_a, self.wheels.flange_a
        yield self.wheels.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.flange_b

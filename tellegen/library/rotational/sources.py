"""What drives a shaft."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.rotational.interfaces import Flange, Statements


class ConstantTorque(tg.Component):
    """Drives its flange with a torque."""

    flange = Flange()
    tau_constant = tg.parameter(1.0, "N.m", "driving torque")

    def equations(self) -> Statements:
        yield self.flange.tau == -self.tau_constant


class Torque(tg.Component):
    """Drives its flange with a torque that is an input signal: flange.tau = -tau."""

    flange = Flange()
    tau = tg.input("N.m", "driving torque")

    def equations(self) -> Statements:
        yield self.flange.tau == -self.tau


class ConstantSpeed(tg.Component):
    """Turns its flange with an angular velocity, whatever torque that takes: dphi/dt = w_fixed."""

    flange = Flange()
    w_fixed = tg.parameter(1.0, "rad/s", "angular velocity")
    phi = tg.variable("rad", "angle of the flange", start=0.0)

    def equations(self) -> Statements:
        yield self.phi == self.flange.phi
        yield tg.der(self.phi) == self.w_fixed

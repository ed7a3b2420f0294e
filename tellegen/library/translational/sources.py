"""What drives a rod."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.translational.interfaces import Flange, Statements


class ConstantForce(tg.Component):
    """Pushes its flange in the direction of s: flange.f = -f_constant."""

    flange = Flange()
    f_constant = tg.parameter(1.0, "N", "driving force")

    def equations(self) -> Statements:
        yield self.flange.f == -self.f_constant


class Force(tg.Component):
    """Pushes its flange in the direction of s with a force that is an input signal: flange.f = -f."""

    flange = Flange()
    f = tg.input("N", "driving force")

    def equations(self) -> Statements:
        yield self.flange.f == -self.f


class ConstantSpeed(tg.Component):
    """Moves its flange with a velocity, whatever force that takes: ds/dt = v_fixed."""

    flange = Flange()
    v_fixed = tg.parameter(1.0, "m/s", "velocity")
    s = tg.variable("m", "position of the flange", start=0.0)

    def equations(self) -> Statements:
        yield self.s == self.flange.s
        yield tg.der(self.s) == self.v_fixed

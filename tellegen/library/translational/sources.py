"""What drives a rod with a force: constant, a signal, or a function of the speed."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.losses import Lossy
from tellegen.library.translational.interfaces import Flange, OneFlange, Statements


class ConstantForce(OneFlange):
    """Drives its flange with a force: flange.f = -f_constant."""

    f_constant = tg.parameter(1.0, "N", "driving force")

    def equations(self) -> Statements:
        yield self.flange.f == -self.f_constant


class Force(OneFlange):
    """Drives its flange with a force that is an input signal: flange.f = -f."""

    f = tg.input("N", "driving force")

    def equations(self) -> Statements:
        yield self.flange.f == -self.f


class Force2(tg.Component):
    """A force between two flanges that is an input signal: flange_b.f = -f, flange_a.f = f."""

    flange_a = Flange()
    flange_b = Flange()
    f = tg.input("N", "force that drives flange_b")

    def equations(self) -> Statements:
        yield self.flange_a.f == self.f
        yield self.flange_b.f == -self.f


class ForceStep(OneFlange):
    """Drives its flange: flange.f = -offset_force, from start_time on with step_force more."""

    step_force = tg.parameter(1.0, "N", "height of the step")
    offset_force = tg.parameter(0.0, "N", "force before it")
    start_time = tg.parameter(0.0, "s", "instant of the step")

    def equations(self) -> Statements:
        step = tg.where(tg.time < self.start_time, 0.0, self.step_force)
        yield self.flange.f == -(self.offset_force + step)


class SpeedDependentForce(OneFlange):
    """A force that is a function of the speed v against the housing; f drives the flange."""

    v = tg.variable("m/s", "velocity against the housing")
    f = tg.variable("N", "driving force")

    def equations(self) -> Statements:
        yield self.v == tg.der(self.position(self.flange))
        yield self.flange.f == -self.f


class LinearSpeedDependentForce(SpeedDependentForce):
    """f = f_nominal |v/v_nominal|, or f_nominal v/v_nominal with force_direction=False.

    A load has a negative f_nominal. A brake, whose force turns round with the speed, takes
    force_direction=False.
    """

    f_nominal = tg.parameter(1.0, "N", "force at v_nominal; negative for a load")
    force_direction = tg.parameter(True, structural=True, description="the force has one direction, whatever that of v")
    v_nominal = tg.parameter(1.0, "m/s", "speed at which it has f_nominal", min=1e-300)

    def equations(self) -> Statements:
        x = self.v / self.v_nominal
        yield self.f == self.f_nominal * (abs(x) if self.force_direction else x)


class QuadraticSpeedDependentForce(SpeedDependentForce):
    """f = f_nominal (v/v_nominal)^2, or f_nominal |v| v/v_nominal^2 with force_direction=False.

    A load such as drag has a negative f_nominal; if it may move both ways it takes force_direction=False, so that
    the force brakes both.
    """

    f_nominal = tg.parameter(1.0, "N", "force at v_nominal; negative for a load")
    force_direction = tg.parameter(True, structural=True, description="the force has one direction, whatever that of v")
    v_nominal = tg.parameter(1.0, "m/s", "speed at which it has f_nominal", min=1e-300)

    def equations(self) -> Statements:
        x = self.v / self.v_nominal
        yield self.f == self.f_nominal * (x**2 if self.force_direction else abs(x) * x)


class SignForce(SpeedDependentForce):
    """A constant force in the direction of the speed, smoothed around zero: f = f_nominal tanh(50 v/v0).

    A load has a negative f_nominal; the force is full to 1e-4 from v0/10 on. It does not stick: for that there is
    SupportFriction.
    """

    f_nominal = tg.parameter(1.0, "N", "size of the force; negative for a load")
    v0 = tg.parameter(0.1, "m/s", "speed that is surely not zero", min=1e-300)

    def equations(self) -> Statements:
        yield self.f == self.f_nominal * tg.tanh(50.0 * self.v / self.v0)


class EddyCurrentForce(OneFlange, Lossy):
    """Eddy-current brake: f = 2 f_nominal x/(1 + x^2) against the motion, x = v/(v_nominal r), r = R(T)/R(T_ref).

    f_nominal is the largest force, at v_nominal. A warmer rail has more resistance, r = 1 + alpha (T - T_ref), so
    that its largest force comes at a higher speed. The heat f v leaves through the heat port if there is one.
    """

    f_nominal = tg.parameter(1.0, "N", "largest braking force", min=0.0)
    v_nominal = tg.parameter(1.0, "m/s", "speed at which it has it, at T_ref", min=1e-300)
    alpha = tg.parameter(0.0, "1/K", "relative change of the resistance with temperature; needs the heat port")
    v = tg.variable("m/s", "velocity against the housing")
    f = tg.variable("N", "braking force, positive against positive v")

    def losses(self) -> Any:
        return self.f * self.v

    def equations(self) -> Statements:
        resistance = 1.0 + self.alpha * (self.temperature() - self.T_ref)
        x = self.v / (self.v_nominal * resistance)
        yield self.v == tg.der(self.position(self.flange))
        yield self.f == 2.0 * self.f_nominal * x / (1.0 + x**2)
        yield self.flange.f == self.f


class InverseSpeedDependentForce(SpeedDependentForce):
    """f = f_nominal v_nominal/|v|: constant power, and constant below v0.

    With force_direction=False it turns round with the speed.
    """

    f_nominal = tg.parameter(1.0, "N", "force at v_nominal; negative for a load")
    force_direction = tg.parameter(True, structural=True, description="one direction, whatever that of v")
    v_nominal = tg.parameter(1.0, "m/s", "speed at which it has f_nominal", min=1e-300)
    v0 = tg.parameter(1e-2 * v_nominal, "m/s", "below this speed the force does not rise any more", min=1e-300)

    def equations(self) -> Statements:
        size = self.f_nominal * self.v_nominal / tg.maximum(abs(self.v), self.v0)
        if self.force_direction:
            yield self.f == size
        else:
            yield self.f == size * tg.minimum(tg.maximum(self.v / self.v0, -1.0), 1.0)

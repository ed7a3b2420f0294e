"""What drives a shaft with a torque: constant, a signal, or a function of the speed."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.losses import Lossy
from tellegen.library.rotational.interfaces import Flange, OneFlange, Statements


class ConstantTorque(OneFlange):
    """Drives its flange with a torque: flange.tau = -tau_constant."""

    tau_constant = tg.parameter(1.0, "N.m", "driving torque")

    def equations(self) -> Statements:
        yield self.flange.tau == -self.tau_constant


class Torque(OneFlange):
    """Drives its flange with a torque that is an input signal: flange.tau = -tau."""

    tau = tg.input("N.m", "driving torque")

    def equations(self) -> Statements:
        yield self.flange.tau == -self.tau


class Torque2(tg.Component):
    """A torque between two flanges that is an input signal: flange_b.tau = -tau, flange_a.tau = tau."""

    flange_a = Flange()
    flange_b = Flange()
    tau = tg.input("N.m", "torque that drives flange_b")

    def equations(self) -> Statements:
        yield self.flange_a.tau == self.tau
        yield self.flange_b.tau == -self.tau


class TorqueStep(OneFlange):
    """Drives its flange: flange.tau = -offset_torque, from start_time on with step_torque more."""

    step_torque = tg.parameter(1.0, "N.m", "height of the step")
    offset_torque = tg.parameter(0.0, "N.m", "torque before it")
    start_time = tg.parameter(0.0, "s", "instant of the step")

    def equations(self) -> Statements:
        step = tg.where(tg.time < self.start_time, 0.0, self.step_torque)
        yield self.flange.tau == -(self.offset_torque + step)


class SpeedDependentTorque(OneFlange):
    """A torque that is a function of the speed w against the housing; tau drives the flange."""

    w = tg.variable("rad/s", "angular velocity against the housing")
    tau = tg.variable("N.m", "driving torque")

    def equations(self) -> Statements:
        yield self.w == tg.der(self.angle(self.flange))
        yield self.flange.tau == -self.tau


class LinearSpeedDependentTorque(SpeedDependentTorque):
    """tau = tau_nominal |w/w_nominal|, or tau_nominal w/w_nominal with torque_direction=False.

    A load has a negative tau_nominal. A brake or a generator, whose torque turns round with the speed, takes
    torque_direction=False.
    """

    tau_nominal = tg.parameter(1.0, "N.m", "torque at w_nominal; negative for a load")
    torque_direction = tg.parameter(
        True, structural=True, description="the torque has one direction, whatever that of w"
    )
    w_nominal = tg.parameter(1.0, "rad/s", "speed at which it has tau_nominal", min=1e-300)

    def equations(self) -> Statements:
        x = self.w / self.w_nominal
        yield self.tau == self.tau_nominal * (abs(x) if self.torque_direction else x)


class QuadraticSpeedDependentTorque(SpeedDependentTorque):
    """tau = tau_nominal (w/w_nominal)^2, or tau_nominal |w| w/w_nominal^2 with torque_direction=False.

    A load such as a fan has a negative tau_nominal; if it may turn both ways it takes torque_direction=False, so that
    the torque brakes both.
    """

    tau_nominal = tg.parameter(1.0, "N.m", "torque at w_nominal; negative for a load")
    torque_direction = tg.parameter(
        True, structural=True, description="the torque has one direction, whatever that of w"
    )
    w_nominal = tg.parameter(1.0, "rad/s", "speed at which it has tau_nominal", min=1e-300)

    def equations(self) -> Statements:
        x = self.w / self.w_nominal
        yield self.tau == self.tau_nominal * (x**2 if self.torque_direction else abs(x) * x)


class SignTorque(SpeedDependentTorque):
    """A constant torque in the direction of the speed, smoothed around zero: tau = tau_nominal tanh(50 w/w0).

    A load has a negative tau_nominal; the torque is full to 1e-4 from w0/10 on. It does not stick: for that there is
    BearingFriction.
    """

    tau_nominal = tg.parameter(1.0, "N.m", "size of the torque; negative for a load")
    w0 = tg.parameter(0.1, "rad/s", "speed that is surely not zero", min=1e-300)

    def equations(self) -> Statements:
        yield self.tau == self.tau_nominal * tg.tanh(50.0 * self.w / self.w0)


class EddyCurrentTorque(OneFlange, Lossy):
    """Eddy-current brake: tau = 2 tau_nominal x/(1 + x^2) against the motion, x = w/(w_nominal r), r = R(T)/R(T_ref).

    tau_nominal is the largest torque, at w_nominal. A warmer disc has more resistance, r = 1 + alpha (T - T_ref), so
    that its largest torque comes at a higher speed. The heat tau w leaves through the heat port if there is one.
    """

    tau_nominal = tg.parameter(1.0, "N.m", "largest braking torque", min=0.0)
    w_nominal = tg.parameter(1.0, "rad/s", "speed at which it has it, at T_ref", min=1e-300)
    alpha = tg.parameter(0.0, "1/K", "relative change of the resistance with temperature; needs the heat port")
    w = tg.variable("rad/s", "angular velocity against the housing")
    tau = tg.variable("N.m", "braking torque, positive against positive w")

    def losses(self) -> Any:
        return self.tau * self.w

    def equations(self) -> Statements:
        resistance = 1.0 + self.alpha * (self.temperature() - self.T_ref)
        x = self.w / (self.w_nominal * resistance)
        yield self.w == tg.der(self.angle(self.flange))
        yield self.tau == 2.0 * self.tau_nominal * x / (1.0 + x**2)
        yield self.flange.tau == self.tau


class InverseSpeedDependentTorque(SpeedDependentTorque):
    """tau = tau_nominal w_nominal/|w|: constant power, and constant below w0.

    With torque_direction=False it turns round with the speed.
    """

    tau_nominal = tg.parameter(1.0, "N.m", "torque at w_nominal; negative for a load")
    torque_direction = tg.parameter(True, structural=True, description="one direction, whatever that of w")
    w_nominal = tg.parameter(1.0, "rad/s", "speed at which it has tau_nominal", min=1e-300)
    w0 = tg.parameter(1e-2 * w_nominal, "rad/s", "below this speed the torque does not rise any more", min=1e-300)

    def equations(self) -> Statements:
        size = self.tau_nominal * self.w_nominal / tg.maximum(abs(self.w), self.w0)
        if self.torque_direction:
            yield self.tau == size
        else:
            yield self.tau == size * tg.minimum(tg.maximum(self.w / self.w0, -1.0), 1.0)

"""Sources of motion, torque and force, and the sensors that see them: closed-form solutions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import rotational as rot
from tellegen.library import translational as tr
from validation.measured import relative, within


class Driven(tg.Component):
    """A rotor that is turned by a source of motion, with a sensor of every kind."""

    signal = blocks.Sine(amplitude=0.5, f=2.0)
    source = rot.Position(exact=True)
    meter = rot.MultiSensor()
    rotor = rot.Inertia(J=0.2)
    angle = rot.AngleSensor()
    speed = rot.SpeedSensor()
    acceleration = rot.AccSensor()

    def connections(self):
        yield self.signal.y, self.source.phi_ref
        yield self.source.flange, self.meter.flange_a
        yield self.meter.flange_b, self.rotor.flange_a
        yield self.rotor.flange_b, self.angle.flange, self.speed.flange, self.acceleration.flange


def test_exact_position() -> None:
    """phi = 0.5 sin(4 pi t): the torque is J times its second derivative, found by differentiating the signal.

    There is no state: between its steps the method interpolates, to the tolerance.
    """
    s = tg.simulate(Driven(), 1.0, rtol=1e-9, atol=1e-12)
    w = 4 * np.pi
    phi = 0.5 * np.sin(w * s.time)
    within("Exact position, angle", s["angle.phi"] - phi, 1e-9, "the signal, rad")
    within("Exact position, speed", s["speed.w"] - 0.5 * w * np.cos(w * s.time), 1e-8, "its derivative, rad/s")
    within("Exact position, acceleration", s["acceleration.a"] + w**2 * phi, 1e-7, "its second derivative, rad/s2")
    within("Exact position, torque", s["meter.tau"] + 0.2 * w**2 * phi, 1e-7, "J a, N m")
    within("Exact position, power", s["meter.power"] - s["meter.tau"] * s["meter.w"], 1e-7, "tau w, W")


def filtered(source: Any, reference: str, step: Any) -> tg.Solution:
    s = tg.System("filtered")
    s.add(step=step, source=source, rotor=rot.Inertia(J=0.2) if hasattr(source, "phi") else tr.Mass(m=0.2))
    s.connect(s.step.y, getattr(s.source, reference))
    s.connect(s.source.flange, s.rotor.flange_a)
    return tg.simulate(s, 1.0, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("domain", "reference", "body"), [(rot, "phi_ref", "phi"), (tr, "s_ref", "s")])
def test_filtered_position(domain: Any, reference: str, body: str) -> None:
    """The step response of 1/(bf (p/w)^2 + af p/w + 1), by its two poles."""
    step = blocks.Step(height=2.0, offset=0.5, start_time=0.2)
    s = filtered(domain.Position(f_crit=3.0), reference, step)
    w = 2 * np.pi * 3.0
    p, q = np.roots([0.6180 / w**2, 1.3617 / w, 1.0])
    t = np.maximum(s.time - 0.2, 0.0)
    exact = 0.5 + 2.0 * np.real(1.0 + (q * np.exp(p * t) - p * np.exp(q * t)) / (p - q))
    name = domain.__name__.rpartition(".")[2]
    within(f"Filtered position, {name}", s[f"rotor.{body}"] - exact, 1e-8, "step response")


@pytest.mark.parametrize(("domain", "reference", "body"), [(rot, "w_ref", "w"), (tr, "v_ref", "v")])
def test_filtered_speed(domain: Any, reference: str, body: str) -> None:
    step = blocks.Step(height=2.0, offset=0.5, start_time=0.2)
    s = filtered(domain.Speed(f_crit=3.0), reference, step)
    exact = 0.5 + 2.0 * (1.0 - np.exp(-6.0 * np.pi * np.maximum(s.time - 0.2, 0.0)))
    name = domain.__name__.rpartition(".")[2]
    within(f"Filtered speed, {name}", s[f"rotor.{body}"] - exact, 1e-8, "step response")


@pytest.mark.parametrize("domain", [rot, tr], ids=["rotational", "translational"])
def test_prescribed_acceleration(domain: Any) -> None:
    s = filtered(domain.Accelerate(), "a_ref", blocks.Step(height=3.0, start_time=0.2))
    path = s["source.phi" if domain is rot else "source.s"]
    within("Prescribed acceleration, path", path - 1.5 * np.maximum(s.time - 0.2, 0.0) ** 2, 1e-9, "parabola")


def slowing(load: Any, body: Any) -> tg.Solution:
    """A body with speed 10 and inertia 2 that a load slows down."""
    s = tg.System("slowing")
    s.add(load=load, body=body)
    s.connect(s.load.flange, s.body.flange_a)
    return tg.simulate(s, 3.0, rtol=1e-9, atol=1e-12)


def rotor() -> Any:
    return rot.Inertia(J=2.0, phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=10.0, fixed=True))


def cart() -> Any:
    return tr.Mass(m=2.0, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=10.0, fixed=True))


BACK = {"torque_direction": False}
LOADS = [
    (rot.LinearSpeedDependentTorque(tau_nominal=-3.0, w_nominal=5.0), lambda t: 10 * np.exp(-0.3 * t)),
    (rot.LinearSpeedDependentTorque(tau_nominal=-3.0, w_nominal=5.0, **BACK), lambda t: 10 * np.exp(-0.3 * t)),
    (rot.QuadraticSpeedDependentTorque(tau_nominal=-3.0, w_nominal=5.0), lambda t: 10 / (1 + 0.6 * t)),
    (rot.QuadraticSpeedDependentTorque(tau_nominal=-3.0, w_nominal=5.0, **BACK), lambda t: 10 / (1 + 0.6 * t)),
    (rot.SignTorque(tau_nominal=-3.0, w0=0.1), lambda t: 10 - 1.5 * t),
    (
        rot.TorqueStep(step_torque=-3.0, offset_torque=1.0, start_time=1.0),
        lambda t: 10 + 0.5 * t - 1.5 * np.clip(t - 1, 0, 9),
    ),
    (tr.LinearSpeedDependentForce(f_nominal=-3.0, v_nominal=5.0), lambda t: 10 * np.exp(-0.3 * t)),
    (tr.QuadraticSpeedDependentForce(f_nominal=-3.0, v_nominal=5.0), lambda t: 10 / (1 + 0.6 * t)),
    (tr.SignForce(f_nominal=-3.0, v0=0.1), lambda t: 10 - 1.5 * t),
    (
        tr.ForceStep(step_force=-3.0, offset_force=1.0, start_time=1.0),
        lambda t: 10 + 0.5 * t - 1.5 * np.clip(t - 1, 0, 9),
    ),
]


@pytest.mark.parametrize(("load", "exact"), LOADS, ids=lambda x: type(x).__name__)
def test_loads(load: Any, exact: Any) -> None:
    turning = type(load).__module__.startswith(rot.__name__)
    s = slowing(load, rotor() if turning else cart())
    speed = s["body.w" if turning else "body.v"]
    within(f"{type(load).__name__}, speed", relative(speed, exact(s.time)), 1e-7, "closed-form solution")


def test_loads_that_turn_round_brake_backward_too() -> None:
    load = rot.QuadraticSpeedDependentTorque(tau_nominal=-3.0, w_nominal=5.0, torque_direction=False)
    body = rotor()
    body.w.start = -10.0
    s = slowing(load, body)
    within(
        "Load that turns round, backward", relative(-s["body.w"], 10 / (1 + 0.6 * s.time)), 1e-7, "closed-form solution"
    )


@pytest.mark.parametrize("turning", [True, False])
def test_eddy_currents(turning: bool) -> None:
    """m dv/dt = -2 f x/(1 + x^2), x = v/v0: the time to come down is m v0/(2 f) (ln x0/x + (x0^2 - x^2)/2)."""
    load: Any = rot.EddyCurrentTorque(tau_nominal=3.0, w_nominal=4.0)
    load = load if turning else tr.EddyCurrentForce(f_nominal=3.0, v_nominal=4.0)
    s = slowing(load, rotor() if turning else cart())
    x, x0 = s["body.w" if turning else "body.v"] / 4.0, 2.5
    time = 2.0 * 4.0 / (2 * 3.0) * (np.log(x0 / x) + (x0**2 - x**2) / 2)
    within(f"Eddy currents, {type(load).__name__}", s.time - time, 1e-6, "closed-form solution, s")


class Pair(tg.Component):
    """A torque between two rotors and the sensors of what is between them."""

    push = blocks.Constant(k=3.0)
    torque = rot.Torque2()
    a = rot.Inertia(J=1.0, phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=0.0, fixed=True))
    b = rot.Inertia(J=2.0, phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=0.0, fixed=True))
    angle = rot.RelAngleSensor()
    speed = rot.RelSpeedSensor()
    acceleration = rot.RelAccSensor()

    def connections(self):
        yield self.push.y, self.torque.tau
        yield (
            self.a.flange_b,
            self.torque.flange_a,
            self.angle.flange_a,
            self.speed.flange_a,
            self.acceleration.flange_a,
        )
        yield (
            self.b.flange_a,
            self.torque.flange_b,
            self.angle.flange_b,
            self.speed.flange_b,
            self.acceleration.flange_b,
        )


class LinearPair(tg.Component):
    """The same with masses."""

    push = blocks.Constant(k=3.0)
    torque = tr.Force2()
    a = tr.Mass(m=1.0, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=0.0, fixed=True))
    b = tr.Mass(m=2.0, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=0.0, fixed=True))
    angle = tr.RelPositionSensor()
    speed = tr.RelSpeedSensor()
    acceleration = tr.RelAccSensor()

    def connections(self):
        yield self.push.y, self.torque.f
        yield (
            self.a.flange_b,
            self.torque.flange_a,
            self.angle.flange_a,
            self.speed.flange_a,
            self.acceleration.flange_a,
        )
        yield (
            self.b.flange_a,
            self.torque.flange_b,
            self.angle.flange_b,
            self.speed.flange_b,
            self.acceleration.flange_b,
        )


@pytest.mark.parametrize(("pair", "letters"), [(Pair(), ("phi", "w")), (LinearPair(), ("s", "v"))])
def test_relative_motion(pair: Any, letters: tuple[str, str]) -> None:
    """b is pushed forward: it gains 3/1 + 3/2 on a."""
    s = tg.simulate(pair, 2.0)
    position, speed = letters
    name = type(pair).__name__
    within(f"{name}, relative path", s[f"angle.{position}_rel"] - 2.25 * s.time**2, 1e-9, "closed-form solution")
    within(f"{name}, relative speed", s[f"speed.{speed}_rel"] - 4.5 * s.time, 1e-9, "closed-form solution")
    within(f"{name}, relative acceleration", s["acceleration.a_rel"] - 4.5, 1e-12, "closed-form solution")


def test_sensors_of_a_rod() -> None:
    """A force of 6 N through a sensor on 2 kg: 3 m/s2."""

    class Rod(tg.Component):
        force = tr.ConstantForce(f_constant=6.0)
        gauge = tr.ForceSensor()
        power = tr.PowerSensor()
        both = tr.MultiSensor()
        mass = tr.Mass(m=2.0, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=0.0, fixed=True))
        speed = tr.SpeedSensor()
        acceleration = tr.AccSensor()

        def connections(self):
            yield self.force.flange, self.gauge.flange_a
            yield self.gauge.flange_b, self.power.flange_a
            yield self.power.flange_b, self.both.flange_a
            yield self.both.flange_b, self.mass.flange_a
            yield self.mass.flange_b, self.speed.flange, self.acceleration.flange

    s = tg.simulate(Rod(), 1.0)
    seen = np.array([s["gauge.f"], s["both.f"], 2.0 * s["acceleration.a"]])
    within("Sensors of a rod, force", seen - 6.0, 1e-12, "closed-form solution, N")
    seen = np.array([s["power.power"], s["both.power"], 6.0 * s["speed.v"], 6.0 * s["both.v"]])
    within("Sensors of a rod, power", seen - 18.0 * s.time, 1e-9, "closed-form solution, W")


def test_sensors_of_a_shaft() -> None:
    """2 N m on 0.5 kg m2, measured between them."""

    class Shaft(tg.Component):
        torque = rot.ConstantTorque(tau_constant=2.0)
        gauge = rot.TorqueSensor()
        power = rot.PowerSensor()
        rotor = rot.Inertia(J=0.5, w=tg.variable(start=0.0, fixed=True))

        def connections(self):
            yield self.torque.flange, self.gauge.flange_a
            yield self.gauge.flange_b, self.power.flange_a
            yield self.power.flange_b, self.rotor.flange_a

    s = tg.simulate(Shaft(), 1.0)
    within("Sensors of a shaft, torque", s["gauge.tau"] - 2.0, 1e-12, "closed-form solution, N m")
    within("Sensors of a shaft, power", s["power.power"] - 8.0 * s.time, 1e-9, "closed-form solution, W")

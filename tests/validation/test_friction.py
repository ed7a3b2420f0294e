"""Dry friction: sliding, sticking and breaking loose at the instants of closed-form solutions."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.library import blocks
from tellegen.library import rotational as rot
from tellegen.library import translational as tr
from validation.measured import within

G = 9.81


def event_times(solution: tg.Solution) -> Any:
    return np.array([event.time for event in solution.events])


class Incline(tg.Component):
    """A block pushed up a slope."""

    m = tg.parameter(2.0, "kg")
    angle = tg.parameter(0.3, "rad")
    mu = tg.parameter(0.4, "1")
    block = tr.Mass(m=m, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=3.0, fixed=True))
    weight = tr.ConstantForce(f_constant=-m * G * tg.sin(angle))
    slope = tr.SupportFriction(F_Coulomb=mu * m * G * tg.cos(angle))

    def connections(self):
        yield self.weight.flange, self.block.flange_a
        yield self.block.flange_b, self.slope.flange_a


@pytest.mark.parametrize("angle", [0.0, 0.3])
def test_block_stops_and_stays(angle: float) -> None:
    """v0/(g (sin + mu cos)) later it stands, exactly: the parabola is within the order of the method."""
    s = tg.simulate(Incline(angle=angle), 3.0, rtol=1e-8)
    deceleration = G * (np.sin(angle) + 0.4 * np.cos(angle))
    stop = 3.0 / deceleration
    within("Block on an incline, stops", event_times(s) - [stop], 1e-9, "closed-form solution, s")
    t = np.minimum(s.time, stop)
    within("Block on an incline, path", s["block.s"] - (3.0 * t - 0.5 * deceleration * t**2), 1e-8, "closed, m")
    stands = s.time > stop + 1e-6
    within("Block on an incline, velocity at rest", s["block.v"][stands], 1e-12, "zero, m/s")
    within("Block on an incline, force", s["slope.f"][stands] + 2.0 * G * np.sin(angle), 1e-9, "holds the weight, N")


def test_block_slides_back_down() -> None:
    """Too steep to stay: at the top the friction turns round within one event."""
    s = tg.simulate(Incline(angle=0.6), 2.0, rtol=1e-8)
    up, down = G * (np.sin(0.6) + 0.4 * np.cos(0.6)), G * (np.sin(0.6) - 0.4 * np.cos(0.6))
    top = 3.0 / up
    within("Block slides back, instant of the top", event_times(s) - [top], 1e-9, "closed-form solution, s")
    exact = np.where(s.time < top, 3.0 - up * s.time, -down * (s.time - top))
    within("Block slides back, velocity", s["block.v"] - exact, 1e-7, "closed-form solution, m/s")


class Belt(tg.Component):
    """A mass on a running belt, held by a spring: it sticks, is carried along, breaks loose and snaps back."""

    wall = tr.Fixed()
    spring = tr.Spring(c=100.0)
    mass = tr.Mass(m=1.0, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=0.1, fixed=True))
    belt = tr.ConstantSpeed(v_fixed=0.1)
    friction = tr.Friction(F_Coulomb=4.0, peak=1.5)

    def connections(self):
        yield self.wall.flange, self.spring.flange_a
        yield self.spring.flange_b, self.mass.flange_a
        yield self.mass.flange_b, self.friction.flange_b
        yield self.belt.flange, self.friction.flange_a


@pytest.mark.parametrize("solver", ["cvode", "rk45"])
def test_stick_slip_oscillator(solver: str) -> None:
    """Sticking from F/c - A to F/c + A at the speed of the belt; slipping is a part of a cosine around F/c.

    A = (peak - 1) F/c. The slip ends when the mass is as fast as the belt again: tan(w T/2) = -A w/v.
    """
    s = shared_model(Belt).simulate(20.0, rtol=1e-9, atol=1e-11, solver=solver)
    force, c, w, v, a = 4.0, 100.0, 10.0, 0.1, 0.02
    slip, stick = (2 * np.pi - 2 * np.arctan(a * w / v)) / w, 2 * a / v
    loose = (force / c + a) / v + (slip + stick) * np.arange(30)
    exact = np.sort(np.concatenate([loose, loose + slip]))
    times = event_times(s)
    within(
        "Stick-slip on a belt, 49 stops and starts",
        times - exact[: len(times)],
        1e-6,
        "closed-form solution, s",
        solver,
    )
    assert len(times) == np.sum(exact < 20.0)
    carried = s["friction.mode"] == 0
    within(
        "Stick-slip on a belt, velocity while stuck", s["mass.v"][carried] - 0.1, 1e-9, "that of the belt, m/s", solver
    )
    phase = w * (s.time - loose[0])
    first = (s.time > loose[0]) & (s.time < loose[0] + slip)
    x = force / c + a * np.cos(phase) + v / w * np.sin(phase)
    within("Stick-slip on a belt, first slip", (s["mass.s"] - x)[first], 1e-8, "closed-form solution, m", solver)


class Spun(tg.Component):
    """A rotor in a bearing."""

    rotor = rot.Inertia(J=0.5, w=tg.variable(start=20.0, fixed=True))
    bearing = rot.BearingFriction(tau_Coulomb=1.5, tau_prop=0.2)

    def connections(self):
        yield self.rotor.flange_b, self.bearing.flange_a


def test_bearing_with_viscous_part() -> None:
    """J dw/dt = -tau - d w until w = 0."""
    s = tg.simulate(Spun(), 5.0, rtol=1e-9)
    stop = 0.5 / 0.2 * np.log(1 + 0.2 * 20.0 / 1.5)
    within("Rotor in a bearing, stops", event_times(s) - [stop], 1e-7, "closed-form solution, s")
    w = np.where(s.time < stop, (20.0 + 1.5 / 0.2) * np.exp(-0.2 / 0.5 * s.time) - 1.5 / 0.2, 0.0)
    within("Rotor in a bearing, velocity", s["rotor.w"] - w, 1e-6, "closed-form solution, rad/s")
    heat = np.trapezoid(s["bearing.tau"] * s["bearing.w"], s.time)
    within("Rotor in a bearing, heat over kinetic energy", heat / (0.25 * 400.0) - 1.0, 1e-4, "energy")


def test_bearing_by_a_table() -> None:
    """tau = 1.5 + 0.2 w in three points, and constant beyond the last: the same curve, and a straight line before."""
    table = [[0.0, 1.5], [4.0, 2.3], [10.0, 3.5]]
    s = tg.simulate(Spun(bearing=rot.BearingFriction(tau_pos=table)), 8.0, rtol=1e-9)
    corner = (20.0 - 10.0) * 0.5 / 3.5
    stop = corner + 0.5 / 0.2 * np.log(1 + 0.2 * 10.0 / 1.5)
    within("Rotor in a bearing given by a table, stops", event_times(s) - [stop], 1e-6, "closed-form solution, s")
    w = np.where(s.time < corner, 20.0 - 7.0 * s.time, 17.5 * np.exp(-0.4 * (s.time - corner)) - 7.5)
    within("Rotor in a bearing given by a table, velocity", s["rotor.w"] - np.maximum(w, 0.0), 1e-6, "closed, rad/s")


def test_a_brake_and_a_bearing_hold_one_rotor() -> None:
    """Both stick: their sum is the torque of the motor, how they share it is open. See docs/mechanics.md, Limits."""

    class Held(Spun):
        brake = rot.Brake(fn_max=10.0)
        press = blocks.Constant(k=1.0)

        def connections(self):
            yield self.rotor.flange_a, self.brake.flange_a
            yield self.press.y, self.brake.f_normalized

    s = tg.simulate(Held(), 5.0)
    assert abs(s["rotor.w"][-1]) < 1e-9


def drive_train(inertias: list[float], speeds: list[float], torques: list[float], drive: float) -> tg.System:
    """Rotors in a row with clutches between them, all engaged at the beginning, a torque on the first rotor."""
    s = tg.System("train")
    s.add(motor=rot.ConstantTorque(tau_constant=drive), on=blocks.Constant(k=1.0))
    flange = s.motor.flange
    for k, (J, w) in enumerate(zip(inertias, speeds, strict=True)):
        s.add(**{f"j{k}": rot.Inertia(J=J, w=tg.variable(start=w, fixed=True))})
        s.connect(flange, s[f"j{k}"].flange_a)
        flange = s[f"j{k}"].flange_b
        if k < len(torques):
            s.add(**{f"c{k}": rot.Clutch(mu=0.5, fn_max=2.0 * torques[k])})
            s.connect(s.on.y, s[f"c{k}"].f_normalized)
            s.connect(flange, s[f"c{k}"].flange_a)
            flange = s[f"c{k}"].flange_b
    return s


def accelerations(J: Any, w: Any, torques: Any, drive: float) -> Any:
    """Of all rotors, from the one combination of modes that contradicts nothing; all combinations are tried."""
    n = len(J)
    slip = np.diff(w)
    choices = [(np.sign(x),) if abs(x) > 1e-9 else (0.0, 1.0, -1.0) for x in slip]
    for modes in product(*choices):
        stuck = [k for k in range(n - 1) if modes[k] == 0.0]
        matrix, right = np.zeros((2 * n - 1, 2 * n - 1)), np.zeros(2 * n - 1)  # accelerations, then torques
        for k in range(n):
            matrix[k, k] = J[k]
            right[k] = drive if k == 0 else 0.0
            if k:
                matrix[k, n + k - 1] = 1.0  # the clutch resists the rotor behind it and drives the one before
            if k < n - 1:
                matrix[k, n + k] = -1.0
        for k, mode in enumerate(modes):
            if mode == 0.0:
                matrix[n + k, k], matrix[n + k, k + 1] = -1.0, 1.0
            else:
                matrix[n + k, n + k], right[n + k] = 1.0, mode * torques[k]
        found = np.linalg.solve(matrix, right)
        a, tau = found[:n], found[n:]
        loose = [k for k in range(n - 1) if modes[k] != 0.0 and abs(slip[k]) <= 1e-9]
        if all(abs(tau[k]) <= torques[k] for k in stuck) and all(modes[k] * (a[k + 1] - a[k]) > 0 for k in loose):
            return a
    raise AssertionError("no combination of modes")


def exact_train(J: Any, w: Any, torques: Any, drive: float, stop: float) -> list[tuple[float, Any]]:
    """Instants at which sliding ends, with the speeds there: between them all accelerations are constant."""
    t, w, out = 0.0, np.array(w), []
    while True:
        a = accelerations(J, w, torques, drive)
        rates, slip = np.diff(a), np.diff(w)
        sliding = (np.abs(slip) > 1e-9) & (slip * rates < 0)
        if not sliding.any() or t + (dt := np.min(-slip[sliding] / rates[sliding])) > stop:
            return out
        t, w = t + dt, w + a * dt
        out.append((t, w))


TRAINS = {
    "two rotors": ([1.0, 2.0], [100.0, 0.0], [10.0], 0.0),
    "three rotors, the second clutch slips": ([1.0, 2.0, 3.0], [100.0, 0.0, 0.0], [30.0, 5.0], 0.0),
    "three rotors, the second clutch holds": ([1.0, 2.0, 3.0], [100.0, 0.0, 0.0], [30.0, 50.0], 0.0),
    "four rotors, driven": ([1.0, 0.5, 2.0, 3.0], [0.0, 50.0, -20.0, 10.0], [40.0, 15.0, 30.0], 20.0),
    "four rotors, one against the others": ([2.0, 1.0, 1.0, 2.0], [10.0, 60.0, 60.0, -40.0], [9.0, 20.0, 12.0], 5.0),
}


@pytest.mark.parametrize("solver", ["cvode", "rk45"])
@pytest.mark.parametrize("name", TRAINS)
def test_clutches_in_series(name: str, solver: str) -> None:
    """Instants of locking, and the speeds at the end, against an exact event-driven solution that tries all modes."""
    J, w, torques, drive = TRAINS[name]
    stop = 25.0
    s = tg.simulate(drive_train(J, w, torques, drive), stop, rtol=1e-8, solver=solver)
    exact = exact_train(J, w, torques, drive, stop)
    assert len(exact) >= 1
    times = event_times(s)
    within(f"Clutches, {name}: instants of locking", times - [t for t, _ in exact], 1e-7, "exact solution, s", solver)
    for t, speeds in exact:
        row = s.at(t)
        error = np.array([row[f"j{k}.w"] for k in range(len(J))]) - speeds
        within(f"Clutches, {name}: speeds", error, 1e-6, "exact solution, rad/s", solver)
    momentum = sum(J[k] * s[f"j{k}.w"] for k in range(len(J)))
    impulse = np.dot(J, w) + drive * s.time
    within(f"Clutches, {name}: momentum", momentum - impulse, 1e-6, "impulse, N m s", solver)


@pytest.mark.parametrize("seed", range(12))
def test_random_trains(seed: int) -> None:
    """Three to six rotors with random speeds, some of them equal; 1e-6 of the largest speed."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 7))
    J, w, torques = rng.uniform(0.5, 3.0, n), rng.integers(-4, 5, n) * 20.0, rng.uniform(5.0, 50.0, n - 1)
    drive = float(rng.uniform(-20.0, 20.0))
    s = tg.simulate(drive_train(J.tolist(), w.tolist(), torques.tolist(), drive), 15.0, rtol=1e-8)
    for t, speeds in exact_train(J, w, torques, drive, 15.0):
        row = s.at(t)
        error = np.array([row[f"j{k}.w"] for k in range(n)]) - speeds
        within("Clutches, random trains of 3 to 6 rotors: speeds", error / 80.0, 1e-6, "exact solution")
    kinetic: Any = 0.5 * sum(J[k] * s[f"j{k}.w"] ** 2 for k in range(n))
    heat = sum(s[f"c{k}.tau"] * s[f"c{k}.w_rel"] for k in range(n - 1)) - drive * s["j0.w"]
    lost = np.trapezoid(heat, s.time)
    scale = np.trapezoid(np.abs(heat), s.time)
    within("Clutches, random trains: energy", (kinetic[-1] - kinetic[0] + lost) / scale, 1e-5, "conservation")


class Freewheel(tg.Component):
    """A drive that pushes, lets go and pushes again; the load runs on in between."""

    push = blocks.Pulse(amplitude=2.0, period=4.0, width=0.5, offset=-1.0)
    torque = rot.Torque()
    drive = rot.Inertia(J=1.0, w=tg.variable(start=0.0, fixed=True))
    freewheel = rot.OneWayClutch()
    load = rot.Inertia(J=1.0)

    def connections(self):
        yield self.push.y, self.torque.tau
        yield self.torque.flange, self.drive.flange_a
        yield self.drive.flange_b, self.freewheel.flange_a
        yield self.freewheel.flange_b, self.load.flange_a


def test_freewheel() -> None:
    """1 N m for 2 s, -1 N m for 2 s. Together 0.5 rad/s2; alone the drive falls by 1 rad/s2 and catches up later."""
    s = tg.simulate(Freewheel(), 8.0, rtol=1e-9)
    t = s.time
    load = np.select([t <= 2, t <= 6], [0.5 * t, 1.0], 1.0)
    drive = np.select([t <= 2, t <= 4, t <= 6], [0.5 * t, 1.0 - (t - 2), -1.0 + (t - 4)], 1.0 - (t - 6))
    within("Freewheel, load", s["load.w"] - load, 1e-6, "closed-form solution, rad/s")
    within("Freewheel, drive", s["drive.w"] - drive, 1e-6, "closed-form solution, rad/s")
    assert s["freewheel.w_rel"].min() > -1e-9
    assert s["freewheel.tau"].max() < 1e-9


class Braked(tg.Component):
    """A rotor under a constant torque with a brake that is applied, released and applied again."""

    motor = rot.ConstantTorque(tau_constant=2.0)
    rotor = rot.Inertia(J=1.0, w=tg.variable(start=0.0, fixed=True))
    brake = rot.Brake(mu=0.5, fn_max=20.0, peak=1.1)
    press = blocks.Pulse(period=4.0, width=0.5, start_time=1.0)

    def connections(self):
        yield self.motor.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.brake.flange_a
        yield self.press.y, self.brake.f_normalized


def test_brake_holds_and_releases() -> None:
    s = tg.simulate(Braked(), 9.0, rtol=1e-9)
    t = s.time
    ramps = [(t <= 1, 2 * t), (t <= 1.25, 2 - 8 * (t - 1)), (t <= 3, 0 * t), (t <= 5, 2 * (t - 3))]
    ramps += [(t <= 5.5, 4 - 8 * (t - 5)), (t <= 7, 0 * t), (t <= 9, 2 * (t - 7))]
    exact = np.select([when for when, _ in ramps], [value for _, value in ramps])
    within("Brake applied and released twice", s["rotor.w"] - exact, 1e-7, "closed-form solution, rad/s")
    held = s["brake.mode"] == 0
    assert held.any()
    within("Brake, torque while holding", s["brake.tau"][held] - 2.0, 1e-9, "that of the motor, N m")


def test_brake_by_a_table() -> None:
    """mu = 0.5 - 0.05 w up to 4 rad/s: J dw/dt = -(10 - w) with fn_max cgeo = 20, so w = 10 - (10 - w0) exp(t)."""

    class Slowing(tg.Component):
        rotor = rot.Inertia(J=1.0, w=tg.variable(start=3.0, fixed=True))
        brake = rot.Brake(mu_pos=[[0.0, 0.5], [4.0, 0.3]], fn_max=20.0)
        press = blocks.Constant(k=1.0)

        def connections(self):
            yield self.rotor.flange_b, self.brake.flange_a
            yield self.press.y, self.brake.f_normalized

    s = tg.simulate(Slowing(), 1.0, rtol=1e-9)
    stop = np.log(10.0 / 7.0)
    within("Brake given by a table, stops", event_times(s)[-1:] - stop, 1e-7, "closed-form solution, s")
    w = np.where(s.time < stop, 10.0 - 7.0 * np.exp(s.time), 0.0)
    within("Brake given by a table, velocity", s["rotor.w"] - w, 1e-7, "closed-form solution, rad/s")


def test_a_freewheel_that_starts_backward_is_refused() -> None:
    drive, load = (rot.Inertia(J=1.0, w=tg.variable(start=w, fixed=True)) for w in (5.0, 0.0))
    with pytest.raises(tg.NumericError, match="start it with w_rel >= 0"):
        tg.simulate(Freewheel(drive=drive, load=load), 1.0)


def test_an_impact_turns_the_friction_round() -> None:
    """A block slides against a wall at 1 m and comes back with half its velocity; friction decelerates both ways."""

    class Wall(tg.Component):
        block = tr.Mass(m=1.0, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=4.0, fixed=True))
        ground = tr.SupportFriction(F_Coulomb=3.0)

        def connections(self):
            yield self.block.flange_b, self.ground.flange_a

        def equations(self):
            yield tg.when(self.block.s > 1.0, tg.reinit(self.block.v, -0.5 * tg.pre(self.block.v)))

    s = tg.simulate(Wall(), 1.5, rtol=1e-9)
    arrival = np.sqrt(16.0 - 2 * 3.0)
    hit, back = (4.0 - arrival) / 3.0, arrival / 2
    rest = 1.0 - back**2 / 6.0
    within("Block against a wall, where it stops", s["block.s"][-1] - rest, 1e-7, "closed-form solution, m")
    modes = s["ground.mode"]
    assert (modes[s.time < hit - 1e-6] == 1).all()
    assert (modes[(s.time > hit + 1e-6) & (s.time < hit + back / 3.0 - 1e-6)] == -1).all()
    assert modes[-1] == 0

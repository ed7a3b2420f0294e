"""Backlash, gaps and end stops: contact begins and ends at the instants of closed-form solutions, and nothing pulls."""

from __future__ import annotations

import importlib.util
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.library import blocks
from tellegen.library import rotational as rot
from tellegen.library import translational as tr
from validation.measured import relative, within


def contact(m: float, c: float, d: float) -> tuple[float, float, float]:
    """Of a mass that runs into a spring and damper with velocity 1: duration, rebound velocity, depth at the end.

    e = sin(w t) exp(-r t)/w with r = d/2m, w^2 = c/m - r^2. The push c e + d e' = -m e'' ends where e'' = 0, that is at
    tan(w t) = 2 r w/(r^2 - w^2); there e' = -exp(-r t).
    """
    r = d / (2 * m)
    w = np.sqrt(c / m - r**2)
    t = np.arctan2(2 * r * w, r**2 - w**2) / w
    return t, np.exp(-r * t), np.sin(w * t) * np.exp(-r * t) / w


def bounces(gap: float, v: float, m: float, c: float, d: float, n: int) -> Any:
    """Instants at which n contacts begin and end, from the middle of the gap on, and with damping two more for each:

    c e + d e' changes its sign in free flight too, d/c before the beginning and at the end, at the depth d v/c that
    takes the time d/c to be left.
    """
    duration, rebound, depth = contact(m, c, d)
    t, way, times = 0.0, gap / 2, []
    for _ in range(n):
        t += way / v
        times += [t - d / c, t, t + duration, t + duration + d / c] if d else [t, t + duration]
        t += duration
        way, v = gap + depth * v, v * rebound
    return np.array(times)


class Between(tg.Component):
    """A mass between two elastic stops at +-0.1 m, with nothing else to hold it."""

    left = tr.Fixed(s0=-0.1)
    right = tr.Fixed(s0=0.1)
    low = tr.ElastoGap(c=1e4, limited_damping=False, d=20.0, use_heat_port=False)
    mass = tr.Mass(m=2.0, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=3.0, fixed=True))
    high = tr.ElastoGap(c=1e4, limited_damping=False, d=20.0)

    def connections(self):
        yield self.left.flange, self.low.flange_a
        yield self.low.flange_b, self.mass.flange_a
        yield self.mass.flange_b, self.high.flange_a
        yield self.high.flange_b, self.right.flange


@pytest.mark.parametrize("solver", ["cvode", "rk45", "ida"])
@pytest.mark.parametrize("d", [0.0, 20.0])
def test_mass_between_elastic_stops(d: float, solver: str) -> None:
    parameters = {"low.d": d, "high.d": d}
    s = shared_model(Between).simulate(1.5, rtol=1e-9, atol=1e-12, parameters=parameters, solver=solver)
    exact = bounces(0.2, 3.0, 2.0, 1e4, d, 15)
    times = np.array([event.time for event in s.events])
    exact = exact[exact < 1.5]
    assert len(exact) >= 20
    name = "Mass between elastic stops" + (", damped" if d else "")
    within(f"{name}: contacts begin and end", times - exact, 1e-6, "closed-form solution, s", solver)
    pushes = np.maximum(s["high.f"].max(), s["low.f"].max())
    within(f"{name}: nothing pulls", max(pushes, 0.0), 3e-7, "zero, N", solver)  # 1e4 N/m at the instants found


@pytest.mark.parametrize("solver", ["cvode", "rk45", "ida"])
@pytest.mark.parametrize("start", [0.0, 0.5])
def test_mass_that_rests_on_a_stop(start: float, solver: str) -> None:
    """Without any depth or speed, then pressed: the root function of the contact begins at zero and with no slope."""

    class Resting(tg.Component):
        wall = tr.Fixed()
        gap = tr.ElastoGap(c=1e4, d=10.0, limited_damping=False)
        mass = tr.Mass(m=1.0, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=0.0, fixed=True))
        force = tr.ForceStep(step_force=-10.0, start_time=start)

        def connections(self):
            yield self.wall.flange, self.gap.flange_a
            yield self.gap.flange_b, self.mass.flange_a
            yield self.mass.flange_b, self.force.flange

    with pytest.warns(UserWarning, match="looks stiff") if solver == "rk45" else nullcontext():
        s = tg.simulate(Resting(), 4.0, solver=solver)
    within("Mass that rests on a stop and is pressed", relative(-s["mass.s"][-1], 1e-3), 1e-4, "spring", solver)


def test_hertz_contact() -> None:
    """c e^1.5 without damping: all kinetic energy is in the spring at the largest depth, c e^2.5/2.5 = m v^2/2."""
    ball = Between(high=tr.ElastoGap(c=1e6, d=0.0, n=1.5))
    s = tg.simulate(ball, 0.05, rtol=1e-10, atol=1e-13, points=20001)
    depth = (2.5 * 0.5 * 2.0 * 9.0 / 1e6) ** 0.4
    within("Hertzian stop, largest depth", relative(s["mass.s"].max() - 0.1, depth), 1e-6, "energy")
    within("Hertzian stop, rebound", s["mass.v"][-1] + 3.0, 1e-7, "energy, m/s")


class Loose(tg.Component):
    """Two rotors with backlash between them, the first with an initial speed."""

    a = rot.Inertia(J=1.0, phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=-1.0, fixed=True))
    flanks = rot.ElastoBacklash(c=200.0, d=0.5, b=0.1, limited_damping=False, use_heat_port=False)
    b = rot.Inertia(J=0.5, phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=0.0, fixed=True))

    def connections(self):
        yield self.a.flange_b, self.flanks.flange_a
        yield self.flanks.flange_b, self.b.flange_a


def test_backlash_between_rotors() -> None:
    """The relative motion is that of the reduced inertia J_a J_b/(J_a + J_b) between two stops; the mean goes on."""
    s = tg.simulate(Loose(), 3.0, rtol=1e-9, atol=1e-12)
    exact = bounces(0.1, 1.0, 1.0 / 3.0, 200.0, 0.5, 20)
    times = np.array([event.time for event in s.events])
    exact = exact[exact < 3.0]
    assert len(exact) >= 12
    within("Backlash between rotors, flanks touch and part", times - exact, 1e-6, "closed-form solution, s")
    momentum = s["a.w"] + 0.5 * s["b.w"]
    within("Backlash between rotors, angular momentum", momentum + 1.0, 1e-9, "conservation, N m s")
    against = s["flanks.tau"] * np.sign(s["flanks.phi_rel"])
    within("Backlash between rotors, flanks never pull", min(against.min(), 0.0), 1e-9, "zero, N m")


def test_backlash_of_zero_is_a_spring_with_damper() -> None:
    s = tg.simulate(Loose(), 2.0, rtol=1e-9, atol=1e-12, parameters={"flanks.b": 0.0})
    r = 0.5 / (2.0 / 3.0)
    w = np.sqrt(600.0 - r**2)
    exact = np.sin(w * s.time) * np.exp(-r * s.time) / w
    within("Backlash of zero, relative angle", s["flanks.phi_rel"] - exact, 1e-8, "closed-form solution, rad")


def test_spring_and_damper_side_by_side() -> None:
    class Oscillator(tg.Component):
        wall = tr.Fixed()
        tie = tr.SpringDamper(c=100.0, d=2.0, s_rel0=0.5)
        mass = tr.Mass(m=1.0, s=tg.variable(start=0.6, fixed=True), v=tg.variable(start=0.0, fixed=True))

        def connections(self):
            yield self.wall.flange, self.tie.flange_a
            yield self.tie.flange_b, self.mass.flange_a

    s = tg.simulate(Oscillator(), 5.0, rtol=1e-9, atol=1e-12)
    w = np.sqrt(100.0 - 1.0)
    exact = 0.5 + 0.1 * np.exp(-s.time) * (np.cos(w * s.time) + np.sin(w * s.time) / w)
    within("Spring and damper, path", s["mass.s"] - exact, 1e-8, "closed-form solution, m")


class Stopped(tg.Component):
    """A slide pushed against its stop, held there, and pulled back to the other one."""

    push = blocks.Table(times=[0.0, 2.0, 4.0], values=[7.0, 7.0, -7.0])
    force = tr.Force()
    slide = tr.MassWithStopAndFriction(
        m=2.0,
        F_Coulomb=3.0,
        smin=-0.5,
        smax=1.0,
        s=tg.variable(start=0.0, fixed=True),
        v=tg.variable(start=0.0, fixed=True),
    )

    def connections(self):
        yield self.push.y, self.force.f
        yield self.force.flange, self.slide.flange_a


@pytest.mark.parametrize("solver", ["cvode", "rk45"])
def test_mass_between_hard_stops(solver: str) -> None:
    """(7 - 3)/2 m/s2 until 1 m; there until the pull is above 3 N, 2 + 10/7 s; then a = -7/2 (t - t0) to the other."""
    s = shared_model(Stopped).simulate(6.0, rtol=1e-9, atol=1e-11, solver=solver)
    leave = 2.0 + 10.0 / 7.0
    ramp = 4.0 - leave  # from there on the pull is constant, 7 N
    path, speed = 3.5 * ramp**3 / 6, 3.5 * ramp**2 / 2
    rest = (-speed + np.sqrt(speed**2 + 2 * 2.0 * (1.5 - path))) / 2.0
    arrive = 4.0 + rest
    t = s.time
    late = t - 4.0
    exact = np.select(
        [t < 1.0, t < leave, t < 4.0, t < arrive],
        [t**2, 1.0, 1.0 - 3.5 * (t - leave) ** 3 / 6, 1.0 - path - speed * late - late**2],
        -0.5,
    )
    within("Slide between hard stops, path", s["slide.s"] - exact, 1e-6, "closed-form solution, m", solver)
    lies = (t > 1.0 + 1e-6) & (t < leave - 1e-6)
    within("Slide between hard stops, velocity at the stop", s["slide.v"][lies], 1e-12, "zero, m/s", solver)
    force = s["slide.f"][lies] - s["push.y"][lies]
    within("Slide between hard stops, force of the stop", force, 1e-9, "balance, N", solver)
    assert s["slide.mode"][-1] == 0
    assert s["slide.s"].max() < 1.0 + 1e-9


def belt(F0: float, swing: float) -> tg.Solution:
    """A pulley on a belt whose other pulley is held."""

    class Pulley(tg.Component):
        rotor = rot.Inertia(J=0.02, phi=tg.variable(start=swing, fixed=True), w=tg.variable(start=0.0, fixed=True))
        strands = rot.ElasticBelt(r_a=0.1, r_b=0.2, c=2e3, F0=F0)
        wall = rot.Fixed()

        def connections(self):
            yield self.rotor.flange_b, self.strands.flange_a
            yield self.strands.flange_b, self.wall.flange

    return tg.simulate(Pulley(), 1.0, rtol=1e-9, atol=1e-12)


def test_elastic_belt() -> None:
    """Taut, two strands hold; without pretension one at a time; beyond the pretension the other hangs slack."""
    taut, loose = belt(50.0, 0.1), belt(0.0, 0.1)
    within("Belt, both strands taut", taut["rotor.phi"] - 0.1 * np.cos(np.sqrt(2e3) * taut.time), 1e-8, "closed, rad")
    one = 0.1 * np.cos(np.sqrt(1e3) * loose.time)
    within("Belt, without pretension", loose["rotor.phi"] - one, 1e-6, "closed-form solution, rad")
    slack = belt(10.0, 0.2)  # 10 N are gone after 0.05 rad
    assert np.abs([slack["strands.F_1"].min(), slack["strands.F_2"].min()]).max() < 1e-9
    # energy at 0.2 rad: one strand stretched by 25 mm, with 5 mm of pretension; in the middle both by 5 mm
    energy = 0.5 * 2e3 * (0.025**2 - 2 * 0.005**2)
    within(
        "Belt, slack strand: largest speed",
        relative(np.abs(slack["rotor.w"]).max(), np.sqrt(2 * energy / 0.02)),
        1e-3,
        "energy, at the output points",
    )


def example(name: str) -> Any:
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[2] / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("b", [0.02, 0.0])
def test_servo_with_backlash(b: float) -> None:
    """A gearbox in a control loop, against SciPy flank by flank; the cycle against the describing function.

    The latter looks at the fundamental alone; the third harmonic of a dead zone is some percent, and so is its error.
    """
    servo = example("servo_backlash")
    s = tg.simulate(servo.Servo(), 4.0, rtol=1e-9, atol=1e-12, points=2001, parameters={"gear.b": b})
    late = s.time >= 0.1
    error = s["load.phi"][late] - servo.reference(b, s.time[late])
    within(f"Servo with backlash of {b:g} rad", error, 1e-8, "SciPy, DOP853 flank by flank, rad")
    if b:
        settled = s.time > 2.0
        cycle = servo.cycle(s.time[settled], s["load.phi"][settled])
        within("Servo with backlash, limit cycle", relative(cycle, servo.predicted(b)), 0.1, "describing function")


def test_car() -> None:
    """Engine to road: no energy is lost on the way, and the highest speed is that of the balance of forces.

    Clutches close within the tolerance of the run: of the energy at that instant a part of 1e-6 may be missing.
    """
    car = example("clutch_drive_train")
    s = tg.simulate(car.Car(), 60.0, rtol=1e-8)
    moving = 0.5 * (0.2 * (s["crank.w"] ** 2 - 120.0**2) + 1.6 * s["left.w"] ** 2 + car.MASS * s["body.v"] ** 2)
    moving += 0.025 * s["propeller.w"] ** 2 + 8e3 * s["left_shaft.phi_rel"] ** 2
    spent = moving + 2e4 * (s["metal.T"] - 300.0) + s["blown"]
    within("Car, energy", (s["engine.work"] - spent) / s["engine.work"][-1], 1e-5, "work of the engine")
    within("Car, highest speed", relative(s["body.v"][-1], car.highest_speed()), 1e-6, "balance of forces")


@pytest.mark.parametrize("rtol", [1e-7, 1e-8, 1e-9])
def test_car_pulls_away_whatever_the_steps(rtol: float) -> None:
    """The road gives way where the push passes its limit, at an instant that does not depend on where steps end.

    Unknowns of the lossy gear are iterated; computed twice they differ by roundings, also at the instant of the event.
    """
    compiled = tg.compile(example("clutch_drive_train").Car())
    runs = [compiled.simulate(stop, rtol=rtol, points=101) for stop in np.linspace(1.0, 6.0, 12)]
    gives_way = [run.time[np.argmax(run["road.mode"] == 1)] for run in runs]
    within("Car, the road gives way", np.ptp(gives_way), 1e-6, "the same instant in every run, s")

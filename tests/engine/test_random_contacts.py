"""Random hard stops, backlash, dog clutches and friction contacts, against oracles that know nothing of the engine.

Stops and backlash: flights in closed form from impact to impact. Clutches and brakes that lock: the jump of speeds by
linear algebra. Friction: accelerations as the minimum of Gauss's function, of which the linear complementarity problem
is the optimality condition, over all combinations of sticking and sliding.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import rotational as rot
from tellegen.library import translational as tr

SOLVERS = ("rk45", "cvode", "ida", "rodas")
RUN: dict[str, Any] = {"rtol": 1e-9, "points": 20}


def cases(seed: int, count: int) -> Iterator[np.random.Generator]:
    """Random numbers for each case."""
    yield from (np.random.default_rng([seed, k]) for k in range(count))


# -- hard stops --------------------------------------------------------------------------------------------------------
class Impact(tg.Component):
    """Two bodies that bounce off each other where they touch."""

    a = tr.Flange()
    b = tr.Flange()
    e = tg.parameter(1.0, "1", "restitution")
    n = tg.integer("impacts")
    gap = tg.variable("m", start=0.0)
    v = tg.variable("m/s", "speed at which the gap opens")
    acceleration = tg.variable("m/s2")
    f = tg.variable("N", "force between impacts")
    rest = tg.parameter(0.0, "N")

    def equations(self) -> Any:
        yield self.gap == self.b.s - self.a.s
        yield tg.der(self.gap) == self.v
        yield tg.der(self.v) == self.acceleration
        yield self.a.f == self.f
        yield self.b.f == -self.f
        yield self.f == self.rest
        hits = (self.gap <= 0) & (self.v < 0)
        yield tg.when(hits, tg.reinit(self.v, -self.e * tg.pre(self.v)), self.n == tg.pre(self.n) + 1)


MASSES = 3


@pytest.fixture(scope="module")
def row() -> Any:
    """Masses in a row between two walls, and between any two neighbours an impact."""
    s = tg.System("row")
    s.add(left=tr.Fixed(s0=0.0), right=tr.Fixed(s0=1.0))
    bodies = [s.left.flange]
    for k in range(MASSES):
        start = tg.variable(start=0.2 + 0.2 * k, fixed=True)
        s.add(**{f"m{k}": tr.Mass(m=1.0, s=start, v=tg.variable(start=0.0, fixed=True))})
        bodies += [getattr(s, f"m{k}").flange_a, getattr(s, f"m{k}").flange_b]
    bodies.append(s.right.flange)
    for k, (a, b) in enumerate(zip(bodies[::2], bodies[1::2], strict=True)):
        s.add(**{f"i{k}": Impact()})
        s.connect(a, getattr(s, f"i{k}").a)
        s.connect(getattr(s, f"i{k}").b, b)
    return tg.compile(s)


def flights(m: np.ndarray, s: np.ndarray, v: np.ndarray, e: np.ndarray, stop: float) -> tuple[Any, Any, int]:
    """Positions, speeds and the number of impacts: free flight from each to the next; walls are very heavy."""
    m = np.concatenate([[1e300], m, [1e300]])
    s = np.concatenate([[0.0], s, [1.0]])
    v = np.concatenate([[0.0], v, [0.0]])
    t = 0.0
    count = 0
    while True:
        closing = -np.diff(v)
        with np.errstate(divide="ignore"):
            waits = np.where(closing > 1e-12, np.maximum(np.diff(s), 0.0) / closing, np.inf)
        k = int(np.argmin(waits))
        if t + waits[k] >= stop:
            return (s + v * (stop - t))[1:-1], v[1:-1], count
        t += waits[k]
        s = s + v * waits[k]
        s[k + 1] = s[k]
        impulse = (1.0 + e[k]) * (v[k] - v[k + 1]) / (1.0 / m[k] + 1.0 / m[k + 1])
        v[k] -= impulse / m[k]
        v[k + 1] += impulse / m[k + 1]
        count += 1


def test_masses_between_walls(row: Any) -> None:
    """Impacts multiply errors, so what passes is limited to those that a run can follow."""
    for k, rng in enumerate(cases(1, 12)):
        m = 10.0 ** rng.uniform(-0.5, 0.5, MASSES)
        s = np.sort(rng.uniform(0.05, 0.95, MASSES))
        v = rng.uniform(-1.0, 1.0, MASSES)
        e = rng.uniform(0.5, 1.0, MASSES + 1)
        at, speeds, impacts = flights(m, s, v, e, 1.5)
        parameters = {f"m{j}.m": m[j] for j in range(MASSES)} | {f"i{j}.e": e[j] for j in range(MASSES + 1)}
        initial = {f"m{j}.{name}": x[j] for j in range(MASSES) for name, x in (("s", s), ("v", v))}
        found = row.simulate(1.5, solver=SOLVERS[k % 4], parameters=parameters, initial=initial, **RUN).at(1.5)
        assert sum(found[f"i{j}.n"] for j in range(MASSES + 1)) == impacts
        np.testing.assert_allclose([found[f"m{j}.s"] for j in range(MASSES)], at, atol=1e-6)
        np.testing.assert_allclose([found[f"m{j}.v"] for j in range(MASSES)], speeds, atol=1e-6)


# -- backlash ----------------------------------------------------------------------------------------------------------
class Backlash(tg.Component):
    """Teeth that bounce at both ends of the play b."""

    flange_a = rot.Flange()
    flange_b = rot.Flange()
    b = tg.parameter(0.1, "rad", "play")
    e = tg.parameter(0.8, "1", "restitution")
    phi = tg.variable("rad", "relative angle", start=0.0, fixed=True)
    w = tg.variable("rad/s", "relative speed")
    a = tg.variable("rad/s2")
    tau = tg.variable("N.m", "between impacts")
    rest = tg.parameter(0.0, "N.m")

    def equations(self) -> Any:
        yield self.phi == self.flange_b.phi - self.flange_a.phi
        yield tg.der(self.phi) == self.w
        yield tg.der(self.w) == self.a
        yield self.flange_a.tau == self.tau
        yield self.flange_b.tau == -self.tau
        yield self.tau == self.rest
        above = (self.phi >= 0.5 * self.b) & (self.w > 0)
        below = (self.phi <= -0.5 * self.b) & (self.w < 0)
        yield tg.when(above | below, tg.reinit(self.w, -self.e * tg.pre(self.w)))


@pytest.fixture(scope="module")
def teeth() -> Any:
    s = tg.System("teeth")
    s.add(drive=rot.ConstantTorque(tau_constant=0.0), motor=rot.Inertia(J=1.0, w=tg.variable(start=1.0, fixed=True)))
    s.add(play=Backlash(), gear=rot.IdealGear(ratio=2.0), load=rot.Inertia(J=4.0, w=tg.variable(start=0.0, fixed=True)))
    s.connect(s.drive.flange, s.motor.flange_a)
    s.connect(s.motor.flange_b, s.play.flange_a)
    s.connect(s.play.flange_b, s.gear.flange_a)
    s.connect(s.gear.flange_b, s.load.flange_a)
    return tg.compile(s)


def rattle(j: np.ndarray, w: np.ndarray, tau: float, play: tuple[float, float], stop: float) -> np.ndarray:
    """Speeds of both sides: parabolas of the relative angle from impact to impact."""
    b, e = play
    t = 0.0
    phi = 0.0
    accelerations = np.array([tau / j[0], 0.0])
    while True:
        relative = w[1] - w[0]
        a = accelerations[1] - accelerations[0]
        waits = [
            float(root.real)
            for side in (0.5 * b, -0.5 * b)
            for root in np.roots([0.5 * a, relative, phi - side])
            if abs(root.imag) < 1e-12 and root.real > 1e-9 and (relative + a * root.real) * side > 0.0
        ]
        wait = min(waits, default=np.inf)
        if t + wait >= stop:
            return w + accelerations * (stop - t)
        t += wait
        phi += relative * wait + 0.5 * a * wait**2
        w = w + accelerations * wait
        impulse = -(1.0 + e) * (w[1] - w[0]) / (1.0 / j[0] + 1.0 / j[1])
        w = w + np.array([-impulse / j[0], impulse / j[1]])


def test_teeth_that_rattle(teeth: Any) -> None:
    for k, rng in enumerate(cases(2, 12)):
        j = 10.0 ** rng.uniform(-0.3, 0.7, 2)
        e = float(rng.uniform(0.6, 1.0))
        b = float(rng.uniform(0.05, 0.3))
        w = rng.uniform(-1.0, 1.0, 2)
        tau = float(rng.choice([0.0, rng.uniform(-0.5, 0.5)]))
        expected = rattle(j, w, tau, (b, e), 1.0)
        found = teeth.simulate(
            1.0,
            solver=SOLVERS[k % 4],
            parameters={"motor.J": j[0], "load.J": 4.0 * j[1], "play.b": b, "play.e": e, "drive.tau_constant": tau},
            initial={"motor.w": w[0], "load.w": 0.5 * w[1]},
            **RUN,
        ).at(1.0)
        np.testing.assert_allclose([found["motor.w"], 2.0 * found["load.w"]], expected, atol=2e-6)
        momentum = j @ w + tau * 1.0
        assert j[0] * found["motor.w"] + 2.0 * j[1] * found["load.w"] == pytest.approx(momentum, abs=1e-8)


def test_a_run_that_ends_some_roundings_after_an_impact(teeth: Any) -> None:
    """IDA found the root again that it had just started from, until the run was given up as chattering."""
    for rng in cases(5, 4):
        parameters = {"motor.J": rng.uniform(0.5, 3.0), "play.b": rng.uniform(0.05, 0.3)}
        run: dict[str, Any] = {"solver": "ida", "parameters": parameters, **RUN}
        (impact, *_) = (event.time for event in teeth.simulate(1.0, **run).events)
        for roundings in range(0, 600, 40):
            stop = impact * (1.0 + roundings * float(np.finfo(float).eps))
            assert teeth.simulate(stop, **run).success


# -- clutches and brakes that lock -------------------------------------------------------------------------------------
class Dog(tg.Component):
    """Locks at an instant, at whatever difference of speed, and stays locked."""

    flange_a = rot.Flange()
    flange_b = rot.Flange()
    at = tg.parameter(0.5, "s")
    phi = tg.variable("rad", start=0.0, fixed=True)
    w = tg.variable("rad/s")
    tau = tg.variable("N.m")

    def equations(self) -> Any:
        yield self.phi == self.flange_b.phi - self.flange_a.phi
        yield self.w == tg.der(self.phi)
        yield self.flange_a.tau == -self.tau
        yield self.flange_b.tau == self.tau
        yield tg.modes(
            tg.mode("open", self.tau == 0.0),
            tg.mode("locked", tg.der(self.w) == 0.0),
            tg.transition("open", "locked", tg.time > self.at, tg.reinit(self.w, 0.0)),
        )


RATIO = 3.0


@pytest.fixture(scope="module")
def shafts() -> Any:
    """Four rotors with dog clutches between them, one of them behind a gear, and a dog brake on the last."""
    s = tg.System("shafts")
    for k in range(4):
        s.add(**{f"j{k}": rot.Inertia(J=1.0, w=tg.variable(start=1.0, fixed=True))})
    s.add(**{f"d{k}": Dog() for k in range(3)}, gear=rot.IdealGear(ratio=RATIO), brake=Dog(), wall=rot.Fixed())
    s.connect(s.j0.flange_b, s.d0.flange_a)
    s.connect(s.d0.flange_b, s.j1.flange_a)
    s.connect(s.j1.flange_b, s.gear.flange_a)
    s.connect(s.gear.flange_b, s.d1.flange_a)
    s.connect(s.d1.flange_b, s.j2.flange_a)
    s.connect(s.j2.flange_b, s.d2.flange_a)
    s.connect(s.d2.flange_b, s.j3.flange_a)
    s.connect(s.j3.flange_b, s.brake.flange_a)
    s.connect(s.brake.flange_b, s.wall.flange)
    return tg.compile(s)


LOCKS = {
    "d0": np.array([-1.0, 1.0, 0.0, 0.0]),
    "d1": np.array([0.0, -1.0 / RATIO, 1.0, 0.0]),
    "d2": np.array([0.0, 0.0, -1.0, 1.0]),
    "brake": np.array([0.0, 0.0, 0.0, 1.0]),
}


def locked(j: np.ndarray, w: np.ndarray, times: dict[str, float]) -> np.ndarray:
    """M (w+ - w-) = J' z with J w+ = 0 for all that is locked, instant after instant."""
    for t in sorted(set(times.values())):
        rows = np.array([LOCKS[name] for name, at in times.items() if at <= t])
        by_mass = rows / j
        w = w - by_mass.T @ np.linalg.solve(by_mass @ rows.T, rows @ w)
    return w


def test_shafts_that_lock_one_after_the_other_or_together(shafts: Any) -> None:
    for k, rng in enumerate(cases(3, 12)):
        j = 10.0 ** rng.uniform(-1.0, 1.0, 4)
        w = rng.uniform(-5.0, 5.0, 4)
        together = rng.choice([0.2, 0.4, 0.6], 4).tolist()
        times = dict(zip(LOCKS, together, strict=True))
        parameters = {f"j{i}.J": j[i] for i in range(4)} | {f"{name}.at": t for name, t in times.items()}
        initial = {f"j{i}.w": w[i] for i in range(4)}
        run = shafts.simulate(0.5, solver=SOLVERS[k % 4], parameters=parameters, initial=initial, **RUN)
        early = {name: t for name, t in times.items() if t < 0.5}
        found = [run[f"j{i}.w"][-1] for i in range(4)]
        np.testing.assert_allclose(found, locked(j, w, early) if early else w, atol=1e-7)


# -- friction ----------------------------------------------------------------------------------------------------------
ROTORS = 3


@pytest.fixture(scope="module")
def rubbing() -> Any:
    """Rotors with bearings that rub, clutches between them, and a torque on each."""
    s = tg.System("rubbing")
    for k in range(ROTORS):
        s.add(**{f"j{k}": rot.Inertia(J=1.0, w=tg.variable(start=1.0, fixed=True))})
        s.add(**{f"b{k}": rot.BearingFriction(tau_Coulomb=1.0), f"t{k}": rot.ConstantTorque(tau_constant=0.0)})
        rotor, bearing, torque = (getattr(s, f"{letter}{k}") for letter in "jbt")
        s.connect(torque.flange, rotor.flange_a, bearing.flange_a)
    for k in range(ROTORS - 1):
        s.add(**{f"c{k}": rot.Clutch(mu=1.0), f"u{k}": blocks.Constant(k=1.0)})
        clutch = getattr(s, f"c{k}")
        s.connect(getattr(s, f"u{k}").y, clutch.f_normalized)
        s.connect(getattr(s, f"j{k}").flange_b, clutch.flange_a)
        s.connect(clutch.flange_b, getattr(s, f"j{k + 1}").flange_b)
    return tg.compile(s)


CONTACTS = np.concatenate([np.eye(ROTORS), np.diff(np.eye(ROTORS), axis=0)])


def gauss(j: np.ndarray, force: np.ndarray, rows: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """The accelerations that minimize a' M a/2 - force' a + sum of limit |row a|, over all signs and zeros."""

    def value(a: np.ndarray) -> float:
        return float(0.5 * a @ (j * a) - force @ a + limits @ np.abs(rows @ a))

    found: list[np.ndarray] = []
    for signs in product((0.0, 1.0, -1.0), repeat=len(rows)):
        s = np.array(signs)
        push = force - rows.T @ (limits * s)
        stuck = rows[s == 0.0]
        free = np.eye(ROTORS)
        if len(stuck):
            _, singular, basis = np.linalg.svd(stuck)
            rank = int((singular > 1e-9).sum())
            free = basis[rank:].T
        mass = free.T @ (j[:, None] * free)
        found.append(free @ np.linalg.solve(mass, free.T @ push) if free.shape[1] else np.zeros(ROTORS))
    return min(found, key=value)


def rubbed(j: np.ndarray, w: np.ndarray, torque: np.ndarray, limits: np.ndarray, stop: float) -> np.ndarray:
    """Speeds that change at constant rates until something stops to slide."""
    t = 0.0
    while True:
        sliding = CONTACTS @ w
        moves = np.abs(sliding) > 1e-10
        pushed = torque - CONTACTS[moves].T @ (limits[moves] * np.sign(sliding[moves]))
        a = gauss(j, pushed, CONTACTS[~moves], limits[~moves])
        rates = CONTACTS @ a
        with np.errstate(divide="ignore", invalid="ignore"):
            waits = np.where(moves & (sliding * rates < 0.0), -sliding / rates, np.inf)
        wait = float(waits.min())
        if t + wait >= stop:
            return w + a * (stop - t)
        t += wait
        w = w + a * wait
        sliding = CONTACTS @ w
        for row in CONTACTS[np.abs(sliding) < 1e-9]:
            w = w - row * (row @ w) / (row @ row)  # roundings


def test_rotors_that_rub(rubbing: Any) -> None:
    for k, rng in enumerate(cases(4, 12)):
        j = 10.0 ** rng.uniform(-0.5, 0.5, ROTORS)
        w = rng.uniform(-2.0, 2.0, ROTORS) * (rng.random() < 0.7)
        torque = rng.uniform(-2.0, 2.0, ROTORS)
        limits = rng.uniform(0.2, 1.5, len(CONTACTS))
        parameters: dict[str, float] = {}
        for i in range(ROTORS):
            parameters |= {f"j{i}.J": j[i], f"t{i}.tau_constant": torque[i], f"b{i}.tau_Coulomb": limits[i]}
        parameters |= {f"c{i}.fn_max": limits[ROTORS + i] for i in range(ROTORS - 1)}
        initial = {f"j{i}.w": w[i] for i in range(ROTORS)}
        run = rubbing.simulate(2.0, solver=SOLVERS[k % 4], parameters=parameters, initial=initial, **RUN)
        found = [run[f"j{i}.w"][-1] for i in range(ROTORS)]
        np.testing.assert_allclose(found, rubbed(j, w, torque, limits, 2.0), atol=2e-6)

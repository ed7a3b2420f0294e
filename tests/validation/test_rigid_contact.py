"""Rigid contacts against closed solutions and against the collisions of particles, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.library import blocks
from tellegen.library import rotational as rot
from tellegen.library import translational as tr

SOLVERS = ("rk45", "cvode", "ida", "rodas")
G = 9.81


class Ball(tg.Component):
    """Falls on the floor from 1 m."""

    floor = tr.Fixed()
    contact = tr.RigidContact(e=0.7)
    ball = tr.Mass(m=2.0, s=tg.variable(start=1.0, fixed=True), v=tg.variable(start=0.0, fixed=True))
    weight = tr.ConstantForce(f_constant=-2.0 * G)

    def connections(self):
        yield self.floor.flange, self.contact.flange_a
        yield self.contact.flange_b, self.ball.flange_a
        yield self.ball.flange_b, self.weight.flange


@pytest.fixture(scope="module")
def ball() -> tg.CompiledModel:
    return tg.compile(Ball())


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_ball_bounces_until_it_lies_on_the_floor(ball: tg.CompiledModel, solver: str) -> None:
    """Bounces at T (1 + 2 e + 2 e^2 + ...) with T = sqrt(2 h/g); in the end the floor carries the weight."""
    run = ball.simulate(4.0, solver=solver, rtol=1e-8)
    fall = np.sqrt(2.0 / G)
    bounces = fall * (1.0 + 2.0 * np.concatenate([[0.0], np.cumsum(0.7 ** np.arange(1, 6))]))
    found = [event.time for event in run.events]
    for t in bounces:
        assert min(abs(t - f) for f in found) < 1e-6
    speed = run.at(float(bounces[-1] + 1e-3))["ball.v"]
    assert speed == pytest.approx(0.7**6 * G * fall - G * 1e-3, abs=1e-5)
    assert run["contact.mode"][-1] == 1  # touching
    assert run["contact.f"][-1] == pytest.approx(-2.0 * G, rel=1e-9)
    assert abs(run["ball.s"][-1]) < 1e-7
    assert run["ball.s"].min() > -1e-7


class Row(tg.Component):
    """Three masses between two walls at 0 and 1."""

    m = tg.parameter([1.0, 1.0, 1.0], "kg")
    s = tg.parameter([0.2, 0.5, 0.8], "m")
    v = tg.parameter([1.0, 0.0, 0.0], "m/s")
    e = tg.parameter(1.0, "1")
    low = tr.Fixed(s0=0.0)
    high = tr.Fixed(s0=1.0)
    a = tr.Mass(m=m[0], s=tg.variable(start=s[0], fixed=True), v=tg.variable(start=v[0], fixed=True))
    b = tr.Mass(m=m[1], s=tg.variable(start=s[1], fixed=True), v=tg.variable(start=v[1], fixed=True))
    c = tr.Mass(m=m[2], s=tg.variable(start=s[2], fixed=True), v=tg.variable(start=v[2], fixed=True))
    c0 = tr.RigidContact(e=e, v_rest=0.0)
    c1 = tr.RigidContact(e=e, v_rest=0.0)
    c2 = tr.RigidContact(e=e, v_rest=0.0)
    c3 = tr.RigidContact(e=e, v_rest=0.0)

    def connections(self):
        yield self.low.flange, self.c0.flange_a
        yield self.c0.flange_b, self.a.flange_a
        yield self.a.flange_b, self.c1.flange_a
        yield self.c1.flange_b, self.b.flange_a
        yield self.b.flange_b, self.c2.flange_a
        yield self.c2.flange_b, self.c.flange_a
        yield self.c.flange_b, self.c3.flange_a
        yield self.c3.flange_b, self.high.flange


@dataclass(frozen=True)
class Particles:
    """Free particles between walls at 0 and 1."""

    m: Any
    s: Any
    v: Any
    e: float

    def at(self, stop: float) -> tuple[Any, Any]:
        """Positions and velocities, from collision to collision."""
        mass = np.concatenate([[np.inf], self.m, [np.inf]])
        s = np.concatenate([[0.0], self.s, [1.0]])
        v = np.concatenate([[0.0], self.v, [0.0]])
        left = stop
        while True:
            gap, closing = np.diff(s), -np.diff(v)
            times = np.where(closing > 1e-12, np.maximum(gap, 0.0) / np.maximum(closing, 1e-300), np.inf)
            k = int(np.argmin(times))
            if times[k] >= left:
                return s[1:-1] + left * v[1:-1], v[1:-1]
            s = s + times[k] * v
            left -= times[k]
            inverse = 1.0 / mass[k : k + 2]
            impulse = (1.0 + self.e) * (v[k] - v[k + 1]) / inverse.sum()
            v = v.copy()
            v[k] -= impulse * inverse[0]
            v[k + 1] += impulse * inverse[1]


@pytest.fixture(scope="module")
def row() -> tg.CompiledModel:
    return tg.compile(Row())


def test_random_particles(row: tg.CompiledModel) -> None:
    """Every impact is an instant: what is left are errors of located times, which elastic impacts do not enlarge."""
    random = np.random.default_rng(16)
    for k in range(24):
        masses = 10.0 ** random.uniform(-0.5, 0.5, 3)
        places = np.array([0.1, 0.4, 0.7]) + random.uniform(0.0, 0.2, 3)
        particles = Particles(masses, places, random.uniform(-2.0, 2.0, 3), float(random.uniform(0.85, 1.0)))
        values = {"m": particles.m, "s": particles.s, "v": particles.v, "e": particles.e}
        run = row.simulate(1.0, solver=SOLVERS[k % 4], rtol=1e-8, parameters=values)
        s, v = particles.at(1.0)
        np.testing.assert_allclose([run[f"{name}.s"][-1] for name in "abc"], s, atol=1e-5, err_msg=str(values))
        np.testing.assert_allclose([run[f"{name}.v"][-1] for name in "abc"], v, atol=1e-5, err_msg=str(values))


@pytest.mark.parametrize("solver", SOLVERS)
def test_newtons_cradle(row: tg.CompiledModel, solver: str) -> None:
    """Two masses that lie at the same place pass an impact on, and back after the last one has met the wall."""
    values = {"s": [0.1, 0.5, 0.5], "v": [1.0, 0.0, 0.0]}
    run = row.simulate(1.2, solver=solver, parameters=values, points=np.array([0.0, 0.6, 1.2]))
    np.testing.assert_allclose([run.at(0.6)[f"{name}.v"] for name in "abc"], [0.0, 0.0, 1.0], atol=1e-9)
    np.testing.assert_allclose([run.at(1.2)[f"{name}.v"] for name in "abc"], [0.0, 0.0, -1.0], atol=1e-9)


class Pushed(tg.Component):
    """A force pushes one mass against another, plastically, and pulls it back after 1 s."""

    force = tr.Force()
    push = blocks.Step(height=-12.0, offset=6.0, start_time=1.0)
    first = tr.Mass(m=1.0, s=tg.variable(start=-0.5, fixed=True), v=tg.variable(start=0.0, fixed=True))
    contact = tr.RigidContact(e=0.0)
    second = tr.Mass(m=2.0, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=0.0, fixed=True))

    def connections(self):
        yield self.push.y, self.force.f
        yield self.force.flange, self.first.flange_a
        yield self.first.flange_b, self.contact.flange_a
        yield self.contact.flange_b, self.second.flange_a


@pytest.mark.parametrize("solver", SOLVERS)
def test_bodies_move_together_until_a_force_parts_them(solver: str) -> None:
    """0.5 m at 6 m/s^2, then a third of the speed, 2 m/s^2 together, and the second one flies on alone."""
    run = shared_model(Pushed).simulate(1.5, solver=solver, rtol=1e-8, points=301)
    meet = np.sqrt(2.0 * 0.5 / 6.0)
    together = 6.0 * meet / 3.0 + 2.0 * (1.0 - meet)
    assert run.at(0.9)["contact.f"] == pytest.approx(-4.0, rel=1e-6)
    assert run["second.v"][-1] == pytest.approx(together, rel=1e-6)
    assert run["first.v"][-1] == pytest.approx(together - 6.0 * 0.5, rel=1e-6)
    assert run["contact.mode"][-1] == 0  # apart


class Hammer(tg.Component):
    """A rotor hits a shaft that drives another one through a gear."""

    hammer = rot.Inertia(J=2.0, phi=tg.variable(start=-1.0, fixed=True), w=tg.variable(start=4.0, fixed=True))
    contact = rot.RigidContact(e=0.5)
    shaft = rot.Inertia(J=1.0, phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=0.0, fixed=True))
    gear = rot.IdealGear(ratio=0.5)
    wheel = rot.Inertia(J=0.75)

    def connections(self):
        yield self.hammer.flange_b, self.contact.flange_a
        yield self.contact.flange_b, self.shaft.flange_a
        yield self.shaft.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.wheel.flange_a


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_impact_acts_through_a_gear(solver: str) -> None:
    """The hammer sees 1 + 0.75/0.5^2 = 4 kg m^2: momentum 8, and 2 rad/s more on the other side."""
    run = shared_model(Hammer).simulate(0.5, solver=solver)
    after = (2.0 * 4.0 - 4.0 * 2.0) / 6.0
    assert run["hammer.w"][-1] == pytest.approx(after, abs=1e-9)
    assert run["shaft.w"][-1] == pytest.approx(after + 2.0, abs=1e-9)
    assert run["wheel.w"][-1] == pytest.approx((after + 2.0) / 0.5, abs=1e-9)

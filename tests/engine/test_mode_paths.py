"""Modes that depend on each other through algebraic unknowns: folds, where a model jumps, and singular combinations."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.engine.integrators import segment_driver
from tellegen.library import blocks, planar
from tellegen.library import rotational as rot
from tellegen.library import translational as tr


class Schmitt(tg.Component):
    """A comparator with positive feedback: y = V sat(gain (y/k + u (1 - 1/k)))."""

    V = tg.parameter(15.0)
    k = tg.parameter(16.0)
    gain = tg.parameter(1000.0)
    u = blocks.Sine(amplitude=5.0, f=10.0)
    y = tg.variable(start=15.0)
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Any:
        yield 0.01 * tg.der(self.x) == self.y - self.x
        e = self.gain * (self.y / self.k + self.u.y * (1 - 1 / self.k))
        yield self.y == self.V * tg.where(e > 1.0, 1.0, tg.where(e < -1.0, -1.0, e))


def switchings(V: float, k: float, gain: float, stop: float) -> list[float]:
    """Where a branch ends: gain (V/k + u (1 - 1/k)) = 1 on the upper one, and the opposite on the lower one."""
    threshold = (V / k - 1.0 / gain) / (1.0 - 1.0 / k)
    first = (np.pi + np.arcsin(threshold / 5.0)) / (2.0 * np.pi * 10.0)
    return [first + 0.05 * n for n in range(100) if first + 0.05 * n < stop]


def turned(run: tg.Solution, path: str) -> Any:
    """When a curve changes its sign."""
    y = run[path]
    return run.time[1:][np.sign(y[1:]) != np.sign(y[:-1])]


@pytest.mark.parametrize("solver", ["auto", "rk45", "cvode", "ida"])
def test_a_schmitt_trigger_jumps_where_its_branch_ends(solver: str) -> None:
    run = shared_model(Schmitt).simulate(0.3, solver=solver, rtol=1e-8)
    np.testing.assert_allclose(turned(run, "y"), switchings(15.0, 16.0, 1000.0, 0.3), atol=1e-7)
    assert np.all(np.abs(np.abs(run["y"]) - 15.0) < 1e-6)


class LimitedSchmitt(tg.Component):
    """The same written with minimum and maximum, which are no events as long as a run does without."""

    V = tg.parameter(15.0)
    k = tg.parameter(16.0)
    gain = tg.parameter(1000.0)
    u = blocks.Sine(amplitude=5.0, f=10.0)
    y = tg.variable(start=15.0)

    def equations(self) -> Any:
        e = self.gain * (self.y / self.k + self.u.y * (1 - 1 / self.k))
        yield self.y == tg.minimum(tg.maximum(self.V * e, -self.V), self.V)


def test_schmitt_triggers_of_minimum_and_maximum() -> None:
    """At a fold the run gets stuck, and is repeated with the kinks as events; random supplies, feedbacks and gains."""
    compiled = tg.compile(LimitedSchmitt())
    rng = np.random.default_rng(16)
    for _ in range(10):
        V, k, gain = rng.uniform(5.0, 20.0), rng.uniform(6.0, 30.0), 10.0 ** rng.uniform(2.0, 5.0)
        run = compiled.simulate(0.3, rtol=1e-8, parameters={"V": V, "k": k, "gain": gain}, initial={"y": V})
        np.testing.assert_allclose(turned(run, "y"), switchings(V, k, gain, 0.3), atol=1e-7)
        assert np.all(np.abs(np.abs(run["y"]) - V) < 1e-6)
        assert "as events" in run.stats["solver_reason"]


@pytest.mark.parametrize("seed", range(20))
def test_random_schmitt_triggers(seed: int) -> None:
    """Random supplies, feedbacks and gains, in a row: each drives nothing but shares the source and the event loop."""
    rng = np.random.default_rng(seed)
    s = tg.System("triggers")
    s.add(u=blocks.Constant(k=0.0))
    expected = {}
    for n in range(int(rng.integers(1, 5))):
        k = float(rng.uniform(4.0, 40.0))
        V = float(rng.uniform(0.05, 0.95) * 5.0 * (k - 1.0))
        gain = float(10 ** rng.uniform(1.0, 5.0)) * k / V
        s.add(**{f"t{n}": Schmitt(V=V, k=k, gain=gain, y=tg.variable(start=V))})
        expected[f"t{n}"] = switchings(V, k, gain, 0.3)
    run = tg.simulate(s, 0.3, rtol=1e-8, points=3001)
    for name, times in expected.items():
        np.testing.assert_allclose(turned(run, f"{name}.y"), times, atol=1e-6)


def test_a_step_takes_a_trigger_across_its_fold() -> None:
    """The input jumps far beyond the end of the branch: the path leads along the middle of the S."""
    trigger = Schmitt(u=blocks.Pulse(amplitude=10.0, offset=-5.0, period=0.1))
    run = tg.simulate(trigger, 0.35, points=701)
    inner = np.abs(run.time / 0.05 % 1.0 - 0.5) < 0.45
    assert np.all(run["y"][inner] == pytest.approx(3.0 * run["u.y"][inner]))


class Relay(tg.Component):
    """A real sliding mode: no branch lasts, so it stays an error."""

    x = tg.variable(start=1.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == tg.where(self.x > 0.0, -1.0, 1.0)


def test_a_sliding_mode_is_no_fold() -> None:
    with pytest.raises(tg.NumericError, match="back and forth"):
        tg.simulate(Relay(), 2.0)


class Crank(tg.Component):
    """A slider-crank with dry friction on its slide, which no friction force can hold at a dead centre."""

    world = planar.PlanarWorld(g=0.0)
    ground = planar.Fixed()
    bearing = planar.Revolute(
        use_flange=True, phi=tg.variable(start=0.3, fixed=True), w=tg.variable(start=50.0, fixed=True)
    )
    crank = planar.BodyShape(r_ab=[0.1, 0.0], m=1.0, I=1e-3)
    crank_pin = planar.Revolute()
    rod = planar.BodyShape(r_ab=[0.3, 0.0], m=0.5, I=4e-3)
    slider_pin = planar.Revolute()
    slider = planar.Body(m=2.0, I=0.01)
    slide = planar.Prismatic(r=[1.0, 0.0], use_flange=True)
    rub = tr.SupportFriction(F_Coulomb=20.0)
    fly = rot.Inertia(J=0.02)
    torque = rot.ConstantTorque(tau_constant=2.0)

    def connections(self) -> Any:
        yield self.ground.frame, self.bearing.frame_a, self.slide.frame_a
        yield self.bearing.frame_b, self.crank.frame_a
        yield self.crank.frame_b, self.crank_pin.frame_a
        yield self.crank_pin.frame_b, self.rod.frame_a
        yield self.rod.frame_b, self.slider_pin.frame_a
        yield self.slider_pin.frame_b, self.slider.frame_a, self.slide.frame_b
        yield self.slide.flange_a, self.rub.flange_a
        yield self.bearing.flange_a, self.fly.flange_a
        yield self.fly.flange_b, self.torque.flange


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_a_crank_passes_its_dead_centres(solver: str) -> None:
    """Friction turns round at every half turn, and takes 20 N times the path of the slider out of the energy."""
    run = shared_model(Crank).simulate(0.4, solver=solver, rtol=1e-8, points=2001)
    phi = run["bearing.phi"]
    centres = [event.time for event in run.events]
    turns = np.interp(centres, run.time, phi) / np.pi
    reached = np.unique(np.round(turns, 4))  # IDA may need a second event within a rounding of the first
    np.testing.assert_array_equal(reached, np.arange(1, int(phi[-1] / np.pi) + 1))
    s = run["rub.s"]
    at = np.interp([0.0, *centres, 0.4], run.time, s)
    lost = 20.0 * sum(abs(b - a) for a, b in pairwise(at.tolist()))
    w = run["bearing.w"][-1]
    assert run["bearing.w"][0] == 50.0
    kinetic = np.trapezoid(2.0 * run["bearing.w"] - run["rub.f"] * run["rub.v"], run.time)
    assert kinetic == pytest.approx(2.0 * (phi[-1] - phi[0]) - lost, rel=1e-3)
    assert w != 50.0


def test_ida_solves_its_events_in_order_of_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    """All unknowns at once have no solution at a dead centre; trying took ten times as long as the rest of the run."""
    at_once: list[Any] = []
    monkeypatch.setattr(segment_driver, "continued", lambda *args: at_once.append(args))
    run = tg.simulate(Crank(), 0.4, solver="ida", rtol=1e-6)
    assert run.stats["events"] >= 6
    assert not at_once


class Promised(tg.Component):
    """A comparator whose author calls it smooth: at its folds it jumps all the same, from where it started."""

    V = tg.parameter(15.0)
    k = tg.parameter(16.0)
    gain = tg.parameter(1000.0)
    u = blocks.Sine(amplitude=5.0, f=10.0)
    y = tg.variable(start=15.0)

    def equations(self) -> Any:
        e = self.gain * (self.y / self.k + self.u.y * (1 - 1 / self.k))
        limited = tg.where(e > 1.0, 1.0, tg.where(e < -1.0, -1.0, e))
        yield self.y == self.V * tg.smooth(0, tg.no_event(limited))


@pytest.mark.parametrize("solver", ["auto", "ida"])
def test_a_promise_of_smoothness_that_a_fold_breaks(solver: str) -> None:
    run = shared_model(Promised).simulate(0.3, solver=solver, rtol=1e-8)
    assert "all relations as events" in run.stats["solver_reason"]
    np.testing.assert_allclose(turned(run, "y"), switchings(15.0, 16.0, 1000.0, 0.3), atol=1e-7)
    assert np.all(np.abs(np.abs(run["y"]) - 15.0) < 1e-6)


class Selected(tg.Component):
    """The same at rest with u = 0, which has three solutions; the simplified one says which is meant."""

    side = tg.parameter(-15.0)
    x = tg.variable(start=0.0, fixed=True)
    y = tg.variable()

    def equations(self) -> Any:
        yield tg.der(self.x) == self.y
        yield self.y == tg.homotopy(tg.minimum(tg.maximum(20.0 * self.y, -15.0), 15.0), self.side)


@pytest.mark.parametrize("side", [-15.0, 15.0])
def test_a_homotopy_selects_a_solution(side: float) -> None:
    """Newton's method from zero finds zero."""
    run = tg.simulate(Selected(side=side), 1.0)
    np.testing.assert_allclose(run["y"], side)

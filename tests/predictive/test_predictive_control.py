"""Predictive control: against Riccati's recursion, bounded least squares, another search, and single runs."""

from __future__ import annotations

import builtins
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.optimize import lsq_linear, minimize

import tellegen as tg
from predictive.plants import Escape, InOtherUnits, Linear, Rough, Slide
from tellegen.predictive import quadratic_program
from tellegen.predictive.intervals import Ends, Lanes, SingleRuns
from tellegen.predictive.quadratic_program import Plan


def held(A: Any, B: Any, period: float) -> tuple[Any, Any]:
    """The matrices from sample to sample of a linear plant whose inputs are constant in between."""
    n = len(A)
    whole = np.zeros((n + B.shape[1], n + B.shape[1]))
    whole[:n] = np.hstack([A, B]) * period
    found = expm(whole)
    return found[:n, :n], found[:n, n:]


def plan_of(controller: tg.PredictiveController) -> Plan:
    """The last plan."""
    assert controller.last is not None
    assert controller.last.plan is not None
    return controller.last.plan


def inputs_of(controller: tg.PredictiveController) -> Any:
    """Its inputs."""
    return plan_of(controller).inputs


def test_without_limits_it_is_the_riccati_recursion() -> None:
    A = np.array([[0.0, 1.0], [0.0, -0.3]])
    Ad, Bd = held(A, np.array([[0.0], [1.0]]), 0.2)
    Q = np.diag([3.0, 0.5])
    P = np.diag([7.0, 0.5])
    for _ in range(15):
        gain = np.linalg.solve(0.2 + Bd.T @ P @ Bd, Bd.T @ P @ Ad)
        P = Q + Ad.T @ P @ (Ad - Bd @ gain)
    controller = tg.predictive_control(
        Slide(), period=0.2, horizon=15, limits={"force": (-1e3, 1e3)}, search=tg.Search(rtol=1e-10),
        cost=tg.Cost(track={"x": 3.0, "v": 0.5}, effort={"force": 0.2}, final={"x": 7.0}),
    )  # fmt: skip
    state = np.array([0.7, -0.4])
    found = controller.step(dict(zip(controller.states, state, strict=True)))
    assert controller.last is not None
    assert controller.last.message == "converged"
    assert found["force"] == pytest.approx(float(-(gain @ state)[0]), rel=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_limits_of_inputs_against_bounded_least_squares(seed: int) -> None:
    """SciPy's lsq_linear solves the same problem, written out with matrix exponentials."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(3, 3))
    B = rng.normal(size=(3, 2))
    horizon = 6
    period = 0.3
    controller = tg.predictive_control(
        Linear(A=A, B=B), period=period, horizon=horizon, limits={"u": (-0.3, 0.4), "w": (-0.2, 0.2)},
        search=tg.Search(rtol=1e-10),
        cost=tg.Cost({"x[0]": 1.0, "x[1]": 2.0, "x[2]": 0.1}, effort={"u": 0.05}, changes={"u": 0.3, "w": 0.1}),
    )  # fmt: skip
    state = rng.normal(size=3)
    wanted = rng.normal(size=3)
    names = ("x[0]", "x[1]", "x[2]")
    controller.step(dict(zip(names, state, strict=True)), dict(zip(names, wanted, strict=True)))
    Ad, Bd = held(A, B, period)
    rows, right = [], []
    free, forced = state, np.zeros((3, 2 * horizon))
    for k in range(horizon):
        free = Ad @ free
        forced = Ad @ forced
        forced[:, 2 * k : 2 * k + 2] += Bd
        roots = np.sqrt([1.0, 2.0, 0.1])
        rows.append(roots[:, None] * forced)
        right.append(roots * (wanted - free))
    every = np.eye(2 * horizon)
    rows += [np.tile([np.sqrt(0.05), 0.0], horizon)[:, None] * every]
    rows += [np.tile(np.sqrt([0.3, 0.1]), horizon)[:, None] * (every - np.eye(2 * horizon, k=-2))]
    right += [np.zeros(4 * horizon)]
    best = lsq_linear(np.vstack(rows), np.concatenate(right), bounds=([-0.3, -0.2] * horizon, [0.4, 0.2] * horizon),
                      tol=1e-14, method="bvls")  # fmt: skip
    assert controller.last is not None
    np.testing.assert_allclose(inputs_of(controller).ravel(), best.x, atol=1e-7)
    assert (np.abs(best.x) >= 0.2 - 1e-9).any(), "some limit is active, or this shows nothing"


def test_a_nonlinear_plan_against_another_search() -> None:
    """SciPy's BFGS over runs of solve_ivp finds the same inputs."""
    controller = tg.predictive_control(
        Escape(),
        period=0.25,
        horizon=4,
        limits={"u": (-4.0, 4.0)},
        cost=tg.Cost({"x": 1.0}, {"u": 0.1}),
        search=tg.Search(rtol=1e-9),
    )
    assert isinstance(controller.intervals, Lanes)
    controller.step({"x": 0.9}, {"x": 0.2})

    def cost(inputs: Any) -> float:
        x = 0.9
        total = 0.0
        for u in inputs:
            x = solve_ivp(lambda _, y, u=u: y**2 + u, (0.0, 0.25), [x], rtol=1e-11, atol=1e-12).y[0, -1]
            total += (x - 0.2) ** 2 + 0.1 * u**2
        return total

    best = minimize(cost, [-2.0, -0.8, -0.3, -0.1], method="BFGS", options={"gtol": 1e-8})
    assert controller.last is not None
    np.testing.assert_allclose(inputs_of(controller)[:, 0], best.x, atol=5e-6)


@pytest.fixture(scope="module")
def rough() -> tg.PredictiveController:
    return tg.predictive_control(
        Rough(), period=0.1, horizon=6, cost=tg.Cost({"x": 1.0}), limits={"force": (-8.0, 8.0), "x": (-2.0, 0.8)}
    )


def test_a_plant_with_events_runs_interval_by_interval(rough: tg.PredictiveController) -> None:
    """Derivatives across the wall and the kink, against differences of runs."""
    assert isinstance(rough.intervals, SingleRuns)
    state = np.array([[0.95, 1.0]])
    force = np.array([[2.0]])
    ends = rough.intervals.run(state, force)
    for k, (shift, slope) in enumerate([((1e-5, 0.0), ends.by_state), ((0.0, 1e-5), ends.by_state)]):
        up = rough.intervals.run(state + shift, force)
        down = rough.intervals.run(state - np.array(shift), force)
        np.testing.assert_allclose((up.values - down.values)[0] / 2e-5, slope[0, :, k], rtol=2e-3, atol=2e-3)


def test_limits_of_outputs_hold_and_give_way(rough: tg.PredictiveController) -> None:
    rough.reset()
    rough.step({"x": 0.0, "v": 0.0}, {"x": 2.0})
    assert rough.last is not None
    assert plan_of(rough).states[:, 0].max() == pytest.approx(0.8, abs=1e-3)
    rough.reset()
    rough.step({"x": 0.79, "v": 3.0}, {"x": 2.0})  # nothing can stop it in time
    assert rough.last.success
    assert inputs_of(rough)[0, 0] == pytest.approx(-8.0, abs=1e-6)


def test_units_are_those_declared() -> None:
    common = {"period": 0.2, "horizon": 6}
    plain = tg.predictive_control(
        Slide(), limits={"force": (-2.0, 2.0)}, cost=tg.Cost({"x": 1.0}, {"force": 0.1}), **common
    )
    other = tg.predictive_control(
        InOtherUnits(), limits={"force": (-2e-3, 2e-3)}, cost=tg.Cost({"x": 1e-6}, {"force": 1e5}), **common
    )  # fmt: skip
    here = plain.step({"x": 0.5, "v": 0.2}, {"x": 0.1})["force"]
    there = other.step({"x": 500.0, "v": 200.0}, {"x": 100.0})["force"]
    assert 1e3 * there == pytest.approx(here, rel=1e-5)


@pytest.fixture(scope="module")
def swing_up() -> Any:
    path = Path(__file__).parents[2] / "examples" / "swing_up.py"
    spec = importlib.util.spec_from_file_location("swing_up", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_lanes_and_single_runs_agree(swing_up: Any) -> None:
    controller = swing_up.CONTROLLER
    assert isinstance(controller.intervals, Lanes)
    rng = np.random.default_rng(1)
    states = rng.normal(size=(3, 4))
    inputs = rng.uniform(-10.0, 10.0, (3, 1))
    fast = controller.intervals.run(states, inputs)
    slow = SingleRuns(controller.plant).run(states, inputs)
    for name in ("values", "by_state", "by_input"):
        np.testing.assert_allclose(getattr(fast, name), getattr(slow, name), atol=2e-5)


def test_a_pendulum_is_swung_up_and_held(swing_up: Any) -> None:
    solution = tg.simulate(swing_up.Loop(), 3.5)
    assert abs(solution["cart.phi"][-1]) < 0.05
    assert np.abs(solution["cart.force"]).max() <= swing_up.FORCE
    assert np.abs(solution["cart.s"]).max() < swing_up.TRACK + 0.01  # the plant is not the one it knows
    assert all(sample.success for sample in swing_up.CONTROLLER.samples)
    assert len(swing_up.CONTROLLER.samples) == 71
    again = tg.simulate(swing_up.Loop(), 0.5)
    np.testing.assert_array_equal(again["cart.force"][-1], solution.at(0.5)["cart.force"])


def test_a_step_too_long_is_not_taken(swing_up: Any) -> None:
    """A rod that falls near the end of the track: full steps led to plans whose intervals missed each other by metres.

    A plan is what the plant does along its inputs, to a tenth of what the state moves; the track is kept.
    """
    controller = swing_up.CONTROLLER
    controller.reset()
    now = {"s": 0.494, "v": 0.562, "phi": -0.091, "w": -0.464}
    for _ in range(8):
        force = controller.step(now)["force"]
        given = {"force.pieces[0]": force}
        run = controller.plant.compiled.simulate(0.05, points=[0.05], parameters=given, initial=now)
        now = {path: float(run[path][-1]) for path in now}
        assert abs(now["s"]) < 0.801
        plan = controller.last.plan
        ends = controller.intervals.run(plan.states[:-1], plan.inputs).values[:, :4]
        assert (np.abs(ends - plan.states[1:]).max(axis=0) < 0.1 * np.ptp(plan.states, axis=0)).all()
    assert any(sample.iterations > 1 for sample in controller.samples[1:]), "or this shows nothing"


class _Broken:
    """Intervals that none can be run of."""

    states = ("x",)
    where = "nowhere"
    parts = (1.0,)

    def run(self, states: Any, inputs: Any) -> Ends:
        """Never."""
        nothing = np.full((len(states), 2), np.nan)
        return Ends(nothing, nothing[:, :, None], nothing[:, :, None], np.zeros(len(states), bool))


def test_where_no_plan_is_found_the_last_one_goes_on() -> None:
    controller = tg.predictive_control(
        Escape(), period=0.1, horizon=3, limits={"u": (-1.0, 1.0)}, cost=tg.Cost({"x": 1.0}, {"u": 0.01})
    )
    controller.step({"x": 0.8})
    assert controller.last is not None
    plan = controller.last.plan
    assert plan is not None
    controller.intervals = _Broken()
    for expected in (plan.inputs[1, 0], plan.inputs[2, 0], 0.0):
        assert controller.step({"x": 0.8}) == {"u": pytest.approx(expected)}
        assert not controller.last.success
        assert "cannot be run" in controller.last.message


def test_an_escape_is_said() -> None:
    """From x = 100 the plant is at infinity before the first sample."""
    controller = tg.predictive_control(
        Escape(), period=0.1, horizon=3, limits={"u": (-1.0, 1.0)}, cost=tg.Cost({"x": 1.0}, {"u": 0.01})
    )
    assert controller.step({"x": 100.0}) == {"u": 0.0}
    assert controller.last is not None
    assert not controller.last.success


class Drifting(tg.Component):
    force = tg.input()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == self.force + 1e-3 * tg.time


MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "time": ({"plant": Drifting()}, "depends on time by itself"),
    "no input": ({"limits": {"x": (0.0, 1.0)}}, "a controller needs an input that it may set"),
    "limits turned round": ({"limits": {"force": (1.0, -1.0)}}, "the limits of 'force' are a low and a high number"),
    "a negative weight": ({"cost": tg.Cost({"x": -1.0})}, "track of 'x' is a number from zero on"),
    "nothing to track": ({"cost": tg.Cost({})}, "something to track"),
    "no cost": ({"cost": {"x": 1.0}}, "cost is a tg.Cost"),
    "a parameter": ({"cost": tg.Cost({"d": 1.0})}, "'d' is not a variable of Slide"),
    "an effort of nothing": ({"cost": tg.Cost({"x": 1.0}, {"x": 1.0})}, "effort names 'x', which is not an open input"),
    "a disturbance that is set": ({"disturbances": {"force": 0.3}}, "'force' of Slide cannot be estimated: it is set"),
    "a disturbance that follows": ({"disturbances": {"v": 0.3}}, "'v' of Slide cannot be estimated: it is computed"),
    "a gain above one": ({"disturbances": {"d": 1.5}}, "the gain of 'd' is 1.5"),
    "half a sample": ({"horizon": 2.5}, "the horizon is a number of samples, not 2.5"),
    "no period": ({"period": 0.0}, "the period is a time above zero"),
    "no iteration": ({"search": tg.Search(iterations=0)}, "iterations is a number from 1 on"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(name: str) -> None:
    given, text = MISTAKES[name]
    usual = {"plant": Slide(), "period": 0.1, "horizon": 3, "limits": {"force": (-1.0, 1.0)}, "cost": tg.Cost({"x": 1})}
    arguments = usual | given
    with pytest.raises(tg.DesignError, match="E690") as caught:
        tg.predictive_control(arguments.pop("plant"), **arguments)
    assert text in str(caught.value)


class Counting(Slide):
    """It counts how often it passes a place."""

    count = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        yield tg.when(self.x > 0.5, self.count == tg.pre(self.count) + 1.0)


def test_plants_that_remember_are_warned_of() -> None:
    with pytest.warns(UserWarning, match="'count' of Counting remembers the past: each interval of a plan begins"):
        tg.predictive_control(
            Counting(), period=0.1, horizon=3, limits={"force": (-1.0, 1.0)}, cost=tg.Cost({"x": 1.0})
        )


def test_mistakes_at_a_sample(rough: tg.PredictiveController) -> None:
    for state, references, text in (
        ({"x": 1.0}, None, "lacks v"),
        ({"x": np.nan, "v": 0.0}, None, "'x' of the plant is not a finite number"),
        ({"x": 0.0, "v": 0.0}, {"v": 1.0}, "'v' is not tracked"),
        ({"x": 0.0, "v": 0.0}, {"x": [1.0, 2.0]}, "is a number, or 6 of them"),
    ):
        with pytest.raises(tg.DesignError, match=f"E690: .*{text}"):
            rough.step(state, references)


def test_without_the_solver(rough: tg.PredictiveController, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "daqp":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    quadratic_program.daqp.cache_clear()
    rough.reset()
    with pytest.raises(tg.DesignError, match=r"E691: .*\n.*tellegen\[predictive\]|E691"):
        rough.step({"x": 0.0, "v": 0.0})


@pytest.mark.parametrize("size", [1e-9, 1e9])
def test_scales_do_not_matter(size: float) -> None:
    """The same plant in other sizes, with weights to match: the plan is the same, the limit of the speed included."""
    found = []
    for k in (1.0, size):
        controller = tg.predictive_control(
            Slide(), period=0.2, horizon=8, limits={"force": (-2.0 * k, 2.0 * k), "v": (-0.3 * k, 0.3 * k)},
            cost=tg.Cost({"x": 1.0 / k**2}, {"force": 0.1 / k**2}, violation=1e3 / k),
        )  # fmt: skip
        controller.step({"x": 0.5 * k, "v": 0.2 * k}, {"x": 0.1 * k})
        assert controller.last is not None
        assert controller.last.message == "converged"
        found.append(inputs_of(controller) / k)
    np.testing.assert_allclose(found[1], found[0], rtol=1e-6)


class Scaled(tg.Component):
    """A gain that follows from another parameter, unless it is given."""

    k = tg.parameter(1.0)
    gain = tg.parameter(2.0 * k)
    u = tg.input()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == self.gain * self.u - self.x


@pytest.mark.parametrize("given", [{"k": 4.0}, {"gain": 7.0}])
def test_parameters_of_the_plant(given: dict[str, float]) -> None:
    cost = tg.Cost({"x": 1.0}, {"u": 0.1})
    usual: dict[str, Any] = {"period": 0.2, "horizon": 3, "limits": {"u": (-9.0, 9.0)}, "cost": cost}
    by_keyword = tg.predictive_control(Scaled(), parameters=given, **usual)
    declared = tg.predictive_control(Scaled(**given), **usual)
    assert isinstance(by_keyword.intervals, Lanes)
    assert by_keyword.step({"x": 1.0})["u"] == pytest.approx(declared.step({"x": 1.0})["u"], rel=1e-6)

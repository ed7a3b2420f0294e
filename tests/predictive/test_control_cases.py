"""Predictive control of known cases: a reactor, a current limit, an unknown load, inputs that are arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from predictive.plants import Motor, Pushed, Reactor
from tellegen.library import control
from tellegen.predictive.intervals import Lanes


@pytest.mark.parametrize(("guess", "published", "first"), [(2.5, 0.133094, 4.11), (0.0, 0.244425, 1.16)])
def test_a_reactor_follows_its_known_optimal_profiles(
    reactor: Any, guess: float, published: float, first: float
) -> None:
    """Luus (1990): the least integral of x1^2 + x2^2 + 0.1 u^2 until 0.78 is 0.133094; another minimum is 0.244425.

    With 39 constant inputs it is 0.2 % more than with a continuous one; the trapezoidal rule is right to 1e-4.
    """
    reactor.reset({"u": guess})
    reactor.step({"x1": 0.09, "x2": 0.09})
    assert reactor.last.message == "converged"
    plan = reactor.last.plan
    squares = (plan.states**2).sum(axis=1)
    cost = 0.02 * (squares.sum() - 0.5 * (squares[0] + squares[-1]) + 0.1 * (plan.inputs**2).sum())
    assert published < cost < 1.003 * published
    assert plan.inputs[0, 0] == pytest.approx(first, abs=0.01)


@pytest.fixture(scope="module")
def reactor() -> tg.PredictiveController:
    found = tg.predictive_control(
        Reactor(), period=0.02, horizon=39, limits={"u": (0.0, 5.0)},
        cost=tg.Cost(track={"x1": 1.0, "x2": 1.0}, effort={"u": 0.1}),
    )  # fmt: skip
    assert isinstance(found.intervals, Lanes), "divisors that change with time are no reason for single runs"
    return found


LIMIT = 4.0


@pytest.fixture(scope="module")
def drive() -> Any:
    """The speed of a motor, within a limit of its current; nothing is known of the load."""
    return control.ModelPredictive(
        plant=Motor(),
        period="5 ms",
        horizon=12,
        cost=tg.Cost(track={"w": 1.0}, changes={"v": 0.02}),
        limits={"v": (-24.0, 24.0), "i": (-LIMIT, LIMIT)},
        disturbances={"load": 0.4},
    )


class Loaded(tg.Component):
    """The motor with its controller; a load of 0.15 N.m from 0.25 s on."""

    motor = Motor()
    speed = tg.parameter(80.0, "rad/s")
    torque = tg.parameter(0.15, "N.m")
    control: Any = None

    def equations(self) -> Iterator[Any]:
        yield self.control.i == self.motor.i
        yield self.control.w == self.motor.w
        yield self.control.reference_w == self.speed
        yield self.motor.v == self.control.v
        yield self.motor.load == tg.where(tg.time > 0.25, self.torque, 0.0)


def test_a_drive_at_its_current_limit_and_under_an_unknown_load(drive: Any) -> None:
    """At the limit the speed rises by k i / J, in closed form; a constant load leaves no error at the end."""

    class Loop(Loaded):
        control = drive

    run = tg.simulate(Loop(), 0.8)
    assert run["motor.i"].max() < 1.002 * LIMIT
    slow, fast = (run.at(t)["motor.w"] for t in (0.03, 0.15))
    assert fast - slow == pytest.approx(0.12 * 0.1 * LIMIT / 1e-3, rel=2e-3)
    assert abs(run.at(0.25)["motor.w"] - 80.0) < 0.02
    after = np.abs(run["motor.w"][run.time > 0.26] - 80.0)
    assert after.max() > 0.3  # the load is felt
    assert abs(run["motor.w"][-1] - 80.0) < 1e-5 * 80.0
    last = drive.controller.last
    assert last.disturbances["load"] == pytest.approx(0.15, rel=1e-5)
    assert run["control.v"][-1] == pytest.approx(0.15 / 0.1 * 1.0 + 0.1 * 80.0, rel=1e-4)


def test_what_is_not_estimated_is_an_error_that_stays() -> None:
    """The same without an estimate: a bias, by the closed solution of its stationary plan not zero."""
    blind = tg.predictive_control(
        Motor(), period=0.005, horizon=12, limits={"v": (-24.0, 24.0)},
        cost=tg.Cost(track={"w": 1.0}, changes={"v": 0.02}),
    )  # fmt: skip
    seeing = tg.predictive_control(
        Motor(), period=0.005, horizon=12, limits={"v": (-24.0, 24.0)}, disturbances={"load": 0.5},
        cost=tg.Cost(track={"w": 1.0}, changes={"v": 0.02}),
    )  # fmt: skip
    plant = tg.compile(Motor())
    errors = []
    for controller in (blind, seeing):
        state = {"i": 0.0, "w": 0.0}
        for _ in range(80):
            given = {**controller.step(state, {"w": 20.0}), "load": 0.2}
            end = plant.simulate(0.005, points=[0.005], parameters=given, initial=state)
            state = {name: float(end[name][-1]) for name in state}
        errors.append(abs(state["w"] - 20.0))
    assert errors[0] > 0.5
    assert errors[1] < 1e-5


def test_a_parameter_that_is_not_as_declared_is_found() -> None:
    """The motor constant, from how current and speed go on."""
    controller = tg.predictive_control(
        Motor(), period=0.005, horizon=6, limits={"v": (-24.0, 24.0)}, disturbances={"k": 0.5},
        cost=tg.Cost(track={"w": 1.0}, changes={"v": 0.02}),
    )  # fmt: skip
    plant = tg.compile(Motor(k=0.08))
    state = {"i": 0.0, "w": 0.0}
    for _ in range(30):
        end = plant.simulate(0.005, points=[0.005], parameters=controller.step(state, {"w": 20.0}), initial=state)
        state = {name: float(end[name][-1]) for name in state}
    assert controller.last is not None
    assert controller.last.disturbances["k"] == pytest.approx(0.08, rel=1e-4)


def test_inputs_that_are_arrays() -> None:
    """Three masses in one period: v = force/m * h, so the best force is known element by element."""
    controller = tg.predictive_control(
        Pushed(), period=0.5, horizon=1, limits={"force": ([-9.0, -9.0, -0.2], 9.0)},
        cost=tg.Cost(track={"v": 1.0}, effort={"force": 0.1}),
    )  # fmt: skip
    wanted = {"v[0]": 1.0, "v[1]": -2.0, "v[2]": -3.0}
    found = controller.step({"v[0]": 0.0, "v[1]": 0.0, "v[2]": 0.0}, wanted)
    gain = 0.5 / np.array([1.0, 2.0, 3.0])
    best = gain * np.array([1.0, -2.0, -3.0]) / (gain**2 + 0.1)
    assert list(found) == ["force[0]", "force[1]", "force[2]"]
    np.testing.assert_allclose(list(found.values()), [best[0], best[1], -0.2], rtol=1e-6)

    class Loop(tg.Component):
        plant = Pushed()
        control = controller.block()

        def equations(self) -> Iterator[Any]:
            for k in range(3):
                yield getattr(self.control, f"v_{k}") == self.plant.v[k]
                yield getattr(self.control, f"reference_v_{k}") == 1.0
                yield self.plant.force[k] == getattr(self.control, f"force_{k}")

    run = tg.simulate(Loop(), 4.0)
    assert run["plant.v"][-1, 0] == pytest.approx(1.0, abs=0.1)
    with pytest.raises(tg.DesignError, match=r"nothing is said about 'force\[1\]'"):
        tg.predictive_control(
            Pushed(), period=0.5, horizon=1, limits={"force[0]": (-9.0, 9.0)}, cost=tg.Cost(track={"v": 1.0})
        )


def test_the_limit_that_cannot_be_kept_is_named() -> None:
    controller = tg.predictive_control(
        Motor(), period=0.005, horizon=8, cost=tg.Cost({"w": 1.0}), limits={"v": (-24.0, 24.0), "i": (-4.0, 4.0)}
    )
    controller.step({"i": 40.0, "w": 0.0}, {"w": 10.0})
    assert controller.last is not None
    assert list(controller.last.beyond) == ["i"]
    assert 0.0 < controller.last.beyond["i"] < 36.0
    controller.reset()
    controller.step({"i": 3.0, "w": 0.0}, {"w": 10.0})
    assert controller.last.beyond == {}


def test_an_estimator_gives_the_controller_what_is_not_measured() -> None:
    """Speed alone is measured; the current that the controller needs is estimated by the same plant."""

    class Loop(tg.Component):
        motor = Motor()
        filter = control.KalmanFilter(
            plant=Motor(),
            period="5 ms",
            noise=tg.NoiseLevels(measured={"w": 0.01}, walk={"i": 0.5, "w": 0.5}),
            states={"i": 1.0, "w": 0.1},
        )
        control = control.ModelPredictive(
            plant=Motor(), period="5 ms", horizon=12, limits={"v": (-24.0, 24.0), "i": (-LIMIT, LIMIT)},
            cost=tg.Cost(track={"w": 1.0}, changes={"v": 0.02}),
        )  # fmt: skip

        def equations(self) -> Iterator[Any]:
            yield self.filter.measured_w == self.motor.w
            yield self.filter.v == self.control.v
            yield self.filter.load == 0.0
            yield self.control.i == self.filter.i
            yield self.control.w == self.filter.w
            yield self.control.reference_w == 30.0
            yield self.motor.v == self.control.v

    run = tg.simulate(Loop(), 0.4)
    assert run["motor.w"][-1] == pytest.approx(30.0, abs=0.05)
    assert run["motor.i"].max() < 1.05 * LIMIT

"""tg.kalman_filter: against the textbook on a linear plant, against tg.estimate on others, in a loop, and in C."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

import tellegen as tg
from sampling.c_programs import compiled, samples_in_c, samples_in_python

PERIOD = 1e-3
SIGMA = {"i": 0.1}
ASKED: dict[str, Any] = {"states": {"i": 1.0, "w": 10.0}, "noise": tg.NoiseLevels(SIGMA, {"i": 1.0, "w": 10.0})}


class Motor(tg.Component):
    """A DC motor, linear without `drag`."""

    v = tg.input("V")
    i = tg.variable("A", start=0.0, fixed=True)
    w = tg.variable("rad/s", start=0.0, fixed=True)
    R = tg.parameter(2.0, "ohm")
    drag = tg.parameter(0.0)

    def equations(self) -> Iterator[Any]:
        yield 5e-3 * tg.der(self.i) == self.v - self.R * self.i - 0.1 * self.w
        yield 1e-3 * tg.der(self.w) == 0.1 * self.i - self.drag * self.w**2


class Sticky(tg.Component):
    """Its friction drops when it turns faster: an event, at which the rate jumps."""

    v = tg.input("V")
    i = tg.variable("A", start=0.0, fixed=True)
    w = tg.variable("rad/s", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield 5e-3 * tg.der(self.i) == self.v - 2.0 * self.i - 0.1 * self.w
        yield 1e-3 * tg.der(self.w) == 0.1 * self.i - tg.where(self.w > 0.02, 0.01, 0.05)


class Geared(tg.Component):
    """Two inertias that a gear makes one: speeds that constrain each other, and a torque that nothing computes."""

    v = tg.input("V")
    i = tg.variable("A", start=0.0, fixed=True)
    w = tg.variable("rad/s", start=0.0, fixed=True, state="prefer")
    slow = tg.variable("rad/s")
    torque = tg.variable("N.m")
    w_ref = tg.parameter(1.0, "rad/s")

    def equations(self) -> Iterator[Any]:
        yield 5e-3 * tg.der(self.i) == self.v - 2.0 * self.i - 0.1 * self.w
        yield 1e-3 * tg.der(self.w) == 0.1 * self.i - self.torque
        yield 4e-3 * tg.der(self.slow) == 3.0 * self.torque - 0.5 * tg.tanh(self.slow / self.w_ref)
        yield self.w == 3.0 * self.slow


class Timed(tg.Component):
    """A resistance that is a function of time, in the equations and in what is measured, beside a square."""

    v = tg.input()
    i = tg.variable()
    s = tg.variable(start=0.0, fixed=True)
    w = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield 5e-3 * tg.der(self.s) == self.v - (2.0 + tg.sin(900.0 * tg.time)) * self.s - 0.1 * self.w
        yield 1e-3 * tg.der(self.w) == 0.1 * self.s - 2e-3 * self.w**2
        yield self.i == self.s * (1.0 + 30.0 * tg.time)


class Looped(tg.Component):
    """A torque that two equations determine by iteration; one of them is behind the other, and is measured."""

    v = tg.input()
    i = tg.variable()
    s = tg.variable(start=0.0, fixed=True)
    w = tg.variable(start=0.0, fixed=True)
    z = tg.variable()

    def equations(self) -> Iterator[Any]:
        yield 5e-3 * tg.der(self.s) == self.v - 2.0 * self.z - 0.1 * self.w
        yield 1e-3 * tg.der(self.w) == 0.1 * self.s
        yield self.z + 0.5 * self.z**3 + 0.1 * tg.exp(0.1 * self.z) == self.s + 0.1 * self.v
        yield self.i + 0.2 * tg.tanh(self.i) == self.z


def measured(count: int, seed: int = 4) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {"v": (10.0 * rng.normal(size=count)).tolist(), "measured_i": rng.normal(size=count).tolist()}


def textbook(data: dict[str, Any], R: float) -> np.ndarray[Any, Any]:
    """The recursion of Kalman, with the exact matrices of Van Loan; the estimates of w."""
    A = np.array([[-R / 5e-3, -0.1 / 5e-3], [0.1 / 1e-3, 0.0]])
    B = np.array([[1.0 / 5e-3], [0.0]])
    W = np.diag([1.0, 100.0])
    zero = np.zeros((2, 2))
    pair = expm(np.block([[-A, W], [zero, A.T]]) * PERIOD)
    F = pair[2:, 2:].T
    Q = F @ pair[:2, 2:]
    G = expm(np.block([[A, B], [np.zeros((1, 3))]]) * PERIOD)[:2, 2:]
    x, P = np.zeros(2), np.diag([1.0, 100.0])
    H = np.array([[1.0, 0.0]])
    out = []
    for v, y in zip(data["v"], data["measured_i"], strict=True):
        K = P @ H.T / (H @ P @ H.T + SIGMA["i"] ** 2)
        x = x + K[:, 0] * (y - x[0])
        P = (np.eye(2) - K @ H) @ P
        out.append(x[1])
        x = F @ x + G[:, 0] * v
        P = F @ P @ F.T + Q
    return np.array(out)


def test_linear_plants_have_the_recursion_of_the_textbook() -> None:
    data = measured(40)
    made = tg.kalman_filter(Motor(R=1.5), PERIOD, **ASKED)
    found = samples_in_python(made, PERIOD, data, "w")
    wanted = textbook(data, 1.5)
    assert np.abs(found - wanted).max() < 1e-10 * np.abs(wanted).max()


def estimated(plant: Any, data: dict[str, Any], path: str, **asked: Any) -> Any:
    times = PERIOD * np.arange(len(data["v"]))
    rows = {"time": times, "i": data["measured_i"], "volts": data["v"]}
    columns = tg.Columns(inputs={"v": "volts"}, match={"i": "i"})
    return tg.estimate(plant, rows, columns=columns, method=tg.Estimator(rtol=1e-9), **asked)[path]


OF_S: dict[str, Any] = {"states": {"s": 1.0, "w": 10.0}, "noise": tg.NoiseLevels(SIGMA, {"s": 1.0, "w": 10.0})}
ON_PLANTS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "nonlinear": (Motor(drag=2e-3), ASKED, "w"),
    "parameter": (Motor(), {**ASKED, "parameters": {"R": 0.5}}, "R"),
    "events": (Sticky(), ASKED, "w"),
    "constrained": (Geared(), ASKED, "w"),
    "time": (Timed(), OF_S, "w"),
    "loops": (Looped(), OF_S, "w"),
}


@pytest.mark.parametrize("case", ON_PLANTS)
def test_equals_the_estimate_from_the_same_data(case: str) -> None:
    """Both integrate to 1e-9; all are native."""
    plant, asked, path = ON_PLANTS[case]
    data = measured(5)
    made = tg.kalman_filter(plant, PERIOD, **asked)
    found = np.array(samples_in_python(made, PERIOD, data, path))
    wanted = estimated(plant, data, path, **asked)
    assert np.abs(found - wanted).max() < 1e-8 * np.abs(wanted).max()
    assert "run between samples" not in str(type(made).__doc__)


class Ball(tg.Component):
    """It bounces at the ground."""

    h = tg.variable("m", start=0.3, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    e = tg.parameter(0.8)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -9.81
        yield tg.when(self.h < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)))


BALL: dict[str, Any] = {
    "states": {"h": 0.05, "v": 0.1},
    "parameters": {"e": 0.1},
    "noise": tg.NoiseLevels({"h": 0.01}, {"v": 0.05}),
}


class BallFilter:
    """The recursion for a ball, by closed formulas of flights and bounces: means and covariances of h, v and e."""

    def __init__(self) -> None:
        self.x = np.array([0.3, 0.0, 0.8])
        self.P = np.diag([0.05, 0.1, 0.1]) ** 2

    def measure(self, h: float) -> None:
        K = self.P[:, 0] / (self.P[0, 0] + 1e-4)
        self.x = self.x + K * (h - self.x[0])
        self.P = self.P - np.outer(K, self.P[0])

    def move(self, left: float) -> None:
        while True:
            height, speed, _ = self.x
            lands = (speed + np.sqrt(speed**2 + 2 * 9.81 * height)) / 9.81
            if lands > left:
                return self.fly(left)
            self.fly(lands)
            self.bounce()
            left -= lands

    def fly(self, T: float) -> None:
        F = np.array([[1.0, T, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        Q = 0.05**2 * np.array([[T**3 / 3, T**2 / 2, 0.0], [T**2 / 2, T, 0.0], [0.0, 0.0, 0.0]])
        self.x = F @ self.x - np.array([9.81 * T**2 / 2, 9.81 * T, 0.0])
        self.P = F @ self.P @ F.T + Q

    def bounce(self) -> None:
        _, v, e = self.x
        D = np.array([[1.0, 0.0, 0.0], [0.0, -e, -v], [0.0, 0.0, 1.0]])
        before = np.array([v, -9.81, 0.0])
        after = np.array([-e * v, -9.81, 0.0])
        S = D + np.outer(after - D @ before, [1.0, 0.0, 0.0]) / v
        self.x = np.array([0.0, -e * v, e])
        self.P = S @ self.P @ S.T


def test_estimates_pass_events_as_closed_formulas_say() -> None:
    """A bounce while the filter is half a centimetre off; noise on the speed, e is estimated. tg.estimate as well."""
    period = 0.02
    heights = [0.305, 0.29, 0.296, 0.281, 0.27, 0.245, 0.23, 0.21, 0.17, 0.14, 0.1, 0.07, 0.01, 0.03, 0.06, 0.09]
    made = tg.kalman_filter(Ball(), period, **BALL)
    given = {"measured_h": heights}
    found = {name: samples_in_python(made, period, given, name) for name in ("v", "e", "sigma_v", "sigma_e")}
    data = {"time": period * np.arange(len(heights)), "h": heights}
    estimate = tg.estimate(Ball(), data, **BALL)
    exact = BallFilter()
    for k, h in enumerate(heights):
        exact.measure(h)
        assert estimate["v"][k] == pytest.approx(exact.x[1], abs=1e-9)
        assert estimate.covariances[k] == pytest.approx(exact.P, rel=1e-7, abs=1e-12)
        assert found["v"][k] == pytest.approx(exact.x[1], abs=1e-12)
        assert found["e"][k] == pytest.approx(exact.x[2], abs=1e-12)
        assert found["sigma_v"][k] == pytest.approx(np.sqrt(exact.P[1, 1]), rel=1e-10)
        assert found["sigma_e"][k] == pytest.approx(np.sqrt(exact.P[2, 2]), rel=1e-10)
        exact.move(period)
    assert found["sigma_e"][-1] < 0.06


class Controller(tg.Component):
    """Feedback of an estimate, in which the filter is told what the controller does at the same sample."""

    v = tg.input("V", "further voltage")
    measured_i = tg.input("A")
    volts = tg.output("V")
    observer = tg.kalman_filter(Motor(), PERIOD, **ASKED)

    def equations(self) -> Iterator[Any]:
        yield self.observer.measured_i == self.measured_i
        yield self.observer.v == self.volts
        yield self.volts == self.v - 0.2 * self.observer.w


def test_filters_in_c(tmp_path: Path) -> None:
    """Bit by bit: nothing but the roots of variances comes from math.h, and these are exactly rounded."""
    data = measured(15)
    filters = {
        "linear": tg.kalman_filter(Motor(), PERIOD, **ASKED),
        "bent": tg.kalman_filter(Motor(drag=2e-3), PERIOD, steps=3, **ASKED),
        "sticky": tg.kalman_filter(Sticky(), PERIOD, steps=3, **ASKED),
        "looped": tg.kalman_filter(Looped(), PERIOD, steps=3, **OF_S),
    }
    library, made = compiled(tmp_path, {**filters, "controller": Controller()})
    in_c = samples_in_c(library, made["controller"], data, "volts")
    assert in_c == samples_in_python(Controller(), PERIOD, data, "volts")
    for name, part in filters.items():
        assert samples_in_c(library, made[name], data, "sigma_w") == samples_in_python(part, PERIOD, data, "sigma_w")
    gap = {"v": [0.0, 0.0], "measured_i": [float("nan"), 1.0]}
    assert samples_in_c(library, made["linear"], gap, "sigma_w")[0] == 10.0  # nothing was measured


class Loop(tg.Component):
    """A motor whose speed is estimated from its current, and controlled."""

    motor = Motor(R=2.2)
    control = tg.kalman_filter(Motor(), PERIOD, **ASKED, parameters={"R": 0.5})

    def equations(self) -> Iterator[Any]:
        yield self.control.measured_i == self.motor.i
        yield self.control.v == self.motor.v
        yield self.motor.v == 5.0 + 0.02 * (40.0 - self.control.w)


def test_inside_a_loop() -> None:
    """The estimate of the speed and of the resistance follow the plant."""
    run = tg.simulate(Loop(), stop=0.3)
    assert abs(run["control.w"][-1] - run["motor.w"][-1]) < 0.5
    assert abs(run["control.R"][-1] - 2.2) < 0.05
    assert run["control.sigma_R"][-1] < 0.3


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"noise": tg.NoiseLevels({})}, "nothing is measured"),
        ({"noise": tg.NoiseLevels({"x": 1.0})}, "'x'"),
        ({**ASKED, "states": {"speed": 1.0}}, "states names 'speed'"),
        ({**ASKED, "steps": -1}, "steps=-1"),
        ({"noise": SIGMA}, "noise is a tg.NoiseLevels"),
    ],
)
def test_what_cannot_be_asked(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(tg.TellegenError, match=words):
        tg.kalman_filter(Motor(), PERIOD, **asked)


class Stiff(tg.Component):
    """A state that is ten thousand times faster than the samples, and a square."""

    u = tg.input()
    x = tg.variable(start=0.0, fixed=True)
    z = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.u - self.x - self.z**2
        yield 1e-6 * tg.der(self.z) == self.x - self.z


def test_stiff_plants_are_run_between_samples() -> None:
    made = tg.kalman_filter(Stiff(), 0.01, noise=tg.NoiseLevels({"x": 0.1}), states={"x": 1.0})
    assert "it is stiff: its fastest time constant is 1e-06 s" in str(type(made).__doc__)
    with pytest.raises(tg.DesignError, match="it is stiff"):
        tg.kalman_filter(Stiff(), 0.01, noise=tg.NoiseLevels({"x": 0.1}), states={"x": 1.0}, steps=4)


class StiffLater(tg.Component):
    """Its fastest time constant is 1 s at the start, and 40 us after 0.4 s."""

    rate = tg.parameter(1e6, "1/s")
    x = tg.variable(start=1.0, fixed=True)
    z = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == -(1.0 + self.rate * self.z**4) * (self.x - tg.cos(self.z))
        yield tg.der(self.z) == 1.0


def test_plants_that_become_stiff() -> None:
    """Native code takes more steps, `stiff=True` lets the engine run the plant: both find the same."""
    noise = tg.NoiseLevels({"x": 0.1}, walk={"x": 0.05, "z": 0.01})
    ends = []
    for stiff in (False, True):
        made = tg.kalman_filter(StiffLater(), 0.1, noise=noise, states={"x": 0.2, "z": 0.1}, stiff=stiff)
        run = tg.simulate(_measured(made), 0.4, points=2)
        ends.append([run[f"filter.{name}"][-1] for name in ("x", "z", "sigma_x", "sigma_z")])
    assert ends[0] == pytest.approx(ends[1], rel=1e-8)
    with pytest.raises(tg.DesignError, match="stiff=True asks for others"):
        tg.kalman_filter(StiffLater(), 0.1, noise=noise, states={"x": 0.2}, stiff=True, steps=4)


def _measured(made: Any) -> tg.Component:
    """A filter that is given a wave."""

    def equations(self: Any) -> Iterator[Any]:
        yield self.filter.measured_x == 0.9 + 0.1 * tg.sin(3.0 * tg.time)

    members = {"filter": made, "equations": equations, "__module__": __name__}
    return type("Measured", (tg.Component,), members)()

"""Estimators against the textbook's recursions, least squares, and the statistics of many runs with known truth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm, solve_continuous_lyapunov
from scipy.optimize import least_squares

import tellegen as tg

A = np.array([[0.0, 1.0, 0.0], [-4.0, -0.6, 1.0], [0.0, 0.0, -1.5]])
G = np.array([0.0, 0.3, 0.5])
START = np.array([0.5, -0.2, 0.1])
SIGMA = np.array([0.4, 0.3, 0.2])
NOISE = np.array([0.05, 0.1])
H = np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 1.0]])


class Linear(tg.Component):
    """A spring and a mass, driven by a force that decays; position and a mixture are measured."""

    x = tg.variable(start=0.5, fixed=True)
    v = tg.variable(start=-0.2, fixed=True)
    f = tg.variable(start=0.1, fixed=True)
    mixed = tg.variable()

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -4 * self.x - 0.6 * self.v + self.f
        yield tg.der(self.f) == -1.5 * self.f
        yield self.mixed == 0.5 * self.v + self.f


@pytest.fixture(scope="module")
def linear() -> tg.CompiledModel:
    return tg.compile(Linear())


def linear_data() -> dict[str, Any]:
    """Irregular times, and values that are missing: one, the other, both."""
    rng = np.random.default_rng(3)
    time = np.cumsum(rng.uniform(0.05, 0.4, 14))
    values = rng.normal(size=(14, 2))
    values[[2, 5], 0] = np.nan
    values[[5, 8], 1] = np.nan
    return {"time": time, "x": values[:, 0], "mixed": values[:, 1]}


def textbook(data: dict[str, Any]) -> dict[str, Any]:
    """Kalman's filter, and the smoother of Rauch, Tung and Striebel, with covariances and Van Loan's integral."""
    mean, cov = START, np.diag(SIGMA**2)
    values = np.stack([data["x"], data["mixed"]], axis=1)
    filtered, predicted, moves, log_likelihood = [], [], [], 0.0
    for k, time in enumerate(data["time"]):
        predicted.append((mean, cov))
        seen = ~np.isnan(values[k])
        h = H[seen]
        if seen.any():
            s = h @ cov @ h.T + np.diag(NOISE[seen] ** 2)
            error = values[k, seen] - h @ mean
            gain = cov @ h.T @ np.linalg.inv(s)
            mean = mean + gain @ error
            cov = cov - gain @ s @ gain.T
            log_likelihood -= 0.5 * (error @ np.linalg.inv(s) @ error + np.log(np.linalg.det(2 * np.pi * s)))
        filtered.append((mean, cov))
        if k + 1 < len(data["time"]):
            step = data["time"][k + 1] - time
            both = expm(step * np.block([[-A, np.diag(G**2)], [np.zeros((3, 3)), A.T]]))
            phi = both[3:, 3:].T
            moves.append(phi)
            mean = phi @ mean
            cov = phi @ cov @ phi.T + phi @ both[:3, 3:]
    smooth = [filtered[-1]]
    for k in range(len(moves) - 1, -1, -1):
        (m, p), (mp, pp), (ms, ps) = filtered[k], predicted[k + 1], smooth[-1]
        c = p @ moves[k].T @ np.linalg.inv(pp)
        smooth.append((m + c @ (ms - mp), p + c @ (ps - pp) @ c.T))
    return {"filtered": filtered, "smoothed": smooth[::-1], "log_likelihood": log_likelihood}


def arguments() -> dict[str, Any]:
    return {
        "states": {"x": 0.4, "v": 0.3, "f": 0.2},
        "noise": tg.NoiseLevels({"x": 0.05, "mixed": 0.1}, {"v": 0.3, "f": 0.5}),
    }


def finely(method: str, rtol: float) -> tg.Estimator:
    """Runs by the explicit method, and a horizon of five times."""
    return tg.Estimator(method, window=5, rtol=rtol, solver="rk45")


def test_linear_models_give_the_textbook_recursion(linear: tg.CompiledModel) -> None:
    """The bound is that of the runs: relative tolerance 1e-12."""
    data = linear_data()
    found = tg.estimate(linear, data, **arguments(), method=finely("ekf", 1e-12))
    wanted = textbook(data)
    for k in range(len(data["time"])):
        for j, path in enumerate(found.names):
            assert found[path][k] == pytest.approx(wanted["filtered"][k][0][j], rel=1e-10, abs=1e-10)
            assert found.smoothed(path)[k] == pytest.approx(wanted["smoothed"][k][0][j], rel=1e-10, abs=1e-10)
        assert found.covariances[k] == pytest.approx(wanted["filtered"][k][1], rel=1e-10, abs=1e-12)
        assert found.smoothed_covariances[k] == pytest.approx(wanted["smoothed"][k][1], rel=1e-10, abs=1e-12)
    assert found.log_likelihood == pytest.approx(wanted["log_likelihood"], rel=1e-10)


def test_unscented_and_horizon_agree_with_it_on_linear_models(linear: tg.CompiledModel) -> None:
    """Without noise of the process the points are exact; a horizon has the same least squares as the filter."""
    data: Any = {name: values[:5] for name, values in linear_data().items()}
    quiet: Any = {**arguments(), "noise": tg.NoiseLevels({"x": 0.05, "mixed": 0.1})}
    plain, points, horizon = (
        tg.estimate(linear, data, **quiet, method=finely(method, 1e-10)) for method in ("ekf", "ukf", "mhe")
    )
    for path in plain.names:
        assert points[path] == pytest.approx(plain[path], abs=1e-8)
        assert points.smoothed(path) == pytest.approx(plain.smoothed(path), abs=1e-7)
        assert points.sigma(path) == pytest.approx(plain.sigma(path), abs=1e-8)
        assert horizon[path] == pytest.approx(plain[path], abs=1e-7)


def test_particles_are_near_it(linear: tg.CompiledModel) -> None:
    """Within half a standard deviation: 200 particles know the mean to a tenth of it, and resampling costs some."""
    rng = np.random.default_rng(8)
    truth: Any = linear.simulate(stop=0.9, initial={"x": 0.7})
    time = np.linspace(0.0, 0.9, 4)
    data = {"time": time, "x": truth.at(time)["x"] + 0.1 * rng.normal(size=4)}
    wide: Any = {"states": {"x": 0.4, "v": 0.3}, "noise": tg.NoiseLevels({"x": 0.1}, {"v": 0.1})}
    plain = tg.estimate(linear, data, **wide)
    many = tg.estimate(linear, data, **wide, method=tg.Estimator("particle", particles=200, seed=4))
    for path in ("x", "v"):
        assert np.abs(many[path] - plain[path]).max() < 0.5 * plain.sigma(path).min()
        assert many.sigma(path) == pytest.approx(plain.sigma(path), rel=0.3)


class VanDerPol(tg.Component):
    """An oscillator whose damping changes its sign."""

    mu = tg.parameter(1.0)
    x = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == self.mu * (1 - self.x**2) * self.v - self.x


@pytest.fixture(scope="module")
def oscillator() -> tg.CompiledModel:
    return tg.compile(VanDerPol())


def test_errors_of_the_oscillator_are_as_large_as_the_filter_says(oscillator: tg.CompiledModel) -> None:
    """NEES of 25 runs at two times; benchmarks/estimation.py has 200 runs, and a battery."""
    rng = np.random.default_rng(11)
    time = np.arange(9) * 0.25
    joined: list[tg.Consistency] = []
    for _ in range(25):
        start = np.array([1.0, 0.0]) + 0.3 * rng.normal(size=2)
        truth: Any = oscillator.simulate(stop=2.0, initial={"x": start[0], "v": start[1]})
        measured = truth.at(time)["x"] + 0.1 * rng.normal(size=9)
        measured[0] = np.nan
        data = {"time": time, "x": measured}
        found = tg.estimate(oscillator, data, states={"x": 0.3, "v": 0.3}, noise=tg.NoiseLevels({"x": 0.1}))
        errors = found.nees(truth)
        joined.append(tg.Consistency("NEES", errors.values[[4, 8]], errors.degrees[[4, 8]]))
    whole = joined[0]
    for each in joined[1:]:
        whole = whole.joined(each)
    assert whole.success, str(whole)


def test_a_horizon_over_all_data_is_the_full_least_squares(oscillator: tg.CompiledModel) -> None:
    """The same sum of squares by SciPy, over the start and the noise of each interval, with SciPy's integrator."""
    time = np.array([0.0, 0.5, 1.0, 1.6])
    values = np.array([1.25, 0.9, 0.35, -0.7])
    sigma0, sigma, walk = np.array([0.4, 0.4]), 0.1, 0.2
    found = tg.estimate(
        oscillator,
        {"time": time, "x": values},
        states={"x": 0.4, "v": 0.4},
        noise=tg.NoiseLevels({"x": sigma}, {"v": walk}),
        method=tg.Estimator("mhe", window=4, rtol=1e-10),
    )

    def rate(_: float, y: Any) -> Any:
        both = y[2:].reshape(2, 2)
        by = np.array([[0.0, 1.0], [-2 * y[0] * y[1] - 1.0, 1.0 - y[0] ** 2]])
        return np.concatenate([[y[1], (1 - y[0] ** 2) * y[1] - y[0]], (by @ both).ravel()])

    def moved(x: Any, t0: float, t1: float) -> Any:
        return solve_ivp(rate, (t0, t1), np.append(x, np.eye(2).ravel()), rtol=1e-10, atol=1e-12, dense_output=True)

    def noise_root(x: Any, t0: float, t1: float) -> Any:
        run = moved(x, t0, t1)
        phi = run.y[2:, -1].reshape(2, 2)
        nodes, weights = np.polynomial.legendre.leggauss(8)
        q = np.zeros((2, 2))
        for node, weight in zip(nodes, weights, strict=True):
            column = phi @ np.linalg.inv(run.sol(t0 + 0.5 * (t1 - t0) * (1 + node))[2:].reshape(2, 2)) @ [0.0, walk]
            q += 0.5 * (t1 - t0) * weight * np.outer(column, column)
        return np.linalg.cholesky(q)

    final = np.array([[found.smoothed("x")[k], found.smoothed("v")[k]] for k in range(4)])
    roots = [noise_root(found_x, time[k], time[k + 1]) for k, found_x in enumerate(_trajectory(found)[:3])]

    def residuals(z: Any) -> Any:
        states = z.reshape(4, 2)
        parts = [(states[0] - [1.0, 0.0]) / sigma0, (values - states[:, 0]) / sigma]
        for k in range(3):
            end = moved(states[k], time[k], time[k + 1]).y[:2, -1]
            parts.append(np.linalg.solve(roots[k], states[k + 1] - end))
        return np.concatenate(parts)

    best = least_squares(residuals, final.ravel(), xtol=1e-12, ftol=1e-12, gtol=1e-12).x.reshape(4, 2)
    assert found["x"][-1] == pytest.approx(best[-1, 0], abs=1e-5)
    assert found["v"][-1] == pytest.approx(best[-1, 1], abs=1e-5)


def _trajectory(found: tg.Estimate) -> Any:
    """The states that the noise of the last window was computed along."""
    return np.array([found.smoothed("x"), found.smoothed("v")]).T


def test_what_the_data_say_nothing_about_is_named() -> None:
    class Pair(tg.Component):
        a = tg.variable(start=0.0, fixed=True)
        b = tg.variable(start=0.0, fixed=True)
        c = tg.variable(start=0.0, fixed=True)
        difference = tg.variable()

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.a) == 1.0 + 0 * self.c
            yield tg.der(self.b) == 2.0
            yield tg.der(self.c) == -self.c
            yield self.difference == self.a - self.b

    data = {"time": [0.0, 0.5, 1.0], "difference": [0.1, -0.4, -1.1]}
    with pytest.warns(UserWarning, match="say nothing about") as told:
        found = tg.estimate(
            Pair(), data, states={"a": 1.0, "b": 1.0, "c": 1.0}, noise=tg.NoiseLevels({"difference": 0.1})
        )
    assert {frozenset(each) for each in found.unobservable} == {frozenset({"a", "b"}), frozenset({"c"})}
    assert not found.success
    assert len(told) == 2


def test_tables_plots_and_words(oscillator: tg.CompiledModel) -> None:
    data = {"time": [0.0, 0.4, 0.8], "x": [1.0, 0.9, 0.7]}
    found = tg.estimate(oscillator, data, states={"x": 0.1}, parameters={"mu": 0.3}, noise=tg.NoiseLevels({"x": 0.1}))
    assert "mu" in str(found)
    assert found.to_pandas()["x", "sigma"].iloc[0] < 0.1
    assert found.sigma("v")[0] == 0.0
    assert found.plot("x", smoothed=True) is not None
    with pytest.raises(tg.DesignError, match="the names here are: x, v, mu"):
        found.smoothed("y")


class Ball(tg.Component):
    """It bounces, and loses some of its speed: the transition matrix has a jump of its own."""

    e = tg.parameter(0.8)
    h = tg.variable("m", start=1.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -9.81
        yield tg.when(self.h < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)))


def test_a_coefficient_of_restitution_is_found_across_bounces() -> None:
    ball = tg.compile(Ball())
    truth: Any = ball.simulate(2.0, parameters={"e": 0.7})
    time = np.arange(0.05, 1.6, 0.1)
    data = {"time": np.append(0.0, time), "h": np.append(np.nan, truth.at(time)["h"])}
    found = tg.estimate(
        ball, data, states={"h": 0.01, "v": 0.01}, parameters={"e": 0.2}, noise=tg.NoiseLevels({"h": 0.001})
    )
    assert found["e"][-1] == pytest.approx(0.7, abs=2e-3)
    assert found["e"][2] == pytest.approx(0.8), "before the first bounce nothing is known of it"


class Oven(tg.Component):
    """Temperatures in degrees Celsius, an angle in degrees."""

    T = tg.variable("degC", start=200.0, fixed=True)
    door = tg.variable("deg", start=10.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.T) == 0.0
        yield tg.der(self.door) == 0.0


def test_deviations_are_differences_in_the_declared_units() -> None:
    data = {"time": [3.0, 4.0], "T": [np.nan, np.nan], "door": [np.nan, np.nan]}
    noise = tg.NoiseLevels({"T": 1.0, "door": "0.1 rad"})
    with pytest.warns(UserWarning, match="say nothing"):
        found = tg.estimate(Oven(), data, states={"T": "2 K", "door": "3 deg"}, noise=noise)
    assert found["T"][0] == pytest.approx(200.0)
    assert found.sigma("T")[1] == pytest.approx(2.0)
    assert found.sigma("door")[1] == pytest.approx(3.0)
    assert found.problem.noise[1] == pytest.approx(np.degrees(0.1))
    with pytest.raises(tg.DesignError, match="E682"):
        tg.estimate(Oven(), data, states={"T": "2 degC"}, noise=tg.NoiseLevels({"T": 1.0, "door": 1.0}))


def test_noise_of_modes_that_decay_between_measurements() -> None:
    """Time constants of 0.01 s and 1 s, sampled every 5 s: covariances by Lyapunov's equation."""

    class Stiff(tg.Component):
        a = tg.variable(start=0.0, fixed=True)
        b = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.a) == -100 * self.a + 30 * self.b
            yield tg.der(self.b) == -self.b

    data = {"time": [0.0, 5.0], "b": [np.nan, np.nan]}
    noise = tg.NoiseLevels({"b": 0.1}, {"a": 3.0, "b": 0.5})
    with pytest.warns(UserWarning, match="say nothing"):
        found = tg.estimate(Stiff(), data, states={"b": 1.0}, noise=noise, method=tg.Estimator(rtol=1e-9))
    matrix = np.array([[-100.0, 30.0], [0.0, -1.0]])
    rest: Any = solve_continuous_lyapunov(matrix, -np.diag([9.0, 0.25]))
    phi = expm(5.0 * matrix)
    assert found.covariances[1] == pytest.approx(rest + phi @ (np.diag([0.0, 1.0]) - rest) @ phi.T, rel=1e-6)


def augmented_textbook(time: Any, values: Any, late: int) -> list[tuple[Any, Any]]:
    """Equal steps; x is seen `late` of them later, the mixture at once: Kalman's filter of (x[k], x[k-1], ...)."""
    step = time[1] - time[0]
    both = expm(step * np.block([[-A, np.diag(G**2)], [np.zeros((3, 3)), A.T]]))
    phi = both[3:, 3:].T
    size = 3 * (late + 1)
    move = np.zeros((size, size))
    move[:3, :3] = phi
    move[3:, :-3] = np.eye(size - 3)
    noise = np.zeros((size, size))
    noise[:3, :3] = phi @ both[:3, 3:]
    mean = np.tile(START, late + 1)
    cov = np.zeros((size, size))
    cov[:3, :3] = np.diag(SIGMA**2)
    found = []
    for row in values:
        h = np.zeros((2, size))
        h[0, -3:] = H[0]
        h[1, :3] = H[1]
        seen = ~np.isnan(row)
        if seen.any():
            s = h[seen] @ cov @ h[seen].T + np.diag(NOISE[seen] ** 2)
            gain = cov @ h[seen].T @ np.linalg.inv(s)
            mean = mean + gain @ (row[seen] - h[seen] @ mean)
            cov = cov - gain @ s @ gain.T
        found.append((mean[:3], cov[:3, :3]))
        mean = move @ mean
        cov = move @ cov @ move.T + noise
    return found


def test_late_measurements_against_the_augmented_filter(linear: tg.CompiledModel) -> None:
    """x arrives two steps late; the smoother is that of the same values at the times when they were taken."""
    time = 0.2 * np.arange(10)
    values = np.random.default_rng(9).normal(size=(10, 2))
    values[:2, 0] = np.nan  # taken before the first row
    values[4, 1] = np.nan
    data = {"time": time, "x": values[:, 0], "mixed": values[:, 1]}
    late = tg.Columns(delays={"x": "400 ms"})
    found = tg.estimate(linear, data, **arguments(), columns=late, method=finely("ekf", 1e-11))
    for k, (mean, cov) in enumerate(augmented_textbook(time, values, 2)):
        assert [found[path][k] for path in found.names] == pytest.approx(mean, abs=1e-8)
        assert found.covariances[k] == pytest.approx(cov, abs=1e-8)
    moved = {"time": time, "x": np.append(values[2:, 0], [np.nan, np.nan]), "mixed": values[:, 1]}
    early = tg.estimate(linear, moved, **arguments(), method=finely("ekf", 1e-11))
    assert found["x"][-1] == pytest.approx(early["x"][-1], abs=1e-8), "all has arrived by then"
    for path in found.names:
        assert found.smoothed(path) == pytest.approx(early.smoothed(path), abs=1e-8)
    assert found.log_likelihood == pytest.approx(early.log_likelihood, abs=1e-7)
    assert len(found.time) == 10


@pytest.mark.parametrize("method", ["ukf", "mhe"])
def test_late_measurements_between_rows_by_other_filters(linear: tg.CompiledModel, method: str) -> None:
    """A delay of one and a half steps, without noise of the process: all agree on linear models."""
    data = {"time": 0.2 * np.arange(5), "x": [np.nan, np.nan, 0.4, 0.1, -0.2]}
    quiet: Any = {"states": {"x": 0.4, "v": 0.3, "f": 0.2}, "noise": tg.NoiseLevels({"x": 0.05})}
    late = tg.Columns(delays={"x": 0.3})
    plain = tg.estimate(linear, data, **quiet, columns=late, method=finely("ekf", 1e-10))
    other = tg.estimate(linear, data, **quiet, columns=late, method=finely(method, 1e-10))
    shifted = {"time": [0.0, 0.1, 0.3, 0.5], "x": [np.nan, 0.4, 0.1, -0.2]}
    undelayed = tg.estimate(linear, shifted, **quiet, method=finely("ekf", 1e-10))
    for path in plain.names:
        assert other[path] == pytest.approx(plain[path], abs=1e-7)
    assert plain.smoothed("v")[0] == pytest.approx(undelayed.smoothed("v")[0], abs=1e-8)


def test_mistakes_of_delays(linear: tg.CompiledModel) -> None:
    data = {"time": [0.0, 0.5, 1.0], "x": [0.1, 0.2, 0.3]}
    for delays, words in (
        ({"x": 0.7}, "'x' at t = 0 was taken 0.7 s before, when t < 0"),
        ({"x": -0.1}, "arrives 0.1 s before it is measured"),
        ({"f": 0.1}, "delays names 'f'"),
    ):
        columns = tg.Columns(delays=delays)
        with pytest.raises(tg.DesignError, match="E682") as caught:
            tg.estimate(linear, data, states={"x": 0.1}, noise=tg.NoiseLevels({"x": 0.1}), columns=columns)
        assert words in str(caught.value)


class Swinging(tg.Component):
    """It turns 1.6 times between two measurements."""

    x = tg.variable(start=0.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == 1000.0 * self.v
        yield tg.der(self.v) == -1000.0 * self.x - 20.0 * self.v


def test_noise_of_what_swings_between_measurements():
    """Against the integral of Van Loan; as accurate as the runs."""
    data = {"time": [0.0, 0.01], "x": [0.0, 0.0]}
    noise = tg.NoiseLevels(measured={"x": 0.1}, walk={"x": 1.0, "v": 2.0})
    found = tg.estimate(Swinging(), data, states={"x": 0.3, "v": 0.2}, noise=noise)
    A = np.array([[0.0, 1000.0], [-1000.0, -20.0]])
    pair = expm(np.block([[-A, np.diag([1.0, 4.0])], [np.zeros((2, 2)), A.T]]) * 0.01)
    F = pair[2:, 2:].T
    P = F @ np.diag([1.0 / (1.0 / 0.3**2 + 1.0 / 0.1**2), 0.2**2]) @ F.T + F @ pair[:2, 2:]
    P -= np.outer(P[:, 0], P[0]) / (P[0, 0] + 0.1**2)
    for k, path in enumerate(("x", "v")):
        assert found.sigma(path)[1] == pytest.approx(np.sqrt(P[k, k]), rel=1e-8)

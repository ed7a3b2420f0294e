"""Inputs as variables of tg.optimize: units, vectors, defaults, moving ends, limits along the path; mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import tellegen as tg
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.single_objective import search as searching
from tellegen.library import blocks


class Cart(tg.Component):
    """The double integrator, with a parameter."""

    x = tg.variable("m", start=0.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    u = tg.input("m/s2")
    drag = tg.parameter(0.0, "1/s")

    def equations(self):
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == self.u - self.drag * self.v


REST = [tg.final("x") == 1.0, tg.final("v") == 0.0]
ENERGY = tg.integral("u**2")


def slopes(monkeypatch: pytest.MonkeyPatch, variables: dict[str, Any], **given: Any) -> Problem:
    """The problem tg.optimize makes, without a search."""
    made: list[Problem] = []

    def caught(self: Any, first: Any, *_: Any) -> Any:
        made.append(self.problem)
        raise KeyboardInterrupt

    monkeypatch.setattr(searching.Search, "run", caught)
    with pytest.raises(KeyboardInterrupt):
        tg.optimize(Cart(), variables=variables, **given)
    return made[0]


@pytest.mark.parametrize("kind", ["linear", "constant"])
def test_gradients_by_values_and_by_a_free_end(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against central differences; with drag and a square no run is a polynomial, and all corners move."""
    aim = tg.integral("u**2 + x**2 * u") + tg.final("time * x") + tg.peak("v")
    problem = slopes(
        monkeypatch,
        {"u": tg.piecewise(3, -2.0, 2.0, kind=kind), "drag": (0.1, 2.0)},
        stop=(1.0, 3.0),
        start=0.25,
        minimize=aim,
        rtol=1e-10,
    )
    values = problem.driven.drives[0].values.shape[-1]
    x = np.array([*[1.5, -0.7, 0.9, 0.4][:values], 0.3, 2.2])
    found = problem.evaluate(x)
    assert found.slope is not None
    for k in range(len(x)):
        step = np.zeros(len(x))
        step[k] = 1e-4
        ends = [problem.evaluate(x + side * step, gradient=False).objective for side in (1, -1)]
        assert found.slope[k] == pytest.approx((ends[0] - ends[1]) / 2e-4, rel=2e-6, abs=1e-7)


@pytest.mark.parametrize("stop", [1.0, (0.5, 2.0)])
def test_gradients_backwards(stop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same gradients by the adjoint, at fixed and at moving corners."""
    aim = tg.integral("u**2 + x**2 * u") + tg.final("x")
    given = {"stop": stop, "minimize": aim, "subject_to": REST, "rtol": 1e-9}
    signal = {"u": tg.piecewise(3, -2.0, 2.0, kind="constant"), "drag": (0.1, 2.0)}
    both = [slopes(monkeypatch, signal, **given, gradients=way) for way in ("forward", "adjoint")]
    assert [problem.is_backward for problem in both] == [False, True]
    x = np.array([1.5, -0.7, 0.9, 0.3, 1.1][: len(both[0].variables.names)])
    forward, adjoint = (problem.evaluate(x) for problem in both)
    assert adjoint.slope == pytest.approx(forward.slope, rel=1e-6, abs=1e-8)
    assert adjoint.jacobian == pytest.approx(forward.jacobian, rel=1e-6, abs=1e-8)


def test_a_signal_that_was_found_is_a_table(tmp_path: Any) -> None:
    """Corners of the signal in a TimeTable give the same run; the result shows it."""
    given = {"variables": {"u": tg.piecewise(4, -10.0, 10.0, kind="constant")}, "subject_to": REST}
    best = tg.optimize(Cart(), 1.0, minimize=ENERGY, **given)
    assert best.success, best.message
    times, values = best.signals["u"].corners

    class Replayed(tg.Component):
        cart = Cart()
        table = blocks.TimeTable(times=tuple(times), values=tuple(values))

        def connections(self):
            yield self.table.y, self.cart.u

    again = tg.simulate(Replayed(), 1.0, rtol=1e-9)
    assert again["cart.x"][-1] == pytest.approx(1.0, abs=1e-6)
    assert again["cart.v"][-1] == pytest.approx(0.0, abs=1e-6)
    curve = best.signals["u"]
    assert curve(0.3) == curve.values[1]
    assert curve(1.0) == curve.values[-1]
    assert "u: 4 constant pieces until 1 s" in str(best)
    best.plot().savefig(tmp_path / "search.png", dpi=150)
    assert (tmp_path / "search.png").stat().st_size > 5000


def test_a_guess_and_going_on() -> None:
    """A guess of values, then a result as the guess: it is the optimum already."""
    corners = 6 - 12 * np.linspace(0, 1, 6)
    given = {"minimize": ENERGY, "subject_to": REST, "stop": 1.0}
    best = tg.optimize(Cart(), variables={"u": tg.piecewise(5, -10.0, 10.0)}, **given, guess={"u": corners})
    assert best.history[0].x.tolist() == pytest.approx(corners.tolist())
    again = tg.optimize(Cart(), variables={"u": tg.piecewise(5, -10.0, 10.0)}, **given, guess=best)
    assert again.runs <= 3
    assert again.objective == pytest.approx(12.0, rel=1e-6)
    finer = tg.optimize(Cart(), variables={"u": tg.piecewise(10, -10.0, 10.0)}, **given, guess=best.signals)
    assert finer.history[0].x == pytest.approx(6 - 12 * np.linspace(0, 1, 11), abs=1e-2)
    steps = tg.piecewise(4, -10.0, 10.0, kind="constant")
    begun = tg.optimize(Cart(), variables={"u": steps}, **given, guess={"u": lambda t: 6 - 12 * t}, max_iterations=1)
    assert begun.history[0].x == pytest.approx([4.5, 1.5, -1.5, -4.5])


class Two(tg.Component):
    """Two carts: a vector of inputs in a unit of its own, and a part with an input that has a default."""

    u = tg.input("cm/s2", shape=2)
    v = tg.variable("m/s", shape=2, start=0.0, fixed=True)
    lag = blocks.FirstOrder(T=0.1, u=3.0)

    def equations(self):
        for k in range(2):
            yield tg.der(self.v[k]) == (k + 1) * self.u[k]


def test_vectors_units_and_defaults() -> None:
    """v[k] = (k+1) mean(u[k]) in SI: 1 m/s in a second takes 100 and 50 cm/s2; the lag settles at its input."""
    best = tg.optimize(
        Two(),
        1.0,
        minimize=tg.integral("u[0]**2 + u[1]**2") / 1e4 + tg.integral("(lag.y - 2)**2"),
        variables={"u": tg.piecewise(2, "0 m/s2", "2 m/s2"), "lag.u": tg.piecewise(3, 0.0, 5.0, kind="constant")},
        subject_to=[tg.final("v[0]") == 1.0, tg.final("v[1]") == 1.0],
        tolerance=1e-9,
    )
    assert best.success, best.message
    assert best.signals["u[0]"].values == pytest.approx(100.0, rel=1e-3)
    assert best.signals["u[1]"].values == pytest.approx(50.0, rel=1e-3)
    assert best.signals["u[0]"].unit == "cm/s2"
    assert best.signals["lag.u"].values[0] > 2.2
    assert best.signals["lag.u"].values[1:] == pytest.approx(2.0, abs=0.1)


def least_energy(pieces: int, limit: float) -> float:
    """Of straight lines with v <= limit at 800 instants: a quadratic program of SciPy, with the matrices by hand."""
    n, h = pieces, 1.0 / pieces
    t = np.linspace(0, 1, 801)
    hats = np.stack([np.interp(t, np.linspace(0, 1, n + 1), row) for row in np.eye(n + 1)], axis=1)
    speed = np.vstack([np.zeros(n + 1), np.cumsum((hats[1:] + hats[:-1]) / 2 * np.diff(t)[:, None], axis=0)])
    way = (speed[:-1] + speed[1:]).T @ np.diff(t) / 2
    energy = h / 6 * (4 * np.eye(n + 1) + np.eye(n + 1, k=1) + np.eye(n + 1, k=-1))
    energy[0, 0] = energy[-1, -1] = h / 3
    found = minimize(
        lambda u: u @ energy @ u,
        np.linspace(6, -6, n + 1),
        jac=lambda u: 2 * energy @ u,
        constraints=[
            {"type": "eq", "fun": lambda u: [way @ u - 1, speed[-1] @ u], "jac": lambda _: [way, speed[-1]]},
            {"type": "ineq", "fun": lambda u: limit - speed @ u, "jac": lambda _: -speed},
        ],
        options={"ftol": 1e-12, "maxiter": 200},
    )
    assert found.success
    return float(found.fun)


@pytest.mark.parametrize("method", ["slsqp", "ipopt"])
def test_limits_hold_between_the_instants_seen(method: str) -> None:
    """Five pieces with v <= 1.3, which the optimum touches between corners and middles."""
    if method == "ipopt":
        pytest.importorskip("ipyopt")
    best = tg.optimize(
        Cart(),
        1.0,
        minimize=ENERGY,
        variables={"u": tg.piecewise(5, -40.0, 40.0)},
        subject_to=[*REST, tg.peak("v") <= 1.3],
        method=method,
    )
    assert best.success, best.message
    assert tg.peak("v")(best.solution) <= 1.3 * (1 + 1e-5)
    assert best.objective == pytest.approx(least_energy(5, 1.3), rel=2e-5)
    assert best.remains < 1e-6
    assert len(best.problem.asked.constraints) > 12  # instants were added


def test_lowest_along_the_path_and_a_free_end_alone() -> None:
    """Without a signal: the throw that comes down after the longest time, and a stop that is searched."""

    class Fall(tg.Component):
        h = tg.variable(start=2.0, fixed=True)
        w = tg.variable(start=3.0, fixed=True)

        def equations(self):
            yield tg.der(self.h) == self.w
            yield tg.der(self.w) == -10.0

    best = tg.optimize(
        Fall(),
        (0.1, 5.0),
        maximize=tg.final("time"),
        variables={"w": (1.0, 4.0)},
        subject_to=[tg.lowest("h") >= 0.0],
    )
    assert best.success, best.message
    assert best.variables["w"] == pytest.approx(4.0)
    assert best.objective == pytest.approx((4 + np.sqrt(16 + 40)) / 10, rel=1e-5)


@pytest.mark.parametrize(
    "change",
    [
        {"variables": {"drag": tg.piecewise(3, 0.0, 1.0)}},
        {"variables": {"v": tg.piecewise(3, 0.0, 1.0)}},
        {"guess": {"u": [1.0, 2.0]}},
        {"stop": (1.0, 2.0, 3.0)},
        {"stop": (2.0, 1.0)},
        {"stop": (-1.0, 1.0)},
    ],
)
def test_mistakes(change: dict[str, Any]) -> None:
    given = {"minimize": ENERGY, "variables": {"u": tg.piecewise(3, 0.0, 1.0)}, "stop": 1.0, **change}
    with pytest.raises(tg.TellegenError, match="E626"):
        tg.optimize(Cart(), **given)


@pytest.mark.parametrize("given", [{"n": 0}, {"n": 2.5}, {"n": 3, "kind": "cubic"}])
def test_mistakes_of_pieces(given: dict[str, Any]) -> None:
    with pytest.raises(tg.TellegenError, match="E626"):
        tg.piecewise(low=0.0, high=1.0, **given)

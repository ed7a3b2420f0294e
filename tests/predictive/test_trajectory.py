"""Open-loop trajectories against closed solutions, published values and linear algebra."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import minimize

import tellegen as tg
from predictive.plants import InOtherUnits, Pushed


class Cart(tg.Component):
    """A double integrator."""

    x = tg.variable("m", start=0.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    u = tg.input("m/s2")

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == self.u


CART = Cart()
THERE = {"x": 1.0, "v": 0.0}


@pytest.mark.parametrize("method", ["shooting", "collocation"])
def test_least_time_is_bang_bang(method: str) -> None:
    """2 sqrt(d / u), switching in the middle."""
    found = tg.trajectory(
        Cart(), (0.5, 5.0), goal=tg.Goal(end=THERE, minimize="time"), limits={"u": (-1.0, 1.0)}, intervals=10,
        method=method,
    )  # fmt: skip
    assert found.success
    assert found.duration == pytest.approx(2.0, abs=1e-8)
    np.testing.assert_allclose(found["u"], np.repeat([1.0, -1.0], 5), atol=1e-6)
    np.testing.assert_allclose(found["x"][5], 0.5, atol=1e-7)
    assert found.solution["x"][-1] == pytest.approx(1.0, abs=1e-7)
    assert "10 intervals" in str(found)
    assert len(found.plot().axes) == 3
    table = found.to_pandas()
    np.testing.assert_array_equal(table["u"], [*found["u"], np.nan])
    np.testing.assert_array_equal(table["x"], found["x"])


@pytest.mark.parametrize(("metre", "second"), [(1e-9, 1.0), (1e9, 1.0), (1.0, 1e-6), (1e3, 1e4)])
def test_sizes_do_not_matter(metre: float, second: float) -> None:
    """The speed starts and ends at zero: how large it becomes has to be found. At 1e-9 m it ended as large as ever."""
    most = metre / second**2
    there = {"x": metre, "v": 0.0}
    found = tg.trajectory(
        CART, (0.5 * second, 5.0 * second), goal=tg.Goal(end=there, minimize="time"), limits={"u": (-most, most)},
        intervals=4,
    )  # fmt: skip
    assert found.success
    assert found.duration == pytest.approx(2.0 * second, rel=1e-7)
    assert found["v"][-1] == pytest.approx(0.0, abs=1e-6 * metre / second)
    assert found.objective == found.duration


def test_least_energy_in_closed_form() -> None:
    """With N constant inputs 12 / (1 - 1/N^2); the inputs lie on a straight line."""
    count = 16
    found = tg.trajectory(
        Cart(), 1.0, goal=tg.Goal(end=THERE, effort={"u": 1.0}), limits={"u": (-50.0, 50.0)}, intervals=count
    )
    shrink = 1.0 - 1.0 / count**2
    assert found.objective == pytest.approx(12.0 / shrink, rel=1e-7)
    middles = (np.arange(count) + 0.5) / count
    np.testing.assert_allclose(found["u"], (6.0 - 12.0 * middles) / shrink, atol=1e-3)
    assert found.signals["u"](0.0) == found["u"][0]


def test_a_limit_on_the_way_is_kept() -> None:
    """Bryson and Denham (1963): 4/(9 l) with x <= l = 1/9 is 4; with constant inputs as SciPy finds it."""
    count = 18
    found = tg.trajectory(
        Cart(), 1.0, goal=tg.Goal(end={"x": 0.0, "v": -1.0}, effort={"u": 0.5}), intervals=count,
        limits={"u": (-30.0, 30.0), "x": (-1.0, 1.0 / 9.0)}, initial={"v": 1.0},
    )  # fmt: skip
    width = 1.0 / count
    ends = (np.arange(count) + 1.0) * width
    speeds = np.tril(np.full((count, count), width))
    ways = np.maximum(ends[:, None] - ends[None, :] + 0.5 * width, 0.0) * width * np.tril(np.ones((count, count)))
    rules: list[Any] = [
        {"type": "eq", "fun": lambda u: np.array([1.0 + speeds[-1] @ u + 1.0, 1.0 + ways[-1] @ u])},
        {"type": "ineq", "fun": lambda u: 1.0 / 9.0 - ends - ways @ u},
    ]
    best = minimize(lambda u: 0.5 * width * u @ u, np.full(count, -2.0), jac=lambda u: width * u, constraints=rules,
                    options={"ftol": 1e-12})  # fmt: skip
    assert found.objective == pytest.approx(best.fun, rel=1e-6)
    assert 4.0 < found.objective < 4.04
    assert found["x"].max() < 1.0 / 9.0 + 1e-8


class Rocket(tg.Component):
    """Goddard's rocket in the units of Dolan and Moré (COPS 3.0)."""

    thrust = tg.input()
    h = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    m = tg.variable(start=1.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        drag = 310.0 * self.v**2 * tg.exp(-500.0 * (self.h - 1.0))
        yield tg.der(self.h) == self.v
        yield self.m * tg.der(self.v) == self.thrust - drag - self.m / self.h**2
        yield tg.der(self.m) == -self.thrust / 0.5


def test_the_rocket_rises_as_published() -> None:
    """1.01283 (COPS), with full thrust, a singular arc, and none."""
    found = tg.trajectory(
        Rocket(), (0.1, 0.3), goal=tg.Goal(end={"m": 0.6}, minimize="-h"), limits={"thrust": (0.0, 3.5)},
        intervals=40, guess={"thrust": 1.5, "v": lambda t: 0.1 * np.sin(15.0 * t) ** 2},
    )  # fmt: skip
    assert found.success
    assert -found.objective == pytest.approx(1.01283, abs=1e-5)
    assert found.solution["h"][-1] == pytest.approx(-found.objective, abs=1e-8)
    assert found["thrust"][0] == pytest.approx(3.5)
    assert 1.5 < found["thrust"][8] < 3.0
    np.testing.assert_allclose(found["thrust"][-20:], 0.0, atol=1e-6)


class Unstable(tg.Component):
    """A pendulum that stands, made linear: errors grow by exp(30) in six seconds."""

    u = tg.input()
    x = tg.variable(start=0.1, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == 25.0 * self.x + self.u


def best_of_unstable(count: int, width: float) -> Any:
    """The optimality conditions as one linear system, with matrix exponentials."""
    moved = expm(width * np.array([[0.0, 1.0, 0.0], [25.0, 0.0, 1.0], [0.0, 0.0, 0.0]]))
    size = 3 * count
    rows = np.zeros((2 * count + 2, size))
    right = np.zeros(2 * count + 2)
    right[:2] = -moved[:2, :2] @ [0.1, 0.0]
    for k in range(count):
        own = slice(2 * k, 2 * k + 2)
        rows[own, own] = -np.eye(2)
        rows[own, 2 * count + k] = moved[:2, 2]
        if k:
            rows[own, 2 * k - 2 : 2 * k] = moved[:2, :2]
    rows[-2:, 2 * count - 2 : 2 * count] = np.eye(2)
    right[-2:] = [0.2, 0.0]
    matrix = np.zeros((size + len(rows), size + len(rows)))
    matrix[np.arange(2 * count, size), np.arange(2 * count, size)] = 2.0 * width
    matrix[size:, :size] = rows
    matrix[:size, size:] = rows.T
    return np.linalg.solve(matrix, np.concatenate([np.zeros(size), right]))[2 * count : size]


@pytest.mark.parametrize(("method", "rtol"), [("shooting", 1e-7), ("collocation", 1e-4)])
def test_an_unstable_plant_is_led_for_a_long_time(method: str, rtol: float) -> None:
    """Collocation has polynomials of order 5 in each interval, the other an integrator."""
    found = tg.trajectory(
        Unstable(), 6.0, goal=tg.Goal(end={"x": 0.2, "v": 0.0}, effort={"u": 1.0}), limits={"u": (-20.0, 20.0)},
        intervals=60, method=method,
    )  # fmt: skip
    assert found.success
    np.testing.assert_allclose(found["u"], best_of_unstable(60, 0.1), rtol=rtol, atol=rtol)
    assert found["x"][-1] == pytest.approx(0.2, abs=1e-6)
    if method == "shooting":  # in one piece nothing is left of it: what single shooting would have to search with
        assert abs(found.solution["x"][-1] - 0.2) > 1e-12 * exp(30.0)


def test_units_and_arrays() -> None:
    """Half a metre in a second with 4 J/kg of effort, in millimetres and kilonewtons; three forces."""
    other = tg.trajectory(
        InOtherUnits(d=0.0), 1.0, goal=tg.Goal(end={"x": 500.0, "v": 0.0}, effort={"force": 1e6}), intervals=4,
        limits={"force": (-1.0, 1.0)},
    )  # fmt: skip
    assert other.objective == pytest.approx(0.25 * 12.0 / (1.0 - 1.0 / 16.0), rel=1e-6)
    pushed = tg.trajectory(
        Pushed(), 2.0, goal=tg.Goal(end={"v": [1.0, 2.0, 3.0]}, effort={"force": 1.0}), intervals=2,
        limits={"force": (-9.0, 9.0)},
    )  # fmt: skip
    np.testing.assert_allclose([pushed[f"force[{k}]"][0] for k in range(3)], [0.5, 2.0, 4.5], rtol=1e-6)
    assert pushed.solution["v"][-1] == pytest.approx([1.0, 2.0, 3.0])


def test_what_cannot_be_reached_is_named() -> None:
    with pytest.raises(tg.DesignError, match=r"E692: .*'x' ends at 0\.25, not at 3; 'u' would have to go beyond"):
        tg.trajectory(Cart(), 1.0, goal=tg.Goal(end={"x": 3.0, "v": 0.0}, effort={"u": 1.0}), limits={"u": (-1.0, 1.0)},
                      intervals=4)  # fmt: skip
    with pytest.raises(tg.DesignError, match=r"E692: .*'x' ends at 0\.175, not at 0\.5; .*'v' would have to go beyond"):
        tg.trajectory(Cart(), 1.0, goal=tg.Goal(end={"x": 0.5, "v": 0.0}, effort={"u": 1.0}), intervals=4,
                      limits={"u": (-9.0, 9.0), "v": (-0.2, 0.2)})  # fmt: skip


def test_intervals_that_are_too_long_for_collocation_are_warned_of() -> None:
    goal = tg.Goal(end={"x": 0.2, "v": 0.0}, effort={"u": 1.0})
    with pytest.warns(UserWarning, match=r"too long for collocation: '[xv]' is wrong by .*; give more intervals"):
        tg.trajectory(Unstable(), 2.0, goal=goal, limits={"u": (-20.0, 20.0)}, intervals=3, method="collocation")


MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "no goal": ({"goal": {"x": 1.0}}, "goal is a tg.Goal"),
    "nothing to be least": ({"goal": tg.Goal(end=THERE)}, "what is to be least?"),
    "time that is given": ({"goal": tg.Goal(end=THERE, minimize="time")}, "lasts as long as stop says"),
    "times turned round": ({"stop": (2.0, 1.0)}, "the shortest and the longest"),
    "no input": ({"limits": {"x": (0.0, 1.0)}, "goal": tg.Goal(end=THERE, minimize="v")}, "needs an input"),
    "half an interval": ({"intervals": 2.5}, "the number of intervals is an integer"),
    "a method of its own": ({"method": "magic"}, "method='magic'"),
    "a strange guess": ({"guess": {"y": 1.0}}, "the guess names 'y'"),
    "an end that is no number": ({"goal": tg.Goal(end={"x": "far"}, minimize="v")}, "end of 'x' is a number"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(name: str) -> None:
    given, text = MISTAKES[name]
    usual = {"stop": 1.0, "goal": tg.Goal(end=THERE, effort={"u": 1.0}), "limits": {"u": (-1.0, 1.0)}, "intervals": 4}
    with pytest.raises(tg.DesignError, match="E690") as caught:
        tg.trajectory(Cart(), **(usual | given))
    assert text in str(caught.value)

"""Integer-valued functions and ticks: right on both sides of a step, errors where numbers do not resolve them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg


class Counted(tg.Component):
    """x rises from x0 by one each second."""

    k = tg.parameter(1.0)
    x0 = tg.parameter(0.3)
    step = tg.parameter("floor", structural=True)
    x = tg.variable(start=x0, fixed=True)
    y = tg.variable()

    def equations(self) -> Any:
        large = self.k * self.x
        yield tg.der(self.x) == 1.0
        yield self.y == {"floor": tg.floor, "ceil": tg.ceil, "mod": lambda v: v % 3.0}[self.step](large)


STEPS: dict[str, Any] = {"floor": np.floor, "ceil": np.ceil, "mod": lambda v: np.mod(v, 3.0)}


@pytest.fixture(scope="module", params=list(STEPS))
def step(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def counted(step: str) -> Any:
    return tg.compile(Counted(step=step))


@pytest.mark.parametrize("k", [1e17, -1e25, 1e200])
def test_levels_of_numbers_without_fractions(counted: Any, k: float) -> None:
    """They kept their first value without a word."""
    with pytest.raises(tg.NumericError, match=r"(?s)E309.*no fractions.*y =="):
        counted.simulate(1.0, parameters={"k": k})


def test_levels_that_are_resolved(counted: Any, step: str) -> None:
    """Seeded random slopes and starts up to 1e12, against NumPy at the end of a run that passes some levels."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        k = float(10.0 ** rng.uniform(0.0, 3.0)) * float(rng.choice([-1.0, 1.0]))
        x0 = float(rng.uniform(-1e9, 1e9)) if rng.random() < 0.5 else float(rng.uniform(-1.0, 1.0))
        stop = float(rng.uniform(1.0, 30.0)) / abs(k)
        value = k * (x0 + stop)
        if abs(value - np.round(value)) < 1e-6 * max(abs(value), 1.0):
            continue  # too close to a step for the tolerance
        solution = counted.simulate(stop, parameters={"k": k, "x0": x0}, rtol=1e-9, solver="rk45")
        assert solution["y"][-1] == pytest.approx(STEPS[step](k * solution["x"][-1]), abs=1e-6 * abs(value))


@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode", "ida"])
def test_both_sides_of_a_step(counted: Any, step: str, solver: str) -> None:
    """The row after an event kept the value before it, and IDA gave up there: it found values that do not agree."""
    solution = counted.simulate(4.0, solver=solver, parameters={"x0": 0.5})
    at = np.flatnonzero(np.diff(solution.time) == 0.0)
    after = {"floor": [1.0, 2.0, 3.0, 4.0], "ceil": [2.0, 3.0, 4.0, 5.0], "mod": [0.0]}[step]
    np.testing.assert_allclose(solution["y"][at + 1], after, atol=1e-9)
    np.testing.assert_allclose(solution["y"][at], np.array(after) - 1.0 if step != "mod" else [3.0], atol=1e-9)


class Ticking(tg.Component):
    """Counts ticks."""

    period = tg.parameter(1e-3, "s")
    first = tg.parameter(0.0, "s")
    n = tg.integer()

    def equations(self) -> Any:
        yield tg.when(tg.sample(self.first, self.period), self.n == tg.pre(self.n) + 1)


@pytest.mark.parametrize(
    ("period", "first", "start"), [(1e-20, 0.0, 0.0), (1e-7, 0.0, 1e10), (1e-3, 0.0, 1e14), (1.0, -1e17, 0.0)]
)
def test_periods_that_times_do_not_resolve(period: float, first: float, start: float) -> None:
    """Ticks were lost, or the run did not end."""
    model = tg.compile(Ticking(period=period, first=first))
    with pytest.raises(tg.NumericError, match=r"(?s)E306.*too short for times.*when sample"):
        model.simulate(start + max(1.0, 1e-6 * start), start=start)


def test_ticks_late_in_time() -> None:
    """Seeded: periods that divide a late start, so that there is a tick at the start and one after each period."""
    model = tg.compile(Ticking())
    rng = np.random.default_rng(7)
    for _ in range(20):
        period = float(2.0 ** rng.integers(-10, 1))
        start = float(np.round(10.0 ** rng.uniform(0.0, 5.0)))
        ticks = int(rng.integers(1, 30))
        found = model.simulate(start + (ticks + 0.5) * period, start=start, parameters={"period": period})
        assert found["n"][-1] == ticks + 1

"""Conditions that are true for a short time: which ones are seen for certain, and that they count once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg


class Thrown(tg.Component):
    """A throw that is above a height for a part of the run: a parabola, on which steps may be as long as they like."""

    h = tg.parameter(0.1)
    x = tg.variable(start=0.0, fixed=True)
    v = tg.variable()
    n = tg.integer()

    def equations(self) -> Any:
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -1.0
        yield tg.when(self.x > self.h, self.n == tg.pre(self.n) + 1)


@pytest.fixture(scope="module")
def thrown() -> Any:
    return tg.compile(Thrown())


def counted(thrown: Any, part: float, apex: float, **run: Any) -> int:
    """How often the condition became true, which is once, for a part of the run about an instant."""
    h = apex**2 / 2 - part**2 / 8
    return int(thrown.simulate(1.0, points=3, parameters={"h": h}, initial={"v": apex}, **run)["n"][-1])


@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode", "ida"])
def test_a_two_hundredth_of_the_run_is_seen(thrown: Any, solver: str) -> None:
    for apex in np.random.default_rng(3).uniform(0.1, 0.9, 12):
        assert counted(thrown, 1 / 200, float(apex), solver=solver, rtol=1e-4) == 1


@pytest.mark.parametrize("rtol", [1e-3, 1e-4])
def test_a_slow_rise_from_a_border_is_one_event(thrown: Any, rtol: float) -> None:
    """CVODE's second step after an event, of order one, fell below the border: 13 000 events for one."""
    for apex in (0.342555863433316, 0.7729823941539096, 0.8797542503058314):
        assert counted(thrown, 1 / 300, apex, solver="cvode", rtol=rtol) <= 2


class Limited(tg.Component):
    """Whether a limiter acts, by comparing what goes in with what comes out: the two become equal, and stay so."""

    limit = tg.parameter(0.3)
    u = tg.variable()
    x = tg.variable(start=0.0, fixed=True)
    z = tg.variable(start=0.0, fixed=True)

    def equations(self):
        wave = tg.sin(tg.time)
        yield self.u == tg.minimum(wave, self.limit)
        yield tg.der(self.x) == tg.where(self.u < wave, 1.0, 0.0)
        yield tg.der(self.z) == tg.where(self.limit < tg.maximum(wave, self.limit), 1.0, 0.0)


@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode", "ida"])
def test_sides_that_become_equal_and_stay_so(solver: str) -> None:
    solution = tg.simulate(Limited(), 6.0, solver=solver)
    above = np.pi - 2 * np.arcsin(0.3)
    assert solution["z"][-1] == pytest.approx(above, abs=1e-9)
    if solver != "ida":  # which iterates for u: it becomes equal but for roundings of either sign
        assert solution["x"][-1] == pytest.approx(above, abs=1e-9)

"""Balls that come to rest: a clear outcome, and no ball below the floor, however elastic, beside whatever others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg

G = 9.81


class Ball(tg.Component):
    """Bounces on a floor."""

    e = tg.parameter(0.8)
    height = tg.parameter(1.0, "m")
    floor = tg.parameter(0.0, "m")
    h = tg.variable("m", start=height, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -G
        yield tg.when(self.h < self.floor, tg.reinit(self.v, -self.e * tg.pre(self.v)))


def rest(height: float, e: float) -> float:
    """When the bounces of a ball have come to an end."""
    return float(np.sqrt(2.0 * height / G) * (1.0 + e) / (1.0 - e))


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida", "auto"])
@pytest.mark.parametrize("e", [0.9, 0.8, 0.5, 0.2, 0.1, 0.01, 0.001])
def test_a_ball_beside_others_comes_to_rest(e: float, solver: str) -> None:
    """The steps are as long as the flights of the highest ball; those of the lowest end in between."""
    model = tg.System("balls")
    model.balls = Ball.array(3, e=e, height=[0.5, 0.02, 7.0])
    solution = tg.simulate(model, stop=10.0, solver=solver, points=50, throw=False)
    assert solution.outcome.code == "chattering"
    # what is left of the bounces then: twenty millionths of the run for each of the last gaps
    assert solution.outcome.time == pytest.approx(rest(0.02, e), abs=2e-5 * 10.0 / (1.0 - e))
    assert solution["balls.h"].min() > -1e-9
    assert "balls[1]" in "\n".join(solution.outcome.details)


def test_a_floor_that_is_not_at_zero() -> None:
    """Roundings of the height are larger there."""
    model = tg.System("balls")
    model.balls = Ball.array(2, e=0.7, height=[5.1, 6.0], floor=5.0)
    solution = tg.simulate(model, stop=3.0, points=50, throw=False)
    assert solution.outcome.code == "chattering"
    assert solution.outcome.time == pytest.approx(rest(0.1, 0.7), abs=3e-4)
    assert solution["balls.h"].min() > 5.0 - 1e-7  # a tenth of the tolerance of 5 m


def test_each_bounce_is_one_event() -> None:
    """A ball that leaves the floor needs no second event to be seen above it."""
    solution = tg.simulate(Ball(), stop=1.0, rtol=1e-9)
    times = [np.sqrt(2.0 / G)]
    gap = 2.0 * 0.8 * times[0]
    while times[-1] + gap < 1.0:
        times.append(times[-1] + gap)
        gap *= 0.8
    assert solution.history is not None
    np.testing.assert_allclose([event.time for event in solution.history.log], times, atol=1e-9)

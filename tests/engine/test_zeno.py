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


def left(size: float, e: float, rtol: float = 1e-6) -> float:
    """How much earlier the bounces end when those lower than the tolerance of a height are left out.

    A flight of the time T is g T^2 / 8 high, and what follows takes e T + e^2 T + ...; some times that, for the height
    that counts is the largest that was seen, and steps look ahead.
    """
    return 4.0 * float(np.sqrt(8.0 * rtol * size / (G * e))) / (1.0 - e)


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
    assert solution.outcome.time == pytest.approx(rest(0.02, e), abs=left(0.02, e))
    assert solution["balls.h"].min() > -1e-9
    assert "balls[1]" in "\n".join(solution.outcome.details)


def test_a_floor_that_is_not_at_zero() -> None:
    """Roundings of the height are larger there."""
    model = tg.System("balls")
    model.balls = Ball.array(2, e=0.7, height=[5.1, 6.0], floor=5.0)
    solution = tg.simulate(model, stop=3.0, points=50, throw=False)
    assert solution.outcome.code == "chattering"
    assert solution.outcome.time == pytest.approx(rest(0.1, 0.7), abs=left(5.0, 0.7))
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


@pytest.mark.parametrize("solver", ["auto", "cvode", "ida"])
def test_floors_anywhere(solver: str) -> None:
    """Sixty balls, floors up to ten metres up or down: roundings of heights must not let them through."""
    compiled, random = tg.compile(Ball()), np.random.default_rng(5)
    for _ in range(60):
        floor, e = random.uniform(-10.0, 10.0), random.uniform(0.1, 0.9)
        given = {"floor": floor, "height": floor + 0.1, "e": e}
        solution = compiled.simulate(5.0, parameters=given, solver=solver, points=10, throw=False)
        assert solution.outcome.code == "chattering", given
        assert solution["h"].min() > floor - 1e-5, given
        assert solution.outcome.time == pytest.approx(rest(0.1, e), abs=left(abs(floor) + 0.1, e)), given


@pytest.mark.parametrize("stop", [10.0, 1000.0, 86400.0])
def test_a_ball_with_a_state_of_rest_comes_to_it(stop: float) -> None:
    """However long the run: that seven bounces follow ever faster is no reason to end it."""

    class Resting(tg.Component):
        h = tg.variable("m", start=1.0, fixed=True)
        v = tg.variable("m/s", start=0.0, fixed=True)
        lies = tg.boolean()

        def equations(self) -> Any:
            slow = tg.pre(self.v) > -0.1
            yield tg.der(self.h) == self.v
            yield tg.der(self.v) == tg.where(self.lies, 0.0, -G)
            yield tg.when(self.h < 0, tg.reinit(self.v, tg.where(slow, 0.0, -0.5 * tg.pre(self.v))), self.lies == slow)

    solution = tg.simulate(Resting(), stop=stop)
    assert solution["lies"][-1] == 1
    assert abs(solution["h"][-1]) < 1e-6


def test_an_elastic_ball_may_bounce_lower_than_the_tolerance() -> None:
    """Flights that do not get shorter have no end, and need none."""
    solution = tg.simulate(Ball(e=1.0, height=5.0 + 1e-6, floor=5.0), stop=0.05, solver="rk45")
    assert solution.outcome.ok
    assert len(solution.events) == 55  # the first after 0.4515 ms, then every 0.9030 ms


def test_an_encoder_that_speeds_up_is_no_zeno() -> None:
    """Its ticks come ever faster, by less and less; in a long run they are close from the beginning."""

    class Encoder(tg.Component):
        phi = tg.variable(start=0.0, fixed=True)
        w = tg.variable(start=0.0, fixed=True)
        n = tg.integer()

        def equations(self) -> Any:
            yield tg.der(self.phi) == self.w
            yield tg.der(self.w) == (1.0 - self.w) / 50.0
            yield tg.when(self.phi > tg.pre(self.n) + 1, self.n == tg.pre(self.n) + 1)

    solution = tg.simulate(Encoder(), stop=2e4, points=3)
    assert solution.outcome.ok
    assert solution["n"][-1] == 19949  # 2e4 - 50 turns, less what is not yet whole


@pytest.mark.parametrize("offset", [1e2, 1e4, 1e6])
def test_roots_beside_a_large_offset(offset: float) -> None:
    """A ramp crosses a level where it should, to the rounding of its values."""

    class Ramp(tg.Component):
        x = tg.variable(start=offset, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == 1.0
            yield tg.when(self.x > offset + 0.5, tg.terminate("there"))

    for rtol in (1e-4, 1e-6, 1e-9):
        for solver in ("rk45", "cvode", "ida"):
            time = tg.simulate(Ramp(), stop=1.0, rtol=rtol, solver=solver).time[-1]
            assert time == pytest.approx(0.5, abs=8.0 * np.spacing(offset) + (1e-6 if solver != "rk45" else 1e-11))


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
@pytest.mark.parametrize("level", [7.0, 8.2, 9.0, 9.5])
def test_a_throw_over_a_level_is_seen(level: float, solver: str) -> None:
    """A parabola that explicit steps could follow from one end of the run to the other in a few."""

    class Throw(tg.Component):
        x = tg.variable("m", start=0.0, fixed=True)
        v = tg.variable("m/s", start=14.0, fixed=True)
        n = tg.integer()

        def equations(self) -> Any:
            yield tg.der(self.x) == self.v
            yield tg.der(self.v) == -10.0
            yield tg.when(self.x > level, self.n == tg.pre(self.n) + 1)

    for points in (2, 500):
        assert tg.simulate(Throw(), stop=10.0, solver=solver, points=points)["n"][-1] == 1

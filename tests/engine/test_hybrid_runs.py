"""Runs with events, whatever the integrator: nothing is stepped over, chattering is told or regularized, costs stay."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model

SOLVERS = ("rk45", "cvode", "ida")


class Fast(tg.Component):
    """A condition on a fast signal that the state knows nothing of."""

    x = tg.variable(start=0.0, fixed=True)
    n = tg.integer()

    def equations(self):
        yield tg.der(self.x) == 1e-3
        yield tg.when(tg.sin(2 * np.pi * 50 * tg.time - 0.1) > 0, self.n == tg.pre(self.n) + 1)


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_event_of_a_fast_signal_is_stepped_over(solver: str) -> None:
    """500 periods in steps that the state alone would allow to be a fiftieth of the run."""
    assert shared_model(Fast).simulate(10.0, solver=solver)["n"][-1] == 500


class Relay(tg.Component):
    """Both sides push towards zero: the exact solution slides."""

    x = tg.variable(start=1.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == tg.where(self.x > 0, -1.0, 0.5)


@pytest.mark.parametrize("solver", SOLVERS)
def test_chattering_is_told_or_regularized(solver: str) -> None:
    stopped = tg.simulate(Relay(), 3.0, solver=solver, throw=False)
    assert stopped.outcome.code == "chattering"
    assert stopped.outcome.time == pytest.approx(1.0, abs=1e-5)
    assert any("where(x > 0" in line for line in stopped.outcome.details)
    with pytest.warns(UserWarning, match="got a hysteresis: der"):
        solution = tg.simulate(Relay(), 3.0, solver=solver, chattering="regularize")
    assert np.abs(solution["x"][solution.time > 1.0]).max() < 2e-4  # the band: slope 1 for 1e-4 of 3 s, on each side


@pytest.mark.parametrize("solver", SOLVERS)
def test_errors_of_event_times_follow_the_tolerance(solver: str) -> None:
    """A decay reaches a half at ln 2, a fourth at 2 ln 2 ...: a hundredth of the tolerance, far less of the error."""

    class Halved(tg.Component):
        x = tg.variable(start=1.0, fixed=True)
        level = tg.variable(start=0.5, discrete=True)

        def equations(self):
            yield tg.der(self.x) == -self.x
            yield tg.when(self.x < tg.pre(self.level), self.level == tg.pre(self.level) / 2)

    exact = np.log(2.0) * np.arange(1, 9)
    errors = []
    for rtol in (1e-4, 1e-6, 1e-8):
        # ten times as long as needed: no step may be longer than a fiftieth of a run
        solution = tg.simulate(Halved(), 58.0, rtol=rtol, atol=rtol * 1e-4, solver=solver)
        errors.append(np.abs(np.array([event.time for event in solution.events[:8]]) - exact).max())
    assert errors[2] < 1e-6
    assert errors[1] < 0.2 * errors[0]
    assert errors[2] < 0.2 * errors[1]


def test_a_thousand_balls_bounce_at_once() -> None:
    class Ball(tg.Component):
        h = tg.variable("m", start=1.0, fixed=True)
        v = tg.variable("m/s", start=0.0, fixed=True)
        n = tg.integer()

        def equations(self):
            yield tg.der(self.h) == self.v
            yield tg.der(self.v) == -9.81
            yield tg.when(self.h < 0, tg.reinit(self.v, -0.8 * tg.pre(self.v)), self.n == tg.pre(self.n) + 1)

    system = tg.System("Balls")
    system.balls = Ball.array(1000)
    solution = tg.simulate(system, 3.0, rtol=1e-9)
    first = np.sqrt(2 / 9.81)
    exact = first + np.concatenate([[0.0], np.cumsum(2 * first * 0.8 ** np.arange(1, 6))])
    times = [event.time for event in solution.events]
    np.testing.assert_allclose(times, exact, atol=1e-8)
    assert (solution["balls.n"][-1] == 6).all()


def test_things_to_do_at_the_end() -> None:
    class Logger(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        last = tg.variable(start=-1.0, discrete=True)

        def equations(self):
            yield tg.der(self.x) == 1.0
            yield tg.when(tg.terminal(), self.last == self.x)

    solution = tg.simulate(Logger(), 2.0)
    assert solution["last"][-1] == pytest.approx(2.0)
    assert solution["last"][-2] == -1.0


def test_events_on_a_plot() -> None:
    figure = tg.simulate(Fast(), 0.1).plot("n", events=True)
    (marks,) = figure.axes[0].collections
    assert len(marks.get_segments()) == 5


@pytest.mark.parametrize("solver", ["auto", *SOLVERS])
def test_events_of_time_without_any_unknown(solver: str) -> None:
    """cos(t) becomes positive at 3 pi/2; at the start it is so already, which counts. It was lost without a word."""

    class Watch(tg.Component):
        n = tg.integer()

        def equations(self):
            yield tg.when(tg.cos(tg.time) > 0, self.n == tg.pre(self.n) + 1)

    solution = tg.simulate(Watch(), 6.0, solver=solver)
    assert solution["n"][-1] == 2
    assert solution.events[-1].time == pytest.approx(1.5 * np.pi, abs=1e-12)


class Clocked(tg.Component):
    """Follows an input that is sampled."""

    period = tg.parameter(1e-5, "s")
    x = tg.variable(start=0.0, fixed=True)
    u = tg.variable(discrete=True, start=1.0)

    def equations(self):
        yield 1e-6 * tg.der(self.x) == self.u - self.x
        yield tg.when(tg.sample(0.0, self.period), self.u == 1.0 - tg.pre(self.u))


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_event_that_lies_a_rounding_before_the_end(solver: str) -> None:
    """10*1e-6 is below 1e-5 by a rounding, and so is the second tick below the stop time."""
    s = shared_model(Clocked).simulate(2e-5, solver=solver, parameters={"period": 10 * 1e-6})
    assert s["x"][-1] == pytest.approx(1.0, abs=1e-4)


class Held(tg.Component):
    """At 3 while initial values are found, by whatever force that takes; from then on it falls back to rest."""

    x = tg.variable(state="always")
    y = tg.variable()
    force = tg.variable()

    def equations(self):
        yield tg.der(self.x) == self.force - self.x
        yield self.y == 2 * self.x
        yield tg.where(tg.initial(), self.x - 3.0, self.force) == 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_equation_that_is_another_one_initially(solver: str) -> None:
    s = shared_model(Held).simulate(2.0, solver=solver, initial="steady")
    np.testing.assert_allclose(s["y"], 6.0 * np.exp(-s.time), rtol=1e-4)
    np.testing.assert_allclose(s["force"], 0.0, atol=1e-9)

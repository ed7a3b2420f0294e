"""Instants that are known in advance: hit once each, wherever they lie, and delays that are what was."""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks, sampled

SOLVERS = ("rk45", "cvode", "ida")


class Ticks(tg.Component):
    """Counts."""

    T = tg.parameter(0.1, "s")
    n = tg.integer()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == 1.0
        yield tg.when(tg.sample(0.0, self.T), self.n == tg.pre(self.n) + 1)


@pytest.fixture(scope="module")
def ticks() -> Any:
    return tg.compile(Ticks())


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("T", [0.1, 0.01, 1e-3])
def test_the_tick_at_the_stop_time_counts(ticks: Any, T: float, solver: str) -> None:
    """k T may lie behind the stop by a rounding: a third of these stops did."""
    for k in range(1, 60, 2):
        solution = ticks.simulate(round(k * T, 6), points=2, parameters={"T": T}, solver=solver)
        assert solution["n"][-1] == k + 1


@pytest.mark.parametrize(("start", "T"), [(86400.0, 1e-4), (86400.0, 1e-3), (60.0, 1e-6), (3600.0, 1e-4)])
def test_a_run_that_starts_at_a_tick(ticks: Any, start: float, T: float) -> None:
    """It counts once, however many periods have gone by."""
    for k in range(100):
        begin = start + k * T
        assert ticks.simulate(begin + 2.5 * T, start=begin, points=2, parameters={"T": T})["n"][-1] == 3


@pytest.mark.parametrize("offset", [-0.3, -0.7, -100.0, -1000.3])
def test_clocks_with_negative_offsets_tick_with_others(offset: float) -> None:
    class Two(tg.Component):
        n, m, both = tg.integer(), tg.integer(), tg.integer()
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == 1.0
            yield tg.when(tg.sample(offset, 0.1), self.n == tg.pre(self.n) + 1)
            new = tg.where(self.n != tg.pre(self.n), 1, 0)
            yield tg.when(tg.sample(0.0, 0.1), self.m == tg.pre(self.m) + 1, self.both == tg.pre(self.both) + new)

    solution = tg.simulate(Two(), 1.0, points=2)
    assert [solution[name][-1] for name in ("n", "m", "both")] == [11, 11, 11]


@pytest.mark.parametrize("solver", SOLVERS)
def test_instants_before_time_zero(solver: str) -> None:
    class Early(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        step = blocks.Step(start_time=-0.5)
        pulse = blocks.Pulse(start_time=-1.0, period=0.25, width=0.5)
        z = tg.variable(start=0.0, fixed=True)
        n = tg.integer()

        def equations(self) -> Any:
            yield tg.der(self.x) == tg.where(tg.time > -0.5, 1.0, 0.0) + self.step.y
            yield tg.der(self.z) == self.pulse.y
            yield tg.when(tg.time > -0.25, self.n == 1)

    solution = tg.simulate(Early(), 0.5, start=-1.0, solver=solver)
    assert solution["x"][-1] == pytest.approx(2.0, abs=1e-6)
    assert solution["z"][-1] == pytest.approx(0.75, abs=1e-6)
    assert solution["n"][-1] == 1


def test_pulse_width_modulation_before_time_zero() -> None:
    class Chopped(tg.Component):
        pwm = sampled.PWM(clock=tg.Clock(0.1, offset=-1))
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield self.pwm.duty == 0.3
            yield tg.der(self.x) == self.pwm.y

    solution = tg.simulate(Chopped(), 1.0, start=-1.0)
    assert solution["x"][-1] == pytest.approx(0.3 * 2.0 * np.max(solution["pwm.y"]), rel=1e-6)


def test_values_at_a_tick_are_those_behind_it(ticks: Any) -> None:
    """0.3 is a tick, though three times a tenth is a little more."""
    solution = ticks.simulate(1.05)
    assert solution.at(np.arange(1, 11) / 10)["n"].tolist() == list(range(2, 12))
    assert [solution.at(k / 10)["n"] for k in (3, 6, 7)] == [4, 7, 8]


def test_a_fast_clock_far_from_the_stop_is_no_chattering() -> None:
    class Fast(Ticks):
        def equations(self) -> Any:
            yield tg.when(self.n >= 200, tg.terminate("enough"))

    solution = tg.simulate(Fast(T=1e-6), 1e5)
    assert "enough" in solution.outcome.message
    assert solution["n"][-1] == 200


def test_a_period_that_events_change_is_refused() -> None:
    class Slower(tg.Component):
        T = tg.variable("s", discrete=True, start=0.1)
        n = tg.integer()

        def equations(self) -> Any:
            yield tg.when(tg.time > 1.0, self.T == 0.2)
            yield tg.when(tg.sample(0.0, self.T), self.n == tg.pre(self.n) + 1)

    with pytest.raises(tg.StructureError, match="E291") as caught:
        tg.compile(Slower())
    assert "test_instants.py" in str(caught.value)


def test_events_without_rest_in_a_model_without_states() -> None:
    """Two sampled blocks in a loop that runs away from the sixth tick on: an outcome, not a crash."""

    class Gain(sampled.SampledSISO):
        def equations(self) -> Any:
            yield tg.when(self.clock.tick, self.y == tg.where(tg.time > 0.0055, -3.0, 0.3) * self.u + 1.0)

    class Same(sampled.SampledSISO):
        def equations(self) -> Any:
            yield tg.when(self.clock.tick, self.y == self.u)

    class Loop(tg.Component):
        a, b = Gain(), Same()

        def connections(self) -> Any:
            yield self.a.y, self.b.u
            yield self.b.y, self.a.u

    outcome = tg.simulate(Loop(), 0.01, throw=False).outcome
    assert outcome.code == "event"
    assert outcome.time == pytest.approx(0.006)


# -- delays -----------------------------------------------------------------------------------------------------------
def test_the_delay_of_a_whole_number_is_one() -> None:
    class Held(tg.Component):
        k, z = tg.integer(), tg.integer()
        late = tg.variable()
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == 1.0
            yield tg.when(tg.sample(0.0, 0.1), self.k == tg.pre(self.k) + 1)
            yield self.late == tg.delay(self.k, 0.35)
            yield tg.when(tg.sample(0.05, 0.1), self.z == tg.floor(self.late))

    times: Any = np.arange(29) * 0.1 + 0.07
    found = tg.simulate(Held(), 3.0, points=2).at(times)["z"]
    assert found.tolist() == [1, 1, 1, 1, *range(2, 27)]


@pytest.mark.parametrize("start", [-3.3, 0.0, 1e6, 1e8])
def test_delays_far_from_time_zero(start: float) -> None:
    """der(x) = -x(t - 1) by the method of steps; the rounding of time at 1e8 s is 1.5e-8 s."""

    class Late(tg.Component):
        x = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == -tg.delay(self.x, 1.0)

    solution = tg.simulate(Late(), start + 3.0, start=start, rtol=1e-8)
    t = solution.time - start
    exact = 1.0 + sum((-1.0) ** k * np.maximum(t - (k - 1), 0.0) ** k / factorial(k) for k in range(1, 9))
    np.testing.assert_allclose(solution["x"], exact, atol=1e-9 + 4.0 * np.spacing(abs(start)))


# -- runs that are over at once ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("solved", [False, True])
def test_a_terminate_that_is_due_at_the_start(solver: str, solved: bool) -> None:
    """Whether start values are given or solved for."""

    class Over(tg.Component):
        x = tg.variable(start=None if solved else 1.0, fixed=not solved)
        y = tg.variable(start=2.0, fixed=solved)

        def equations(self) -> Any:
            yield tg.der(self.x) == -1.0
            yield self.y == 2.0 * self.x
            yield tg.when(self.x > 0.5, tg.terminate("too much")).elsewhen(self.x < 0.1, tg.terminate("too little"))

    solution = tg.simulate(Over(), 2.0, solver=solver)
    assert solution.outcome.message == "terminated: too much"
    assert solution.time[-1] == 0.0


def test_an_assertion_at_an_event_gets_no_advice_on_conditions() -> None:
    class Fuse(tg.Component):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == 1.0
            yield tg.when(self.x > 0.5, tg.assert_(self.x < 0.1, "the fuse has blown"))  # noqa: PT009

    outcome = tg.simulate(Fuse(), 1.0, throw=False).outcome
    assert (outcome.code, outcome.message) == ("assertion", "the fuse has blown")
    assert "hysteresis" not in outcome.advice


class Teeth(tg.Component):
    """Integer-valued functions of time over a period, and a count of the periods begun."""

    T = tg.parameter(1.0, "s")
    a = tg.variable()
    b = tg.variable()
    c = tg.variable("s")
    n = tg.integer()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == 1.0
        yield self.a == tg.floor(tg.time / self.T)
        yield self.b == tg.ceil(tg.time / self.T)
        yield self.c == tg.time % self.T
        yield tg.when(tg.time % self.T < 0.25 * self.T, self.n == tg.pre(self.n) + 1)


@pytest.fixture(scope="module")
def teeth() -> Any:
    return tg.compile(Teeth())


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_period_that_is_a_parameter_gives_instants_known_in_advance(teeth: Any, solver: str) -> None:
    """At the stop after k periods the k-th has ended, to the last digit: instants are not found by a search."""
    rng = np.random.default_rng(22)
    for T in (1.0, 0.1, 1 / 3, *10.0 ** rng.uniform(-4, 4, 5)):
        k = int(rng.integers(1, 40))
        solution = teeth.simulate(k * T, points=3, parameters={"T": T}, solver=solver)
        assert [solution[name][-1] for name in ("a", "n")] == [k, k + 1]
        assert solution["b"][-1] in (k, k + 1)  # at the integer itself, or just after it
        assert solution["c"][-1] == pytest.approx(0.0, abs=1e-12 * k * T)
        begun = np.array([event.time for event in solution.events if "n" in str(event)]) / T
        assert begun == pytest.approx(np.arange(1, k + 1), abs=1e-13 * k)  # the first one is not an event of the run


@pytest.mark.parametrize("begin", [1e9, -1e12, 1e12, 1e15])
def test_a_clock_too_coarse_for_the_run(begin: float) -> None:
    class Lag(tg.Component):
        x = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == -self.x

    def run() -> float:
        return tg.simulate(Lag(), begin + 4.0, start=begin, points=5)["x"][-1]

    if abs(begin) == 1e9:
        assert run() == pytest.approx(np.exp(-4.0), rel=1e-5)
    elif abs(begin) == 1e12:
        with pytest.warns(UserWarning, match="count time from the start of the run"):
            run()
    else:
        with pytest.raises(tg.LanguageError, match="only 32 different times"):
            run()


class TickInAnEquation(tg.Component):
    """A sample as a number: between events, where the equation holds too, it is never true."""

    y = tg.variable()
    x = tg.variable(start=0.0)

    def equations(self) -> Any:
        yield self.y == tg.where(tg.sample(0.1, 0.2), 1.0, 0.0)
        yield tg.der(self.x) == self.y


def test_a_sample_in_an_equation_of_numbers_is_rejected() -> None:
    with pytest.raises(tg.StructureError, match=r"E291: tg.sample stands in an equation of numbers"):
        tg.simulate(TickInAnEquation(), 1.0)

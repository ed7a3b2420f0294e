"""Cases in which events went wrong once: data flow of one instant, ticks near other events, discrete starts."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model


def test_data_flow_of_one_instant_passes_through_equations() -> None:
    """a ticks, e == a - x follows by an equation, b reads e at the same tick: it must see the new a."""

    class Chain(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        a = tg.variable(start=0.0, discrete=True)
        e = tg.variable()
        b = tg.variable(start=0.0, discrete=True)

        def equations(self):
            yield tg.der(self.x) == 1.0
            yield self.e == self.a - self.x
            yield tg.when(tg.sample(0.1, 0.1), self.a == tg.pre(self.a) + 1)
            yield tg.when(tg.sample(0.1, 0.1), self.b == self.e)

    solution = tg.simulate(Chain(), 0.35)
    np.testing.assert_allclose(solution.at([0.15, 0.25])["b"], [0.9, 1.8], atol=1e-9)


def test_a_tick_sees_a_step_of_its_instant() -> None:
    class Stepped(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        u = tg.variable()
        y = tg.variable(start=0.0, discrete=True)

        def equations(self):
            yield tg.der(self.x) == 1.0
            yield self.u == tg.where(tg.time < 0.2, 0.0, 1.0)
            yield tg.when(tg.sample(0.0, 0.1), self.y == self.u)

    np.testing.assert_allclose(tg.simulate(Stepped(), 0.35).at([0.15, 0.25])["y"], [0.0, 1.0])


def test_a_loop_of_assignments_is_solved_or_refused() -> None:
    """a == b/2 + 1 and b == a/2 at one instant: a = 4/3, or an error that names the loop; never another number."""

    class Loop(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        a = tg.variable(start=0.0, discrete=True)
        b = tg.variable(start=0.0, discrete=True)

        def equations(self):
            yield tg.der(self.x) == 1.0
            yield tg.when(tg.sample(0.1, 0.1), self.a == 0.5 * self.b + 1, self.b == 0.5 * self.a)

    try:
        solution = tg.simulate(Loop(), 0.15)
    except tg.TellegenError:
        return
    assert solution["a"][-1] == pytest.approx(4 / 3)


def test_an_event_shortly_before_a_tick_does_not_double_it() -> None:
    class Late(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        n = tg.integer()

        def equations(self):
            yield tg.der(self.x) == tg.where(tg.time > 1000.0049995, 1.0, 0.0)
            yield tg.when(tg.sample(0.0, 1e-3), self.n == tg.pre(self.n) + 1)

    assert tg.simulate(Late(), 1000.0101, start=1000.0)["n"][-1] == 11


def test_a_discrete_variable_starts_from_a_parameter() -> None:
    class Store(tg.Component):
        x0 = tg.parameter(3.0)
        x = tg.variable(discrete=True, start=x0)

        def equations(self):
            yield tg.when(tg.sample(0.1, 0.1), self.x == tg.pre(self.x) + 1)

    np.testing.assert_allclose(tg.simulate(Store(x0=4.0), 0.25)["x"][[0, -1]], [4.0, 6.0])


def test_initial_of_a_discrete_variable() -> None:
    class Store(tg.Component):
        x = tg.variable(discrete=True, start=3.0)

        def equations(self):
            yield tg.when(tg.sample(0.1, 0.1), self.x == tg.pre(self.x) + 1)

    assert tg.simulate(Store(), 0.25, initial={"x": 4.0})["x"][-1] == 6.0


def test_a_period_of_zero_is_refused() -> None:
    class Hold(tg.Component):
        period = tg.parameter(0.0, "s")
        n = tg.integer()

        def equations(self):
            yield tg.when(tg.sample(0.0, self.period), self.n == tg.pre(self.n) + 1)

    with pytest.raises(tg.TellegenError, match="a positive period"):
        tg.simulate(Hold(), 1.0)


def test_an_event_shortly_after_a_tick_does_not_double_it() -> None:
    """The tick at 0.1 s lets x rise through 1 within a picosecond: a second event, but not a second tick."""

    class After(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        n = tg.integer()
        up = tg.boolean()

        def equations(self):
            yield tg.der(self.x) == tg.where(self.up, 0.0, tg.where(self.n > 0, 1e12, 0.0))
            yield tg.when(tg.sample(0.1, 0.1), self.n == tg.pre(self.n) + 1)
            yield tg.when(self.x > 1.0, self.up == True)  # noqa: E712

    solution = tg.simulate(After(), 0.15)
    assert solution["n"][-1] == 1
    assert solution["x"][-1] == pytest.approx(1.0, abs=0.01)


def test_relations_that_stay_at_zero_are_no_news(capfd: pytest.CaptureFixture[str]) -> None:
    class Idle(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        side = tg.integer()

        def equations(self):
            yield tg.der(self.x) == 1.0
            yield tg.when(self.side * self.x < 0, self.side == 0).elsewhen(self.x > 0.5, self.side == 1)

    tg.simulate(Idle(), 1.0)
    captured = capfd.readouterr()
    assert captured.out + captured.err == ""


class Steps(tg.Component):
    """Whole-number functions of a state: in a discrete equation, in a continuous one, and the sign."""

    x = tg.variable(start=0.0, fixed=True)
    n = tg.integer()
    up = tg.integer()
    area = tg.variable(start=0.0, fixed=True)
    side = tg.variable()

    def equations(self):
        yield tg.der(self.x) == 1.0
        yield self.n == tg.floor(3 * self.x)
        yield self.up == tg.ceil(3 * self.x)
        yield tg.der(self.area) == tg.floor(4 * self.x)
        yield self.side == tg.sign(self.x - 0.5)


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_whole_number_functions_of_unknowns_make_events(solver: str) -> None:
    """Once `n == floor(3 x)` stayed 0 without a word. The area under the steps is (0 + 1 + 2 + 3)/4 + 0.05*4."""
    solution = shared_model(Steps).simulate(1.05, solver=solver, rtol=1e-8)
    assert solution["n"][-1] == 3
    assert solution["up"][-1] == 4
    assert solution["area"][-1] == pytest.approx(1.5 + 0.2, abs=1e-8)
    np.testing.assert_array_equal(solution.at([0.1, 0.9])["side"], [-1.0, 1.0])
    middle = (np.arange(3) + 0.5) / 3
    np.testing.assert_array_equal(solution.at(middle)["n"], [0, 1, 2])


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_a_saw_tooth_of_time_is_hit_exactly(solver: str) -> None:
    """A hundred teeth of 1 ms: their corners are known in advance, so the integral is exact but for roundings."""

    class Saw(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        k = tg.integer()

        def equations(self):
            yield tg.der(self.x) == tg.time % 1e-3
            yield self.k == tg.floor(tg.time / 1e-3)

    solution = tg.simulate(Saw(), 0.1005, solver=solver, rtol=1e-8, atol=1e-15)
    assert solution["x"][-1] == pytest.approx(100 * 0.5e-6 + 0.5 * 0.5e-3**2, rel=1e-6)
    np.testing.assert_array_equal(solution.at([(k + 0.5) * 1e-3 for k in range(100)])["k"], np.arange(100))


def test_a_loop_of_assignments_that_grows_is_refused() -> None:
    """a == 3 b + 1 and b == 3 a: the iteration grows to infinity, which is equal to itself and no answer."""

    class Loop(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        a = tg.variable(start=0.0, discrete=True)
        b = tg.variable(start=0.0, discrete=True)

        def equations(self):
            yield tg.der(self.x) == 1.0
            yield tg.when(tg.sample(0.1, 0.1), self.a == 3.0 * self.b + 1, self.b == 3.0 * self.a)

    with pytest.raises(tg.NumericError, match="not finite"):
        tg.simulate(Loop(), 0.15)


@pytest.mark.parametrize("solver", ["ida", "cvode", "rk45"])
def test_unknowns_that_read_pre_follow_it_in_the_same_instant(solver: str) -> None:
    """A latch: once y was true, pre(b) keeps it so."""

    class Latch(tg.Component):
        b = tg.boolean()
        x = tg.variable(start=0.0, fixed=True)
        y = tg.variable()
        z = tg.variable()

        def equations(self):
            yield self.b == (self.y > 0.5)
            yield self.z == tg.where(tg.pre(self.b), 1.0, 0.0)
            yield self.y == tg.where(((tg.time > 1.0) & (tg.time < 1.5)) | (self.z > 0.5), 1.0, 0.0)
            yield tg.der(self.x) == self.y

    run = tg.simulate(Latch(), 2.0, solver=solver, throw=False)
    assert run.outcome.code == "success"
    assert [run[name][np.flatnonzero(run.time == 1.0)[-1]] for name in "byz"] == [1.0, 1.0, 1.0]
    assert run["x"][-1] == pytest.approx(1.0, abs=1e-6)

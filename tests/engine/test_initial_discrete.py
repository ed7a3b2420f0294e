"""Initial values of discrete variables; the initial instant as Modelica has it (MLS 8.6): equations, then events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from modelica_start import as_in_modelica
from tellegen.ir.show.reduced_model import show_reduced
from tellegen.stages import reduce_model

every_solver = pytest.mark.parametrize("solver", ["rk45", "ida"])


class Counters(tg.Component):
    """x falls from 1 to exp(-1): below 0.5 from ln 2 = 0.693 on."""

    x = tg.variable(start=1.0, fixed=True)
    held = tg.integer()
    begun = tg.integer()
    ticks = tg.integer()
    edges = tg.integer()

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == -self.x
        yield tg.when(self.x > 0, self.held == tg.pre(self.held) + 1)
        yield tg.when(tg.initial(), self.begun == 5).elsewhen(self.x < 0.5, self.begun == tg.pre(self.begun) + 1)
        yield tg.when(tg.sample(0.0, 0.4), self.ticks == tg.pre(self.ticks) + 1)
        once_more = self.edges == tg.pre(self.edges) + 1  # when {x < 0.9, x < 0.5}: each element has its own edge
        yield tg.when(self.x < 0.9, once_more).elsewhen(self.x < 0.5, once_more)


@every_solver
def test_whens_are_not_active_in_initialization(solver: str) -> None:
    solution = tg.simulate(as_in_modelica(Counters()), 1.0, solver=solver)
    last = {name: int(solution[name][-1]) for name in ("held", "begun", "ticks", "edges")}
    assert last == {"held": 0, "begun": 6, "ticks": 3, "edges": 2}
    assert solution["ticks"][:2].tolist() == [0, 1]  # the first tick comes after initialization
    assert solution.time[:2].tolist() == [0.0, 0.0]


def test_conditions_that_hold_initially_count_otherwise() -> None:
    solution = tg.simulate(Counters(), 1.0)
    assert (solution["held"] == 1).all()
    assert solution["ticks"][0] == 1


class Given(tg.Component):
    """Initial equations of discrete variables: of pre(), of a variable, and of one that an equation gives a value."""

    u = tg.variable(start=3.0)
    n = tg.integer(start=1)
    r = tg.variable(discrete=True)
    on = tg.boolean()
    active = tg.boolean()
    following = tg.boolean()
    late = tg.integer()

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.u) == 2.0 - self.u
        yield tg.when(self.u < -1.0, self.n == 0, self.r == 0.0)
        yield self.on == (tg.pre(self.on) & (self.u > 1.0)) | (self.u > 5.0)  # a hysteresis
        yield self.active == tg.pre(self.following)
        yield self.following == (tg.pre(self.following) & ~(tg.time > 0.5))
        yield tg.when(~self.active, self.late == 7)

    def initial_equations(self) -> Iterator[Any]:
        yield tg.der(self.u) == 0
        yield tg.pre(self.n) == tg.floor(2.6 * self.u)  # 2 * 2.6
        yield self.u * 10 == self.r
        yield tg.pre(self.on) == True  # noqa: E712
        yield self.active == True  # noqa: E712


@every_solver
@pytest.mark.parametrize("events_at_start", [True, False])
def test_initial_equations_of_discrete_variables(solver: str, events_at_start: bool) -> None:
    model = as_in_modelica(Given(), events_at_start)
    solution = tg.simulate(model, 1.0, solver=solver)
    assert solution["u"][0] == pytest.approx(2.0, abs=1e-12)
    assert (solution["n"] == 5).all()
    assert solution["r"] == pytest.approx(np.full(len(solution.time), 20.0), abs=1e-9)  # iterated with u
    assert (solution["on"] == 1).all()
    assert solution["active"][0] == 1
    assert solution["following"][0] == 1
    assert solution["active"][-1] == 0
    assert solution["late"][0] == 0
    assert solution["late"][-1] == 7


def test_initial_values_of_discrete_variables_are_shown() -> None:
    lines = show_reduced(reduce_model(Given())).splitlines()
    shown = [line.strip() for line in lines if line.strip().startswith("initially")]
    assert "initially pre(following) := True" in shown
    assert "initially n := floor(2.6*u)" in shown
    assert "initially pre(n) := floor(2.6*u)" in shown


class After(tg.Component):
    """In initialization `second` is pre(first) = false; in the iteration after it both are true."""

    x = tg.variable(start=1.0, fixed=True)
    first = tg.boolean()
    second = tg.boolean()
    n = tg.integer()
    m = tg.integer()

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == 0.0
        yield self.first == (self.x > 0.5)
        yield self.second == tg.pre(self.first)
        yield tg.when(self.second, self.n == tg.pre(self.n) + 1)
        yield tg.when(self.first, self.m == tg.pre(self.m) + 1)


def test_pre_moves_after_initialization_and_sets_off_events() -> None:
    solution = tg.simulate(as_in_modelica(After()), 1.0)
    assert (solution["n"][-1], solution["m"][-1]) == (1, 0)
    assert solution["second"][[0, -1]].tolist() == [0, 1]


@every_solver
def test_reinit_in_when_initial(solver: str) -> None:
    class Put(tg.Component):
        x = tg.variable(start=1.0)
        y = tg.variable()

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == -1.0
            yield self.y == 2 * self.x
            yield tg.when(tg.initial(), tg.reinit(self.x, 4.0))

    solution = tg.simulate(as_in_modelica(Put()), 1.0, solver=solver)
    assert solution["x"][[0, -1]] == pytest.approx([4.0, 3.0], abs=1e-9)
    assert solution["y"][0] == pytest.approx(8.0, abs=1e-12)


class Determined(tg.Component):
    """Parameters that initialization determines: k from der(x) = -6, the others by assignments."""

    x = tg.variable(start=2.0, fixed=True)
    k = tg.parameter(1.0, "1/s", "found from the initial rate", fixed=False)
    offset = tg.parameter(fixed=False)
    twice = tg.parameter(fixed=False)
    above = tg.parameter(fixed=False)
    n = tg.integer()
    y = tg.variable()

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == -self.k * self.x
        yield tg.when(tg.sample(self.offset, 0.5), self.n == tg.pre(self.n) + 1)
        yield self.y == tg.where(tg.time > self.twice, 1.0, 0.0) + self.above

    def initial_equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == -6.0
        yield self.twice == 2 * self.offset
        yield self.offset == tg.time + 0.25
        yield self.above == (self.x > 1.5)


@every_solver
@pytest.mark.parametrize("events_at_start", [True, False])
def test_parameters_that_initialization_determines(solver: str, events_at_start: bool) -> None:
    model = as_in_modelica(Determined(), events_at_start)
    solution = tg.simulate(model, 1.0, solver=solver, rtol=1e-8)
    assert solution["k"] == pytest.approx(np.full(len(solution.time), 3.0), rel=1e-9)
    assert solution["x"][-1] == pytest.approx(2 * np.exp(-3.0), rel=1e-6)
    assert (solution["offset"] == 0.25).all()
    assert (solution["twice"] == 0.5).all()
    assert (solution["above"] == 1).all()
    assert [event.time for event in solution.events if "sample" in str(event)] == [0.25, 0.75]
    before = solution.time < 0.5
    assert (solution["y"][before] == 1.0).all()
    assert solution["y"][-1] == 2.0


class Driven(tg.Component):
    """x' = q - k x from x = 2 with k = a, from the initial rate, and q = a^2: x = a + (2 - a) exp(-a t)."""

    x = tg.variable(start=2.0, fixed=True)
    a = tg.parameter(3.0)
    k = tg.parameter(1.0, fixed=False)
    q = tg.parameter(fixed=False)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.q - self.k * self.x

    def initial_equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.q - 2 * self.a
        yield self.q == self.a**2


def test_sensitivities_pass_through_parameters_that_initialization_determines() -> None:
    found = tg.sensitivity(Driven(), 1.0, wrt=["a"], rtol=1e-8)
    time = found.solution.time
    decay = np.exp(-3.0 * time)
    assert found.solution["x"] == pytest.approx(3.0 - decay, rel=1e-6)
    assert found["x", "a"] == pytest.approx(1.0 - decay + time * decay, abs=1e-6)
    assert found["k", "a"] == pytest.approx(np.ones(len(time)), abs=1e-9)
    assert found["q", "a"] == pytest.approx(np.full(len(time), 6.0), abs=1e-9)


def test_gradients_of_such_models_are_not_followed_backwards() -> None:
    """x(1) = a + (2 - a) exp(-a): at a = 3 the derivative is 1."""
    found = tg.gradient(Driven(), 1.0, of=tg.final("x"), wrt=["a"], rtol=1e-8)
    assert found.matrix == pytest.approx(np.ones((1, 1)), abs=1e-6)
    with pytest.raises(tg.TellegenError, match="initial equations determine"):
        tg.gradient(Driven(), 1.0, of=tg.final("x"), wrt=["a"], method="adjoint")


def test_rows_of_discrete_equations_are_matched_one_by_one() -> None:
    """a == b gives a[0] from b[0], and b[1] from a[1]."""

    class Rows(tg.Component):
        a = tg.boolean(shape=2)
        b = tg.boolean(shape=2)
        x = tg.variable(start=1.0)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == -self.x
            yield self.a == self.b
            yield self.b[0] == (self.x < 0.5)
            yield self.a[1] == (self.x < 0.7)

    solution = tg.simulate(Rows(), 1.0)
    for name in ("a", "b"):
        rises = [float(solution.time[np.argmax(column > 0.5)]) for column in solution[name].T]
        assert rises == pytest.approx([np.log(2.0), -np.log(0.7)], rel=1e-6)


def test_equality_below_no_event() -> None:
    class Guarded(tg.Component):
        x = tg.variable(start=1.0)
        y = tg.variable()

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == 0.0
            yield self.y == tg.where(tg.no_event(self.x == 1.0), 5.0, 1 / (self.x - 1.0))

    assert (tg.simulate(Guarded(), 1.0)["y"] == 5.0).all()

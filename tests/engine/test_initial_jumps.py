"""reinit in the initial instant: states jump from the initial values, whatever those were solved from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg

SOLVERS = ("auto", "rk45", "cvode", "ida")
every_solver = pytest.mark.parametrize("solver", SOLVERS)


class Falling(tg.Component):
    """x falls with speed 1; it begins above the limit and is put to 5: x(2) = 3."""

    x = tg.variable(start=1.0, fixed=True)
    n = tg.integer()

    def equations(self):
        yield tg.der(self.x) == -1.0
        yield tg.when(self.x > 0.5, tg.reinit(self.x, 5.0), self.n == tg.pre(self.n) + 1)


class SolvedFor(Falling):
    """The initial value of the state follows from another unknown: x = 1."""

    x = tg.variable(start=0.3)
    y = tg.variable(start=2.0, fixed=True)

    def equations(self):
        yield self.y == 2 * self.x


class InitialEquation(Falling):
    """The same from an initial equation."""

    x = tg.variable(start=0.3)

    def initial_equations(self):
        yield self.x**3 == 1.0


class ReadsInitial(Falling):
    """An equation is another one in the initial instant."""

    z = tg.variable()

    def equations(self):
        yield self.z == tg.where(tg.initial(), 7.0, self.x)


class Sampled(Falling):
    """With another when-statement of the same instant, which samples the state that jumps."""

    e = tg.variable(discrete=True)

    def equations(self):
        yield tg.when(tg.initial(), self.e == self.x + 10)


@every_solver
@pytest.mark.parametrize("model", [Falling, SolvedFor, InitialEquation, ReadsInitial, Sampled])
def test_a_reinit_of_the_initial_instant_is_kept(model: type[Falling], solver: str) -> None:
    solution = tg.simulate(model(), 2.0, solver=solver)
    assert solution["x"][0] == 5.0
    assert solution["x"][-1] == pytest.approx(3.0, abs=1e-9)  # exact but for roundings: the slope is constant
    assert (solution["n"] == 1).all()
    if model is SolvedFor:
        assert solution["y"][0] == pytest.approx(10.0, abs=1e-12)
    if model is ReadsInitial:
        assert solution["z"][0] == pytest.approx(5.0, abs=1e-12)
    if model is Sampled:
        assert (solution["e"] == 15.0).all()


@every_solver
@pytest.mark.parametrize("condition", [tg.initial, lambda: tg.sample(0.0, 10.0), lambda: tg.time >= 0.0])
def test_conditions_that_belong_to_the_instant_itself(condition: Any, solver: str) -> None:
    class Put(tg.Component):
        x = tg.variable(start=0.3)
        y = tg.variable(start=2.0, fixed=True)

        def equations(self):
            yield tg.der(self.x) == -1.0
            yield self.y == 2 * self.x
            yield tg.when(condition(), tg.reinit(self.x, 4 + tg.pre(self.x)))

    solution = tg.simulate(Put(), 2.0, solver=solver)
    assert solution["x"][0] == pytest.approx(5.0, abs=1e-12)
    assert solution["x"][-1] == pytest.approx(3.0, abs=1e-9)


@every_solver
def test_a_jump_sets_off_what_hangs_on_it(solver: str) -> None:
    """x jumps to 5, so y = 10 passes 8 in the same instant, and v turns round."""

    class Chain(SolvedFor):
        v = tg.variable(start=2.0, fixed=True)
        m = tg.integer()

        def equations(self):
            yield tg.der(self.v) == 0.0
            yield tg.when(self.y > 8.0, tg.reinit(self.v, -tg.pre(self.v)), self.m == self.n + 10)

    solution = tg.simulate(Chain(), 2.0, solver=solver)
    assert (solution["x"][0], solution["v"][0]) == (5.0, -2.0)
    assert (solution["n"][-1], solution["m"][-1], solution["v"][-1]) == (1, 11, -2.0)


class Steady(tg.Component):
    """x rests at 3 for k = 1, and at 0.6, on the other branch, for the k of a when-statement; z jumps meanwhile."""

    k = tg.variable(start=1.0, discrete=True)
    x = tg.variable(start=1.0)
    z = tg.variable(start=0.2)

    def equations(self):
        yield tg.der(self.x) == 3.0 - tg.where(self.x > 1.0, self.k, self.k + 1.0) * self.x
        yield tg.der(self.z) == -(self.z - 0.1)
        yield tg.when(tg.initial(), self.k == 4.0)
        yield tg.when(self.z < 0.15, tg.reinit(self.z, 1.1))


@every_solver
def test_states_jump_from_initial_values_that_agree_with_the_discrete_ones(solver: str) -> None:
    solution = tg.simulate(Steady(), 1.0, solver=solver, initial="steady")
    assert solution["x"] == pytest.approx(0.6, abs=1e-9)
    assert solution["z"][0] == 1.1
    assert solution["z"][-1] == pytest.approx(0.1 + np.exp(-1.0), rel=1e-4)  # the tolerance of a run


def test_a_steady_state_is_not_left_by_a_reinit() -> None:
    assert tg.steady_state(Steady())["z"] == pytest.approx(0.1, abs=1e-12)


@every_solver
def test_a_condition_that_holds_only_on_the_way_puts_nothing(solver: str) -> None:
    """x rests at 3 / k: above 0.5 for the start value of k, and below it for the value that k gets."""

    class OnTheWay(tg.Component):
        k = tg.variable(start=1.0, discrete=True)
        x = tg.variable(start=1.0)
        n = tg.integer()

        def equations(self):
            yield tg.der(self.x) == 3.0 - self.k * self.x
            yield tg.when(tg.initial(), self.k == 10.0)
            yield tg.when(self.x > 0.5, tg.reinit(self.x, 5.0), self.n == tg.pre(self.n) + 1)

    solution = tg.simulate(OnTheWay(), 1.0, solver=solver, initial="steady")
    assert solution["x"] == pytest.approx(0.3, abs=1e-9)
    assert (solution["n"] == 0).all()


@every_solver
def test_a_jump_to_where_nothing_is_consistent_is_told(solver: str) -> None:
    class Circle(tg.Component):
        x = tg.variable(start=0.3)
        y = tg.variable(start=0.8, fixed=True)

        def equations(self):
            yield tg.der(self.x) == -self.x
            yield self.x**2 + self.y**2 == 1.0
            yield tg.when(self.x > 0.5, tg.reinit(self.x, 2.0))

    with pytest.raises(tg.TellegenError, match=r"E305.*no consistent values were found after the event"):
        tg.simulate(Circle(), 1.0, solver=solver)


class Decaying(tg.Component):
    """x jumps from x0 to k, then decays: x(1) = k / e."""

    k = tg.parameter(5.0)
    x0 = tg.parameter(1.0)
    x = tg.variable(start=x0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == -self.x
        yield tg.when(self.x > 0.5, tg.reinit(self.x, self.k))


class DecayingSolvedFor(Decaying):
    """The same from an initial value that is solved for."""

    x = tg.variable(start=0.3)
    y = tg.variable(start=2.0, fixed=True)

    def equations(self):
        yield self.y == 2 * self.x


@pytest.mark.parametrize("method", ["forward", "adjoint"])
@pytest.mark.parametrize(("model", "k"), [(Decaying, 5.0), (Decaying, 0.1), (DecayingSolvedFor, 5.0)])
def test_gradients_know_the_jump(model: type[Decaying], k: float, method: str) -> None:
    """Also from states that were solved for, and where the condition no longer holds after the jump."""
    final = tg.final("x")
    found = tg.gradient(model(k=k), 1.0, of=final, wrt=["k", "x0"], method=method, rtol=1e-8)
    assert found[final, "k"] == pytest.approx(np.exp(-1.0), rel=1e-5)
    assert found[final, "x0"] == pytest.approx(0.0, abs=1e-12)

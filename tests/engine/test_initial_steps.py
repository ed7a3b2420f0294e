"""Initial values by native steps: the numbers of the iteration in Python, for random systems and at events."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.engine.initialization.initial_blocks import Shape, shapes
from tellegen.engine.initialization.initial_solver import InitialSolver
from tellegen.engine.initialization.initial_steps import pivot_key
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import initial_system, initialize
from tellegen.engine.initialization.steady.steady_values import steady_system
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import choose_pivots
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector, starts
from tellegen.errors import InternalError
from tellegen.ir.initial import InitialOrder
from tellegen.ir.program import Pattern

NEWTON = 1e-9
"""Relative; the tolerance of both iterations, after which they add one more correction."""


def solver_of(compiled: Any, steady: bool = False) -> InitialSolver:
    """The initial system of a model as declared."""
    p = parameter_vector(compiled, None)
    system = steady_system if steady else initial_system
    return system(compiled, Point(0.0, p), starts(compiled, p, None))[1]


def random_model(seed: int) -> tg.Component:
    """States, and chains of loops in algebraic unknowns, with monotone laws: there is exactly one solution.

    Some states are given by initial equations on their rates instead of start values.
    """
    rng = np.random.default_rng(seed)
    states = int(rng.integers(1, 5))
    loops = int(rng.integers(1, 9))
    size = int(rng.integers(1, 4)) if rng.random() < 0.8 else 70  # the last is factored as a sparse matrix
    at_rest = rng.random(states) < 0.5
    rates = rng.uniform(0.5, 2.0, states)
    links = rng.uniform(-0.4, 0.4, (loops, size))
    large = size > 3
    far = rng.integers(0, size, (size, 2 if large else 0))
    laws = rng.integers(0, 2 if large else 3, (loops, size))  # none by which a large loop would be torn

    def equations(self: Any) -> Any:
        for k in range(states):
            yield tg.der(self.x[k]) == rates[k] * (1.0 - self.x[k]) - 0.1 * self.x[k] ** 3
        before = self.x[0]
        for k in range(loops):
            for j in range(size):
                z = self.z[k * size + j]
                others = [self.z[k * size + int(i)] for i in ((j + 1) % size, *far[j])]
                law = (z**3, tg.exp(0.3 * z), 3.0 * z)[laws[k, j]]
                yield 2.0 * z + law + (self.link[k, j] if large else links[k, j]) * sum(others) == before + 0.1 * j
            before = self.z[k * size]

    def initial_equations(self: Any) -> Any:
        for k in np.flatnonzero(at_rest):
            yield tg.der(self.x[int(k)]) == 0.0

    body = {
        "x": tg.variable(shape=states, start=0.3),
        "z": tg.variable(shape=loops * size, start=0.2),
        "link": tg.parameter(links, shape=links.shape),
        "equations": equations,
        "initial_equations": initial_equations,
    }
    return type(f"Random{seed}", (tg.Component,), body)()


def check(seed: int) -> None:
    """Native steps, and the same in Python, solve the equations and agree."""
    compiled = tg.compile(random_model(seed))
    solver = solver_of(compiled)
    native = solver.natively()
    whole = solver.natively(in_parts=False)
    found = solver.in_parts(solver.parts)[0] if solver.parts else solver.as_a_whole()
    assert native.ended == whole.ended == found.ended == "converged"
    np.testing.assert_allclose(native.u, found.u, rtol=NEWTON, atol=NEWTON)
    np.testing.assert_allclose(whole.u, found.u, rtol=NEWTON, atol=NEWTON)
    np.testing.assert_allclose(solver.system.residual(native.u), 0.0, atol=1e-8)
    np.testing.assert_array_equal(solver.natively().u, native.u)  # again, with the same work space and known pivots


@pytest.mark.parametrize("seed", range(6))
def test_random_systems(seed: int) -> None:
    check(seed)


def test_no_run_disturbs_another() -> None:
    """Work space is leased: threads that begin at once get their own."""
    compiled = tg.compile(random_model(3))
    expected = compiled.simulate(0.1, solver="ida")["z"][0]
    found: list[Any] = []

    def run() -> None:
        found.extend(compiled.simulate(0.1, solver="ida")["z"][0] for _ in range(5))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 20
    for values in found:
        np.testing.assert_array_equal(values, expected)


class Switched(tg.Component):
    """At rest x == 2 with the heater on, x == 1 with it off; what holds depends on x itself."""

    x = tg.variable(start=0.5)
    load = tg.variable()
    heated = tg.variable(discrete=True, start=0.0)
    fired = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == 1.0 + self.heated - self.x
        yield self.load + self.load**3 == self.x
        yield tg.when(self.x > 0.9, self.heated == 1.0)
        yield tg.when(self.x > 1.9, self.fired == self.load)

    def initial_equations(self) -> Any:
        yield tg.der(self.x) == 0.0


@pytest.mark.parametrize("solver", ["rk45", "ida"])
def test_events_of_the_initial_instant(solver: str) -> None:
    """x = 1 turns the heater on; then x = 2, which makes the second when-clause act with the new load (1.0)."""
    solution = shared_model(Switched).simulate(1.0, solver=solver)
    assert solution["x"][0] == pytest.approx(2.0, rel=1e-9)
    assert solution["load"][0] == pytest.approx(1.0, rel=1e-9)
    assert solution["fired"][-1] == pytest.approx(1.0, rel=1e-9)


def test_pivots_are_those_of_the_pattern() -> None:
    """The report of a failure partitions anew: pivots of other parts must not be taken for its own."""
    compiled = tg.compile(random_model(13))
    solver = solver_of(compiled)
    order = solver.order()
    assert order is not None
    solver.in_parts([solver.whole])
    assert solver.as_a_whole().ended == "converged"
    other: list[Shape] = shapes(solver.system, InitialOrder(order.blocks, 2 * order.blocks.level + 1))
    assert solver.in_parts(other)[0].ended == "converged"
    for key, elimination in compiled.caches.pivots.items():
        known = [part.pattern for part in (*other, solver.whole) if pivot_key(part.pattern) == key]
        assert all(elimination.fits(pattern) for pattern in known)


def _diagonal(size: int) -> Pattern:
    return Pattern((size, size), np.arange(size + 1, dtype=np.int32), np.arange(size, dtype=np.int32))


def test_native_code_gets_no_wrong_sizes() -> None:
    small = choose_pivots(_diagonal(3), np.ones(3))
    with pytest.raises(InternalError, match="pivots of another matrix"):
        SparseLU(_diagonal(5), small)
    lu = SparseLU(_diagonal(3), small)
    with pytest.raises(InternalError, match="5 values for a matrix of 3 entries"):
        lu.factor(np.ones(5))
    lu.factor(np.ones(3))
    with pytest.raises(InternalError, match="2 numbers for a matrix of 3 rows"):
        lu.solve(np.ones(2))
    with pytest.raises(InternalError, match="not square"):
        SparseLU(Pattern((3, 2), np.zeros(3, np.int32), np.zeros(0, np.int32)), None)


class Tied(tg.Component):
    """Two constraints between three states, the same one for a = 1."""

    a = tg.parameter(2.0)
    x = tg.variable(shape=3, start=0.0)
    f = tg.variable(shape=2)

    def equations(self) -> Any:
        x = self.x
        f = self.f
        yield tg.der(x[0]) == f[0]
        yield tg.der(x[1]) == f[1]
        yield tg.der(x[2]) == f[0] + 2 * f[1]
        yield self.a * x[0] + x[1] + x[2] == tg.sin(tg.time)
        yield x[0] + x[1] + x[2] == tg.cos(tg.time)


@pytest.mark.parametrize("solver", ["auto", "ida"])
def test_parameters_that_make_constraints_dependent(solver: Any) -> None:
    """An error of the run in words; once it was a choice of states with more equations than unknowns, and a crash."""
    compiled = tg.compile(Tied())
    assert compiled.simulate(1.0, solver=solver).outcome.ok
    for _ in range(3):
        with pytest.raises(tg.TellegenError, match="E301"):
            compiled.simulate(1.0, solver=solver, parameters={"a": 1.0})


def test_steady_states_are_found_natively() -> None:
    compiled = tg.compile(random_model(5))
    p = parameter_vector(compiled, None)
    first = starts(compiled, p, None)
    y, yp = initialize(compiled, Point(0.0, p), first, steady=True)
    np.testing.assert_allclose(compiled.residual(0.0, y, yp, p), 0.0, atol=1e-8)
    assert solver_of(compiled, steady=True).natively().ended == "converged"

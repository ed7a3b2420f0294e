"""Tiny linear blocks solved by closed formulas: against NumPy, against the reference, with pivots that vanish."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.codegen.python_ode import Reference
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector
from tellegen.ir.expressions.expr import Const, Expr, Slot
from tellegen.ir.ode import Solve
from tellegen.ir.show.reduced_rows import equation_text
from tellegen.library import electrical as el
from tellegen.symbolic.eliminate import solve_linear
from tellegen.symbolic.evaluate import evaluate


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_elimination_in_symbols(count: int) -> None:
    """As good as LAPACK, also where the first coefficients vanish: the residual is a few units in the last place."""
    random = np.random.default_rng(count)
    slots: list[list[Expr]] = [[Slot(count * i + j) for j in range(count)] for i in range(count)]
    found = solve_linear(slots, [Slot(count**2 + i) for i in range(count)])
    for trial in range(200):
        matrix, rhs = random.uniform(-1.0, 1.0, (count, count)), random.uniform(-1.0, 1.0, count)
        matrix *= 10.0 ** random.integers(-6, 6, (count, 1))
        if count > 1 and trial % 2:
            matrix[0, 0] = 0.0
        x = np.array([evaluate(value, [*matrix.ravel(), *rhs]) for value in found])
        size = np.abs(matrix) @ np.abs(x) + np.abs(rhs)
        growth = 1.0 if count < 3 else 10.0
        assert (np.abs(matrix @ x - rhs) <= growth * 20 * np.finfo(float).eps * size.max()).all()


def test_elimination_chooses_rows_of_known_numbers_at_once() -> None:
    found = solve_linear([[Const(0.0), Const(2.0)], [Slot(0), Const(1.0)]], [Const(4.0), Slot(1)])
    assert [float(evaluate(value, [5.0, 12.0])) for value in found] == [2.0, 2.0]
    assert "where" not in str(found)


class Coils(tg.Component):
    """Coils coupled through mutual inductances that depend on an angle."""

    n = tg.parameter(2, structural=True)
    L = tg.parameter(np.arange(1.0, 4.0), "H")
    M = tg.parameter(0.4, "H")
    R = tg.parameter(1.0, "ohm")
    x = tg.variable(start=0.2, fixed=True)
    i = tg.variable("A", shape=n, start=0.3, fixed=True)

    def equations(self):
        yield tg.der(self.x) == 1.0
        for j in range(self.n):
            induced = [self.M * tg.cos(self.x + j + k) * tg.der(self.i[k]) for k in range(self.n) if k != j]
            yield self.L[j] * tg.der(self.i[j]) + sum(induced) == 1.0 * (j + 1) * tg.sin(self.x) - self.R * self.i[j]


def closed_steps(compiled: Any) -> list[Solve]:
    return [s for s in compiled.ode.program.steps if isinstance(s, Solve) and s.closed]


def both(compiled: Any, t: float, x: Any, p: Any) -> tuple[Any, Any]:
    """The rates by native code, which takes the formulas, and by the reference, which factors the matrix."""
    program = compiled.ode.program
    system = compiled.ode.lease(compiled, p, np.ones(program.size))
    assert system.rhs(t, x)
    return system.rates[: len(x)].copy(), Reference(program).rhs(t, x, np.zeros(2 * program.size), p)


@pytest.mark.parametrize("n", [2, 3])
def test_coupled_coils(n: int) -> None:
    compiled = tg.compile(Coils(n=n))
    (step,) = closed_steps(compiled)
    assert len(step.tear_index) == n
    random = np.random.default_rng(n)
    for _ in range(20):
        inductances = random.uniform(0.5, 3.0, 3)
        inductances[0] *= random.integers(0, 2)  # every other time the first pivot is zero
        p = parameter_vector(compiled, {"L": inductances})
        ours, reference = both(compiled, 0.0, random.uniform(-1.0, 1.0, n + 1), p)
        np.testing.assert_allclose(ours, reference, rtol=1e-10, atol=1e-12)


def test_the_same_curves_as_with_the_matrix() -> None:
    ode, dae = (tg.simulate(Coils(n=3), 5.0, solver=solver, rtol=1e-9) for solver in ("rk45", "ida"))
    np.testing.assert_allclose(ode["i"], dae["i"], rtol=1e-6, atol=1e-7)


class Bridge(tg.Component):
    """Wheatstone's bridge at a current: eleven equations, two tears."""

    feed = el.Inductor(L=1e-3, i=tg.variable(start=1.0, fixed=True))
    r1 = el.Resistor(R=1.0)
    r2 = el.Resistor(R=2.0)
    r3 = el.Resistor(R=3.0)
    r4 = el.Resistor(R=4.0)
    r5 = el.Resistor(R=5.0)
    ground = el.Ground()

    def connections(self):
        yield self.feed.n, self.r1.p, self.r2.p
        yield self.r1.n, self.r3.p, self.r5.p
        yield self.r2.n, self.r4.p, self.r5.n
        yield self.r3.n, self.r4.n, self.feed.p, self.ground.p


def resistance(r: Any) -> float:
    """Of the bridge between its feeding nodes, by the matrix of conductances."""
    g1, g2, g3, g4, g5 = 1.0 / np.asarray(r)
    matrix = np.array([[g1 + g2, -g1, -g2], [-g1, g1 + g3 + g5, -g5], [-g2, -g5, g2 + g4 + g5]])
    return float(np.linalg.solve(matrix, [1.0, 0.0, 0.0])[0])


def test_a_bridge_of_resistors() -> None:
    compiled = tg.compile(Bridge())
    (step,) = closed_steps(compiled)
    assert (len(step.rows), len(step.tear_index)) == (11, 2)
    for r in ((1.0, 2.0, 3.0, 4.0, 5.0), (1e-3, 1e3, 10.0, 1e-2, 1.0), (1.0, 1.0, 1.0, 1.0, 1e6)):
        p = parameter_vector(compiled, {f"r{k + 1}.R": value for k, value in enumerate(r)})
        ours, reference = both(compiled, 0.0, np.array([2.0]), p)
        assert ours[0] == pytest.approx(-1e3 * resistance(r) * 2.0, rel=1e-11)
        assert ours[0] == pytest.approx(reference[0], rel=1e-11)


class Row(tg.Component):
    """Many bridges side by side: blocks of one look share their code."""

    b = Bridge.array(50)


def test_blocks_of_one_look_are_one_loop() -> None:
    compiled = tg.compile(Row())
    (step,) = closed_steps(compiled)
    assert step.blocks == 50
    (loop,) = compiled.ode.program.entries[step.closed].loops
    assert loop.rows == 50
    solution = tg.simulate(compiled, 1e-3, solver="cvode", parameters={"b[7].r1.R": 10.0})
    other, plain = (-1e3 * resistance((r, 2.0, 3.0, 4.0, 5.0)) for r in (10.0, 1.0))
    assert solution["der(b[7].feed.i)"][0] == pytest.approx(other, rel=1e-9)
    assert solution["der(b[8].feed.i)"][0] == pytest.approx(plain, rel=1e-9)


class Switched(tg.Component):
    """A linear loop whose coefficients change at t = 1: large enough for a factorization, or small."""

    n = tg.parameter(6, structural=True)
    k = tg.parameter(1.0)
    x = tg.variable(start=0.0, fixed=True)
    a = tg.variable(shape=n)

    def equations(self):
        yield tg.der(self.x) == self.a[0]
        total = sum(self.k * self.a[j] for j in range(self.n))
        for j in range(self.n):
            yield total + tg.where(tg.time < 1.0, 2.0, 5.0) * self.k * self.a[j] == 1.0 + j


@pytest.mark.parametrize("n", [2, 6])
@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_coefficients_that_switch_are_no_constants(n: int, solver: str) -> None:
    """Factors of the matrix before the event would be wrong after it; the rate is constant on both sides."""
    compiled = tg.compile(Switched(n=n))
    before, after = (np.linalg.solve(np.ones((n, n)) + c * np.eye(n), 1.0 + np.arange(n)) for c in (2.0, 5.0))
    solution = tg.simulate(compiled, 2.0, solver=solver)
    np.testing.assert_allclose(solution["a"][0], before, rtol=1e-9)
    np.testing.assert_allclose(solution["a"][-1], after, rtol=1e-9)
    assert solution["x"][-1] == pytest.approx(before[0] + after[0], rel=1e-6)


class Fades(tg.Component):
    """Linear in a and b, and singular from t = 1 on."""

    x = tg.variable(start=0.0, fixed=True)
    a = tg.variable()
    b = tg.variable()
    k = tg.parameter(1.0)

    def equations(self):
        yield tg.der(self.x) == 1.0 + 0.0 * self.a
        yield self.k * self.a + self.k * self.b == 1.0
        yield self.k * self.a + (1.0 + tg.maximum(1.0 - self.x, 0.0)) * self.k * self.b == 3.0


@pytest.mark.parametrize("solver", ["rk45", "cvode"])
def test_a_singular_block_is_told_as_such(solver: str) -> None:
    """At x = 1 the two equations contradict; the formulas give no number there, and the matrix tells why."""
    compiled = tg.compile(Fades())
    assert closed_steps(compiled)
    p = parameter_vector(compiled, None)
    system = compiled.ode.lease(compiled, p, np.ones(3))
    assert system.rhs(0.0, np.array([0.5]))
    assert system.y[compiled.reduced.position[compiled.reduced.representative[[1, 2]]]] == pytest.approx([-3.0, 4.0])
    assert not system.rhs(0.0, np.array([1.0]))
    assert {"k*a + k*b == 1"} <= {equation_text(compiled.reduced, row) for row in system.failed_rows()}
    assert system.rhs(0.0, np.array([0.5]))  # nothing remains of the failure
    solution = tg.simulate(compiled, 2.0, solver=solver, points=3, throw=False)
    assert not solution.outcome.ok

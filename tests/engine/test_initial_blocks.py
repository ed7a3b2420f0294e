"""The initial system in parts: order, tears, step control of each block, and the report of the one that fails."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.engine.initialization.initial_blocks import Part, shapes
from tellegen.engine.initialization.initial_solver import InitialSolver, other_ways
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import initial_system
from tellegen.engine.initialization.steady.steady_values import steady_system
from tellegen.engine.linear_algebra.damped_newton import solve
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector, starts
from waiting import LIMIT


def solver_of(model: Any, steady: bool = False) -> InitialSolver:
    """The initial system of a model as declared."""
    compiled = model if isinstance(model, tg.CompiledModel) else tg.compile(model)
    p = parameter_vector(compiled, None)
    system_of = steady_system if steady else initial_system
    return system_of(compiled, Point(0.0, p), starts(compiled, p, None))[1]


class Cascade(tg.Component):
    """Tanks one behind the other, each with its own law: z[k] + sqrt(z[k]) == 1 + z[k-1]**2 / 2."""

    n = tg.parameter(30, structural=True)
    y = tg.variable(start=0.3, fixed=True)
    z = tg.variable(shape=n, start=3.0)

    def equations(self):
        yield tg.der(self.y) == -self.y
        before = self.y
        for k in range(self.n):
            yield self.z[k] + tg.sqrt(self.z[k]) == 1 + before**2 / 2
            before = self.z[k]


def cascade(n: int, y: float) -> list[float]:
    """The closed-form solution: a quadratic equation for the root, one after the other."""
    out: list[float] = []
    for _ in range(n):
        y = ((np.sqrt(1 + 4 * (1 + y**2 / 2)) - 1) / 2) ** 2
        out.append(y)
    return out


def test_a_chain_that_no_iteration_of_the_whole_solves() -> None:
    """Together neither Newton's method nor continuation gets there; one after the other each takes a few steps."""
    solver = solver_of(Cascade())
    assert solver.as_a_whole().ended == "no progress"
    assert all(way().ended != "converged" for way in other_ways(solver.system, solver.guess, solver.scale))
    result, failed = solver.in_parts(solver.parts)
    assert (result.ended, failed) == ("converged", None)
    solution = tg.simulate(Cascade(), 0.01, solver="ida")
    np.testing.assert_allclose(solution["z"][0], cascade(30, 0.3), rtol=1e-9)  # Newton's tolerance is 1e-10


class Divider(tg.Component):
    """A loop of five unknowns with one nonlinear element; only the tear needs a good start value."""

    u = tg.variable(start=2.0, fixed=True)
    i = tg.variable(start=0.1)
    v1 = tg.variable(start=-1e6)
    v2 = tg.variable(start=-1e6)
    v3 = tg.variable(start=-1e6)
    w = tg.variable(start=700.0)

    def equations(self):
        yield tg.der(self.u) == -self.u
        yield self.v1 == 2 * self.i
        yield self.v2 == tg.sinh(self.i)
        yield self.v3 == self.w + self.i
        yield self.w == self.i**3
        yield self.u == self.v1 + self.v2 + self.v3


def test_unknowns_inside_a_torn_block_need_no_start() -> None:
    solver = solver_of(Divider())
    order = solver.order()
    assert order is not None
    large = int(np.argmax(order.blocks.size))
    assert (order.blocks.size[large], order.blocks.tears[large]) == (5, 1)
    first = tg.simulate(Divider(), 0.01, solver="ida").at(0.0)
    i = first["i"]
    assert abs(3 * i + np.sinh(i) + i**3 - 2.0) < 1e-12
    (torn,) = [shape for shape in solver.parts if (shape.inner >= 0).any()]
    part = Part(solver.system, torn, solver.guess.copy())
    residual = part.residual(part.follow(part.u))
    assert np.abs(residual[part.shape.inner >= 0]).max() < 1e-9  # inner rows hold whatever the tear is


class SideBySide(tg.Component):
    """Blocks that have nothing to do with each other; those listed in `far` start far away and need damping."""

    far = tg.parameter((False, True), structural=True)
    y = tg.variable(start=0.5, fixed=True)
    z = tg.variable(shape=(2,))

    def equations(self):
        yield tg.der(self.y) == -self.y
        for k in range(2):
            yield tg.atan(5 * (self.z[k] - (6.0 if self.far[k] else 0.3))) + 0.1 * self.z[k] == self.y


def test_blocks_side_by_side_do_not_slow_each_other() -> None:
    """A block takes the same steps to the last bit, whatever its neighbour does."""
    found = []
    for far in ((False, False), (False, True)):
        solver = solver_of(SideBySide(far=far))
        (shape,) = [s for s in solver.parts if len(s.begin) == 2]
        part = Part(solver.system, shape, solver.guess.copy())
        result = solve(part, part.u, np.ones(2))
        assert result.ended == "converged"
        found.append(result.u[0])
    assert found[0] == found[1]


class Junctions(tg.Component):
    """Many diodes at 5 V from zero: all take the same hundred steps, so they take them together."""

    n = tg.parameter(100, structural=True)
    worst = tg.parameter(-1, structural=True)
    u = tg.variable(start=5.0, fixed=True)
    v = tg.variable(shape=n)
    i = tg.variable(shape=n)
    R = tg.parameter(100.0)

    def equations(self):
        yield tg.der(self.u) == -self.u
        for k in range(self.n):
            rise = tg.exp(self.v[k] / 0.0257) - 1
            yield self.i[k] == 1e-14 * rise if k != self.worst else self.i[k] ** 2 == -1.0 - rise**2
            yield self.u == self.R * self.i[k] + self.v[k]


@pytest.mark.timeout(LIMIT, method="thread")
def test_many_blocks_of_one_level_are_solved_together() -> None:
    compiled = tg.compile(Junctions())
    solver = solver_of(compiled)
    (shape,) = [s for s in solver.parts if len(s.begin) == 100]
    part = Part(solver.system, shape, solver.guess.copy())
    assert solve(part, part.u, np.ones(len(part.u))).ended == "converged"
    first = compiled.simulate(0.01, points=2, solver="ida").at(0.0)
    i, v = first["i"], first["v"]
    np.testing.assert_allclose(i, 1e-14 * np.expm1(v / 0.0257), rtol=1e-9)
    np.testing.assert_allclose(100.0 * i + v, 5.0, rtol=1e-12)


@pytest.mark.timeout(LIMIT, method="thread")
def test_one_bad_block_among_many_is_found() -> None:
    """The others are solved; the one that is left is tried alone, and it is the one that is told."""
    compiled = tg.compile(Junctions(worst=37))
    solver = solver_of(compiled)
    result, failed = solver.in_parts(solver.parts)
    assert result.ended in ("no progress", "singular")
    assert failed is not None
    with pytest.raises(tg.NumericError) as caught:
        compiled.simulate(0.01)
    assert "2 of 201 equations" in str(caught.value)
    assert "i[37]" in str(caught.value)
    assert "i[1]" not in str(caught.value)


@pytest.mark.parametrize("steady", [False, True])
def test_parts_are_a_block_triangular_form(steady: bool) -> None:
    """Every row and every column once, and no equation contains an unknown of a later part."""
    solver = solver_of(Divider() if not steady else Motor(), steady)
    order = solver.order()
    assert order is not None
    parts = shapes(solver.system, order)
    count = solver.system.pattern.shape[0]
    for which in ("rows", "columns"):
        assert sorted(np.concatenate([getattr(s, which) for s in parts])) == list(range(count))
    part_of_row, part_of_column = np.zeros(count, int), np.zeros(count, int)
    for number, shape in enumerate(parts):
        part_of_row[shape.rows], part_of_column[shape.columns] = number, number
    pattern = solver.system.pattern
    assert (part_of_column[pattern.column_of_entry] <= part_of_row[pattern.indices]).all()
    assert len(parts) > 1


class Motor(tg.Component):
    """Friction grows with the cube of the speed; the temperature follows from the losses."""

    w = tg.variable("rad/s", start=1.0)
    T = tg.variable("K", start=300.0)
    heat = tg.variable("W")

    def equations(self):
        yield tg.der(self.w) == 3.0 - 0.1 * self.w - 1e-4 * self.w**3
        yield self.heat == 0.1 * self.w**2
        yield 50.0 * tg.der(self.T) == self.heat - 0.2 * (self.T - 300.0)


def test_steady_state_in_parts() -> None:
    found = tg.steady_state(Motor())
    w = found["w"]
    assert abs(3.0 - 0.1 * w - 1e-4 * w**3) < 1e-10
    assert found["T"] == pytest.approx(300.0 + 0.5 * w**2, rel=1e-10)


class Plant(tg.Component):
    """Many equations that are fine, and two that have no real solution."""

    n = tg.parameter(40, structural=True)
    y = tg.variable(start=1.0, fixed=True)
    z = tg.variable(shape=n)
    p = tg.variable("bar", start=2.0)
    q = tg.variable(start=1.0)

    def equations(self):
        yield tg.der(self.y) == -self.y
        before = self.y
        for k in range(self.n):
            yield self.z[k] + 0.1 * self.z[k] ** 3 == before
            before = self.z[k]
        yield self.p / 1e5 * self.q == 4.0
        yield (self.p / 1e5) ** 2 + self.q**2 == self.z[0]


def test_the_block_that_fails_is_named_and_nothing_else() -> None:
    with pytest.raises(tg.NumericError) as caught:
        tg.simulate(Plant(), 1.0)
    text = str(caught.value)
    assert "2 of 43 equations" in text
    assert "q**2" in text
    assert "q == 4" in text
    assert "z[1]" not in text
    assert "der(y)" not in text
    assert "iteration variables, most suspicious first:" in text
    assert "bar, started from 2 bar" in text
    assert caught.value.location is not None
    assert "test_initial_blocks.py" in caught.value.location.file


class Twice(tg.Component):
    """A linear model in which two of many equations say the same."""

    n = tg.parameter(30, structural=True)
    c = tg.parameter(3.0)
    x = tg.variable(start=1.0)
    z = tg.variable(shape=n)
    a = tg.variable()
    b = tg.variable()

    def equations(self):
        yield tg.der(self.x) == -self.x
        before = self.x
        for k in range(self.n):
            yield 2 * self.z[k] == before + 1
            before = self.z[k]
        yield self.a + self.b == self.x
        yield self.c * self.a + self.c * self.b == 4 * self.x


def test_a_singular_block_of_a_linear_model_is_named() -> None:
    with pytest.raises(tg.NumericError) as caught:
        tg.simulate(Twice(), 1.0)
    text = str(caught.value)
    assert "E301" in text
    assert "2 of 33 equations" in text
    assert "a + b == x" in text
    assert "z[" not in text
    assert "no start value given" in text


def test_the_report_shows_the_initial_blocks() -> None:
    class Held(Divider):
        def initial_equations(self):
            yield self.i == 0.25

        u = tg.variable(start=2.0)

    text = str(tg.compile(Held()).report())
    assert "initial system" in text
    assert "7: 7 explicit; solved in 3 parts" in text
    assert "the start values of the states" in str(tg.compile(Divider()).report())


def test_an_angle_is_found_near_its_guess() -> None:
    """Where the derivative nearly vanishes a full step is 5e6 rad, and a root there has lost seven digits."""

    class Cocked(tg.Component):
        x = tg.variable("rad", start=1e-7)

        def equations(self):
            yield tg.cos(self.x) == 0.5

    x = tg.simulate(Cocked(), stop=1.0)["x"][0]
    assert abs(np.cos(x) - 0.5) < 1e-12
    assert abs(x) < 20.0

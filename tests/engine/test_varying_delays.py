"""Delays whose time varies: with time, with a state, at events, down to zero; limits; jumps; every solver."""

from __future__ import annotations

from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import tellegen as tg
from shared_models import shared_model

SOLVERS = ("rk45", "rodas", "cvode", "ida")


class Pantograph(tg.Component):
    """x' = -x(t/2): the delay grows from zero."""

    x = tg.variable(start=1.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == -tg.delay(self.x, 0.5 * tg.time, 10.0)


def pantograph(t: np.ndarray) -> np.ndarray:
    """Its power series (T. Kato and J. McLeod, 1971)."""
    return np.sum([(-1.0) ** n * 0.5 ** (n * (n - 1) / 2) * t**n / factorial(n) for n in range(30)], axis=0)


@pytest.mark.parametrize(
    ("solver", "rtol", "allowed"),
    [
        ("rk45", 1e-6, 1e-6),
        ("rk45", 1e-9, 1e-8),
        ("rodas", 1e-6, 1e-7),
        ("rodas", 1e-9, 1e-9),
        ("cvode", 1e-6, 1e-5),
        ("cvode", 1e-9, 1e-8),
        ("ida", 1e-6, 1e-6),
        ("ida", 1e-9, 1e-8),
    ],
)
def test_a_delay_that_begins_at_zero(solver: str, rtol: float, allowed: float) -> None:
    solution = shared_model(Pantograph).simulate(5.0, solver=solver, rtol=rtol, atol=1e-2 * rtol)
    assert np.abs(solution["x"] - pantograph(solution.time)).max() < allowed
    assert solution.at(3.21)["x"] == pytest.approx(pantograph(np.array(3.21)), abs=allowed)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_delay_by_a_state(solver: str) -> None:
    """x = t^3 solves it, with a delay of 0.5 + 0.1 x; before the start x is zero."""

    class Made(tg.Component):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self):
            t = tg.time
            known = tg.no_event(tg.maximum(t - (0.5 + 0.1 * t**3), 0.0)) ** 3
            yield tg.der(self.x) == 3 * t**2 + tg.delay(self.x, 0.5 + 0.1 * self.x, 10.0) - known

    solution = tg.simulate(Made(), 1.6, solver=solver, rtol=1e-7)
    allowed = 1e-7 if solver in ("rk45", "rodas") else 5e-6  # multistep methods add up more
    assert np.abs(solution["x"] - solution.time**3).max() < allowed


def test_a_delay_by_an_algebraic_unknown() -> None:
    """The past is looked up again where the delay turns out to be another one than in the evaluation before."""

    class Wave(tg.Component):
        s = tg.variable(start=0.0, fixed=True)
        T = tg.variable("s")
        y = tg.variable()

        def equations(self):
            yield tg.der(self.s) == 1
            yield self.T == 0.3 + 0.2 * tg.sin(2 * self.s)
            yield self.y == tg.delay(tg.sin(self.s), self.T, 1.0)

    for solver in ("rk45", "rodas"):
        solution = tg.simulate(Wave(), 6.0, solver=solver, rtol=1e-4)
        past = np.maximum(solution.time - solution["T"], 0.0)
        assert np.abs(solution["y"] - np.sin(past)).max() < 1e-8


def test_a_loop_through_a_delay_that_is_hardly_one() -> None:
    """u = v + u(t - T)/2 is nearly 2 v: the present value is part of the past's polynomial, so the loop is solved."""

    class Loop(tg.Component):
        v = tg.variable(start=1.0, fixed=True)
        u = tg.variable(start=1.0)

        def equations(self):
            yield tg.der(self.v) == -self.v
            yield self.u == self.v + 0.5 * tg.delay(self.u, 1e-5 * self.v, 1.0)

    solution = tg.simulate(Loop(), 3.0, rtol=1e-5)
    np.testing.assert_allclose(solution["u"], 2 * solution["v"], rtol=1e-4)
    assert solution.stats["steps"] < 1000


class Jump(tg.Component):
    """A step at 1 s comes back when t - 0.5 - t/10 = 1."""

    x = tg.variable(start=0.0, fixed=True)
    late = tg.variable()
    n = tg.integer()

    def equations(self):
        yield self.late == tg.delay(tg.where(tg.time > 1.0, 1.0, 0.0), 0.5 + 0.1 * tg.time, 2.0)
        yield tg.der(self.x) == self.late
        yield tg.when(self.late > 0.5, self.n == tg.pre(self.n) + 1)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_jump_that_comes_back(solver: str) -> None:
    solution = shared_model(Jump).simulate(3.0, solver=solver)
    assert solution["x"][-1] == pytest.approx(3 - 1.5 / 0.9, abs=1e-12)
    assert solution.stats["steps"] < 600
    assert solution["n"][-1] == 1
    (rise,) = [event.time for event in solution.events if "n :=" in event.what[0]]
    assert rise == pytest.approx(1.5 / 0.9, abs=1e-9)


class There(tg.Component):
    """The time read falls and rises: it passes the step at 1 s three times."""

    x = tg.variable(start=0.0, fixed=True)
    late = tg.variable()

    def equations(self):
        step = tg.where(tg.time > 1.0, 1.0, 0.0)
        yield self.late == tg.delay(step, 0.6 + 0.5 * tg.sin(4 * tg.time), 2.0)
        yield tg.der(self.x) == self.late


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_jump_that_is_passed_to_and_fro(solver: str) -> None:
    def reads(t):
        return t - 0.6 - 0.5 * np.sin(4 * t) - 1.0

    grid = np.linspace(0.0, 3.0, 3001)
    signs = np.flatnonzero(np.diff(np.sign(reads(grid))))
    passes: list[Any] = [brentq(reads, grid[k], grid[k + 1]) for k in signs]
    ends = [*passes, 3.0]
    risen = sum(ends[k + 1] - ends[k] for k in range(0, len(passes), 2))
    solution = shared_model(There).simulate(3.0, solver=solver)
    assert len(passes) == 3
    assert solution["x"][-1] == pytest.approx(risen, abs=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_delay_that_switches(solver: str) -> None:
    class Switching(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        y = tg.variable()

        def equations(self):
            yield tg.der(self.x) == 1
            yield self.y == tg.delay(self.x, tg.where(tg.time > 1.0, 0.05, 0.5), 1.0)

    solution = tg.simulate(Switching(), 2.0, solver=solver)
    t = solution.time
    expected = np.where(t > 1.0, t - 0.05, np.maximum(t - 0.5, 0.0))
    assert np.abs(solution["y"] - expected)[t != 1.0].max() < 1e-10


@pytest.mark.parametrize(("by", "longest"), [(lambda: 1.0 - tg.time, 2.0), (lambda: tg.time, 0.5)])
def test_a_delay_beyond_its_limits_stops_the_run(by, longest: float) -> None:
    class Beyond(tg.Component):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self):
            yield tg.der(self.x) == 1 - tg.delay(self.x, by(), longest)

    with pytest.raises(tg.TellegenError, match="it must be at least 0 s and at most"):
        tg.simulate(Beyond(), 3.0)


def test_what_is_refused() -> None:
    class Moving(tg.Component):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self):
            yield tg.der(self.x) == 1 - tg.delay(self.x, self.x, self.x + 1)

    with pytest.raises(tg.StructureError, match=r"E294.*longest time of a delay must be constant"):
        tg.simulate(Moving(), 1.0)


def test_a_run_in_two_parts() -> None:
    model = tg.compile(Pantograph())
    middle = model.simulate(2.0, rtol=1e-8).at(2.0)
    end = model.simulate(5.0, rtol=1e-8, initial=middle)
    assert end["x"][-1] == pytest.approx(pantograph(np.array(5.0)), abs=1e-7)


def test_delay_with_a_longest_time_in_modelica(tmp_path: Path) -> None:
    file = tmp_path / "Pipe.mo"
    file.write_text("""model Pipe "transport at a speed that varies"
      Real v = 1 + 0.5*sin(time);
      Real u = sin(3*time);
      Real y = delay(u, 1/v, 3);
      Real z(start = 0, fixed = true);
    equation
      der(z) = y - z;
    end Pipe;""")
    solution = tg.simulate(tg.load_modelica(file)["Pipe"], stop=8.0)
    past = solution.time - 1 / (1 + 0.5 * np.sin(solution.time))
    expected = np.where(past > 0, np.sin(3 * past), 0.0)
    assert np.abs(solution["y"] - expected).max() < 1e-5

"""Models without states: from event to event, with nothing to integrate and no errors to test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from modelica_start import as_in_modelica


def test_relations_are_located() -> None:
    """sin(2 pi 3 t) passes 0.5 at t = 1/36 + k/3 and, downwards, 5/36 + k/3."""

    class Comparator(tg.Component):
        u = tg.variable()
        n = tg.integer()
        high = tg.boolean()

        def equations(self) -> Iterator[Any]:
            yield self.u == tg.sin(6 * np.pi * tg.time)
            yield self.high == (self.u > 0.5)
            yield tg.when(self.high, self.n == tg.pre(self.n) + 1)

    solution = tg.simulate(Comparator(), 1.0)
    assert solution.stats["solver"] == "rk45"
    expected = sorted([(1 + 12 * k) / 36 for k in range(3)] + [(5 + 12 * k) / 36 for k in range(3)])
    assert [event.time for event in solution.events] == pytest.approx(expected, abs=1e-9)
    assert solution["n"][-1] == 3


def test_conditions_faster_than_output() -> None:
    """200 periods of a sine against 50 output points."""

    class Fast(tg.Component):
        n = tg.integer()

        def equations(self) -> Iterator[Any]:
            yield tg.when(tg.sin(400 * np.pi * tg.time + 0.1) > 0, self.n == tg.pre(self.n) + 1)

    assert tg.simulate(as_in_modelica(Fast()), 1.0, points=50)["n"][-1] == 200


class Thyristor(tg.Component):
    """An ideal thyristor as Modelica writes it, with a resistor at a sine: a loop of a Boolean, its pre() and s."""

    u = tg.variable()
    s = tg.variable()
    v = tg.variable()
    i = tg.variable()
    off = tg.boolean(start=True)
    fire = tg.boolean()

    def equations(self) -> Iterator[Any]:
        yield self.u == tg.sin(2 * np.pi * tg.time)
        yield self.fire == (tg.time > 0.15)
        yield self.off == (self.s < 0) | (tg.pre(self.off) & ~self.fire)
        yield self.v == tg.where(self.off, self.s, 0.0)
        yield self.i == tg.where(self.off, 0.0, self.s)
        yield self.u == self.v + 2.0 * self.i


def test_ideal_switches() -> None:
    solution = tg.simulate(as_in_modelica(Thyristor()), 1.0)
    time = solution.time
    conducts = (time > 0.15) & (time < 0.5)
    away = np.abs(time[:, None] - [0.15, 0.5]).min(axis=1) > 1e-9
    expected = np.where(conducts, np.sin(2 * np.pi * time) / 2, 0.0)
    assert solution["i"][away] == pytest.approx(expected[away], abs=1e-12)


def test_delays() -> None:
    class Late(tg.Component):
        u = tg.variable()
        y = tg.variable()
        step = tg.variable()

        def equations(self) -> Iterator[Any]:
            yield self.u == tg.sin(5 * tg.time)
            yield self.y == tg.delay(self.u, 0.2)
            yield self.step == tg.delay(tg.where(tg.time > 0.3, 1.0, 0.0), 0.25)

    solution = tg.simulate(Late(), 1.0)
    time = solution.time
    assert solution["y"] == pytest.approx(np.where(time > 0.2, np.sin(5 * (time - 0.2)), 0.0), abs=1e-10)
    before = time < 0.55
    assert (solution["step"][before] == 0.0).all()
    assert solution["step"][-1] == 1.0
    assert 0.55 in time


def test_loops_that_are_not_linear_are_followed_step_by_step() -> None:
    """z + z^3 == 10 time has a single solution, but nobody knows that."""

    class Loop(tg.Component):
        z = tg.variable()

        def equations(self) -> Iterator[Any]:
            yield self.z + self.z**3 == 10 * tg.time

    solution = tg.simulate(Loop(), 1.0)
    assert solution.stats["solver"] == "ida"
    assert solution["z"][-1] == pytest.approx(2.0, rel=1e-6)
    by_fixed_steps = tg.simulate(Loop(), 1.0, solver="rk45")
    assert by_fixed_steps["z"][-1] == pytest.approx(2.0, rel=1e-12)


@pytest.mark.parametrize("solver", ["ida", "rk45"])
def test_a_loop_whose_solution_ends_is_not_followed_to_another(solver: str) -> None:
    """The left branch of z^3 - z == 4 (time - 0.5) ends where 4 (time - 0.5) is 2/sqrt(27)."""

    class Fold(tg.Component):
        z = tg.variable(start=-1.5)

        def equations(self) -> Iterator[Any]:
            yield self.z**3 - self.z == 4 * (tg.time - 0.5)

    solution = tg.simulate(Fold(), 1.0, solver=solver, throw=False)
    assert not solution.success
    assert solution.outcome.time == pytest.approx(0.5 + 1 / (2 * 27**0.5), rel=1e-4)


def test_a_branch_not_taken_does_not_matter() -> None:
    """sin(x)/x at zero: the value, and everything around it."""

    class Sinc(tg.Component):
        x = tg.variable()
        y = tg.variable()
        late = tg.boolean()

        def equations(self) -> Iterator[Any]:
            yield self.x == tg.time - 0.5
            yield self.y == tg.where(tg.no_event(abs(self.x) < 1e-12), 1.0, tg.sin(self.x) / self.x)
            yield self.late == (self.y < 0.99)

    solution = tg.simulate(Sinc(), 1.0, points=11)
    assert solution["y"] == pytest.approx(np.sinc((solution.time - 0.5) / np.pi), rel=1e-12)
    assert solution["y"][solution.time == 0.5] == 1.0


def test_unknowns_that_rest_between_events_need_no_roots() -> None:
    """y is 0, -1, 0: integers that it jumps to exactly, and that no root would show."""

    class Sum(tg.Component):
        first = tg.boolean()
        second = tg.boolean()
        y = tg.variable()
        n = tg.integer()
        low = tg.boolean()

        def equations(self) -> Iterator[Any]:
            yield self.first == (tg.time > 0.25)
            yield self.second == (tg.time > 0.5)
            yield self.y == tg.where(self.second, 1.0, 0.0) - tg.where(self.first, 1.0, 0.0)
            yield self.n == tg.floor(self.y)
            yield self.low == (self.y < -0.5)

    compiled = tg.compile(Sum())
    assert compiled.reduced.relation_count == 0
    solution = compiled.simulate(1.0)
    for t, n in ((0.1, 0), (0.3, -1), (0.8, 0)):
        row = int(np.searchsorted(solution.time, t))
        assert (solution["n"][row], solution["y"][row], solution["low"][row]) == (n, n, n < 0)


def test_a_jump_passes_any_number_of_delays() -> None:
    """Nine integers, each the one before it a tenth later: an edge at 0.05 arrives at 0.95."""

    class Chain(tg.Component):
        n = tg.integer(shape=10)

        def equations(self) -> Iterator[Any]:
            yield self.n[0] == tg.where(tg.time > 0.05, 4, 3)
            for k in range(9):
                yield self.n[k + 1] == tg.floor(tg.delay(self.n[k], 0.1))

    solution = tg.simulate(Chain(), 1.0)
    for k in range(10):
        column = solution["n"][:, k]
        assert solution.time[np.argmax(column > 3.5)] == pytest.approx(0.05 + 0.1 * k, abs=1e-12)
        assert column[-1] == 4


def test_delayed_discrete_values_have_their_start_values_in_the_first_row() -> None:
    """The past of a signal is its initial value, 5, also where it passes two delays; n is 6 from 1 s on."""

    class Counted(tg.Component):
        n = tg.integer(start=5)
        late = tg.variable()
        late_before = tg.variable()
        later = tg.variable()

        def equations(self) -> Iterator[Any]:
            yield tg.when(tg.time > 1, self.n == tg.pre(self.n) + 1)
            yield self.late == tg.delay(self.n, 0.25)
            yield self.late_before == tg.delay(tg.pre(self.n), 0.25)
            yield self.later == tg.delay(2 * self.late_before + 1, 0.25)

    solution = tg.simulate(Counted(), 2.0)
    assert solution.stats["solver"] == "rk45"
    for name, arrives, before, after in (("late", 1.25, 5, 6), ("late_before", 1.25, 5, 6), ("later", 1.5, 11, 13)):
        column = solution[name]
        assert (column[solution.time < arrives] == before).all()
        assert (column[solution.time > arrives] == after).all()
        assert solution.at(0.0)[name] == before


def test_a_delay_is_the_only_equation_of_a_modelica_model(tmp_path: Path) -> None:
    """Nothing but the delayed integer is computed between events; its past is the fixed start value."""
    text = """
    model Late
      Integer n(start=5, fixed=true);
      Real d;
    equation
      when time > 1 then n = pre(n) + 1; end when;
      d = delay(pre(n), 0.01);
    end Late;
    """
    file = tmp_path / "Late.mo"
    file.write_text(text, encoding="utf-8")
    solution = tg.simulate(tg.load_modelica(file)["Late"](), 2.0)
    assert (solution["d"][solution.time < 1.01] == 5).all()
    assert (solution["d"][solution.time > 1.01] == 6).all()

"""Rows that serve outputs only: which they are, that they are not evaluated in between, and that no number changes."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.codegen import ode
from tellegen.compile import compile_model
from tellegen.dataflow.output_rows import output_rows
from tellegen.dataflow.rows import rows_of
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.runtime.runtimes import ode_runtime
from tellegen.ir.sorted import SortedModel
from tellegen.stages import sort_model


def outputs_of(component: Any) -> set[str]:
    """The unknowns that serve outputs only."""
    model = sort_model(component)
    mine = model.blocks.assigned[output_rows(model, rows_of(model))]
    return {model.flat.variables.name(int(model.unknowns[column])) for column in mine}


class Watched(tg.Component):
    """Everything that integrators look at, and what only depends on it."""

    x = tg.variable(start=1.0)
    v = tg.variable(start=0.0)
    force = tg.variable()
    power = tg.variable()
    twice = tg.variable()
    height = tg.variable()  # a root function reads it
    loss = tg.variable()
    signal = tg.variable()  # is delayed
    late = tg.variable()
    root = tg.variable(start=1.0)  # one of several solutions
    beyond = tg.variable()
    bounces = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == self.force
        yield self.force == -4.0 * self.x
        yield self.power == self.force * self.v
        yield self.twice == 2.0 * self.power
        yield self.height == self.x + 0.5 * self.v
        yield self.loss == self.v**2
        yield self.signal == self.x**2
        yield self.late == tg.delay(self.signal, 0.1)
        yield self.root**5 + self.root == 3.0 + self.x
        yield self.beyond == self.root + self.late
        yield tg.when(self.height < 0.0, self.bounces == tg.pre(self.bounces) + 1.0)


def test_only_rows_that_nothing_watched_depends_on_serve_outputs() -> None:
    assert outputs_of(Watched()) == {"power", "twice", "loss", "late", "beyond"}


class Circle(tg.Component):
    """A unit vector that is kept one."""

    x = tg.variable(start=1.0)
    y = tg.variable(start=0.0)
    gap = tg.variable()
    twice_x = tg.variable()
    twice_y = tg.variable()
    angle = tg.variable()

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == -self.y
        yield tg.der(self.y) == self.x
        yield self.gap == self.x**2 + self.y**2 - 1.0
        yield self.twice_x == 2.0 * self.x
        yield self.twice_y == 2.0 * self.y
        yield self.angle == tg.atan2(self.y, self.x)
        yield tg.invariant(self.gap, {self.x: self.twice_x, self.y: self.twice_y})


def test_invariants_are_computed_at_every_step() -> None:
    assert outputs_of(Circle()) == {"angle"}


def random_model(seed: int) -> tuple[tg.Component, set[str]]:
    """Random explicit equations, and those of their variables that no rate depends on."""
    chance = np.random.default_rng(seed)
    states = int(chance.integers(1, 4))
    count = states + int(chance.integers(3, 25))
    reads = {k: chance.choice(k, min(k, 2), replace=False).tolist() for k in range(states, count)}
    rates = [int(chance.integers(0, count)) for _ in range(states)]
    needed = set(rates)
    for k in reversed(range(states, count)):
        if k in needed:
            needed |= set(reads[k])

    def equations(self: Any) -> Iterator[Any]:
        v = [getattr(self, f"v{k}") for k in range(count)]
        for k, rate in enumerate(rates):
            yield tg.der(v[k]) == tg.sin(v[rate]) - 0.3 * v[k]
        for k, read in reads.items():
            yield v[k] == tg.cos(sum(v[j] * (0.5 + 0.1 * j) for j in read)) + 0.1 * k

    variables = {f"v{k}": tg.variable(start=0.1 * (k + 1)) if k < states else tg.variable() for k in range(count)}
    kind = type("Random", (tg.Component,), {**variables, "equations": equations})
    return kind(), {f"v{k}" for k in range(states, count) if k not in needed}


@pytest.mark.parametrize("seed", range(25))
def test_rows_are_those_that_a_search_backwards_does_not_reach(seed: int) -> None:
    component, expected = random_model(seed)
    assert outputs_of(component) == expected


def all_needed(model: SortedModel, rows: Any) -> Any:
    """As if every row were needed everywhere."""
    return np.zeros_like(output_rows(model, rows))


CASES = [(Watched(), "rk45")] + [  # delays are for explicit methods
    (component, solver)
    for component in (Circle(), random_model(3)[0], random_model(4)[0])
    for solver in ("rk45", "cvode", "rodas")
]


@pytest.mark.parametrize(("component", "solver"), CASES)
def test_no_number_changes(component: Any, solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    solution = compile_model(component).simulate(stop=2.0, solver=solver)
    monkeypatch.setattr(ode, "output_rows", all_needed)
    before = compile_model(component).simulate(stop=2.0, solver=solver)
    assert solution.stats["rhs_evaluations"] == before.stats["rhs_evaluations"]
    np.testing.assert_array_equal(solution.unknowns, before.unknowns)


def test_right_hand_sides_leave_them_alone() -> None:
    model = compile_model(Watched())
    system = OdeSystem(model)
    model.compute_parameters(np.zeros(len(system.p)), system.p)
    assert system.rhs(0.0, np.array([1.0, 2.0]))
    at_first = system.y.copy()
    rates = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, *[ctypes.c_void_p] * 3)(
        ode_runtime().addresses["ode_rates"]
    )
    x = np.array([3.0, 4.0])
    assert rates(0.0, system.record.address, x.ctypes.data, system.rates.ctypes.data) == 0
    changed = {model.flat.variables.name(int(v)) for v in model.reduced.unknowns[system.y != at_first]}
    assert changed == {"x", "v", "force", "height", "signal", "root"}
    assert system.rhs(0.0, x)
    changed = {model.flat.variables.name(int(v)) for v in model.reduced.unknowns[system.y != at_first]}
    assert changed >= {"power", "twice", "loss", "beyond"}

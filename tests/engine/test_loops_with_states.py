"""Loops that CVODE solves for together with the states (engine/runtime/sundials/newton_callbacks.py)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tellegen as tg
from benchmarks.transistors import adder
from tellegen.engine.integrators import cvode


class Implicit(tg.Component):
    """x' = -z with x = z + z^3, so that ln z + 3/2 z^2 + t stays as it is."""

    z0 = tg.parameter(1.0)
    x = tg.variable()
    z = tg.variable(start=1.0)

    def equations(self):
        yield tg.der(self.x) == -self.z
        yield self.x == self.z + self.z**3

    def initial_equations(self):
        yield self.z == self.z0


class Fold(tg.Component):
    """z^3 - 3 z = -x has no solution near z = 1.5 from x = 2 on, where dz/dx is infinite."""

    x = tg.variable(start=0.0, fixed=True)
    z = tg.variable(start=1.7)

    def equations(self):
        yield tg.der(self.x) == 1.0 + 0.0 * self.z
        yield self.z**3 - 3.0 * self.z == -self.x


COUNT = 60


def many(part: type[tg.Component], **values: Callable[[int], float]) -> tg.Component:
    """So many of a part that their loops are left to CVODE."""
    system = tg.System("many")
    system.add(**{f"p{k}": part(**{name: value(k) for name, value in values.items()}) for k in range(COUNT)})
    return system


def leaves_loops(model: tg.CompiledModel) -> bool:
    """Whether the last run with CVODE did."""
    memory = model.ode.idle[-1].attachment(cvode.CvodeMemory)
    assert memory is not None
    return memory.loops is not None


def start_of(k: int) -> float:
    return 0.5 + 0.02 * k


def test_a_closed_solution():
    model = tg.compile(many(Implicit, z0=start_of))
    solution = tg.simulate(model, 2.0, solver="cvode", rtol=1e-7, points=41)
    assert leaves_loops(model)
    for k in (0, 17, COUNT - 1):
        z = solution[f"p{k}.z"]
        stays = np.log(z) + 1.5 * z**2 + solution.time
        assert z[0] == pytest.approx(start_of(k), rel=1e-9)
        assert np.abs(stays - stays[0]).max() < 2e-6  # global, some tens of steps of 1e-7


def test_a_fold_ends_the_run_where_it_is():
    model = tg.compile(many(Fold))
    solution = tg.simulate(model, 3.0, solver="cvode", throw=False)
    assert leaves_loops(model)
    assert not solution.outcome.ok
    assert solution.time[-1] <= 2.0
    assert solution["p0.z"][-1] > 1.0


def test_an_adder_as_with_loops_solved_inside(monkeypatch, tmp_path):
    netlist = tmp_path / "adder.cir"
    netlist.write_text(adder(1))
    options = {"rtol": 1e-5, "points": 41}
    model = tg.compile(tg.read_spice(netlist))
    one = tg.simulate(model, **options)
    assert leaves_loops(model)
    monkeypatch.setattr(cvode, "_MANY_TEARS", 10**9)
    model = tg.compile(tg.read_spice(netlist))
    other = tg.simulate(model, **options)
    assert not leaves_loops(model)
    for node in ("s0.v", "c1.v"):
        assert np.abs(one[node] - other[node]).max() < 2e-4  # edges of 1 V/ns, at times that are 1e-5 of 50 ns off
    assert one.stats["steps"] < 1.2 * other.stats["steps"]


class Ladder(tg.Component):
    """A damped oscillator behind a ladder of resistors that change with its position: one linear loop of 120."""

    x = tg.variable(start=1.0, fixed=True)
    y = tg.variable(start=0.0, fixed=True)
    v = tg.variable(shape=120)

    def equations(self):
        v = self.v
        yield tg.der(self.x) == self.y
        yield tg.der(self.y) == -4.0 * v[60] - 0.1 * self.y - 10.0 * (self.y - 5.0 * v[119])
        nodes = [self.x, *(v[k] for k in range(120)), 0.2 * self.y]
        g = [1.0 + 0.5 * tg.sin(3.0 * self.x + k) for k in range(121)]
        for k in range(1, 121):
            inflow = g[k - 1] * (nodes[k - 1] - nodes[k]) - g[k] * (nodes[k] - nodes[k + 1])
            yield inflow == 0.01 * nodes[k] * (1.0 + self.y**2) - 0.001 * tg.cos(5.0 * self.x)


def test_many_unknowns_of_loops_do_not_hide_what_is_left_of_a_few_states():
    model = tg.compile(Ladder())
    exact = tg.simulate(model, 5.0, solver="rk45", rtol=1e-9, atol=1e-11, points=41)
    solution = tg.simulate(model, 5.0, solver="cvode", rtol=1e-6, points=41)
    assert leaves_loops(model)
    for state in ("x", "y"):
        assert np.abs(solution[state] - exact[state]).max() < 3e-6

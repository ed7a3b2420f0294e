"""Large runs store their states alone; everything else is computed where it is read, to the last bit as in the run."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from codegen.articulated import tree
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.loaded import computed_rows
from tellegen.engine.loaded.computed_rows import ComputedRows
from tellegen.library import multibody


class Rod(tg.Component):
    """Heat flows through a rod and out at its end, where a linear loop determines the temperature of the surface."""

    T = tg.variable(shape=10, start=np.linspace(300.0, 400.0, 10))
    q = tg.variable(shape=9)
    surface = tg.variable()
    out = tg.variable()
    radiated = tg.variable()

    def equations(self) -> Iterator[Any]:
        yield self.q == 2.0 * (self.T[:-1] - self.T[1:])
        yield tg.der(self.T[0]) == -self.q[0]
        yield tg.der(self.T[1:-1]) == self.q[:-1] - self.q[1:]
        yield tg.der(self.T[-1]) == self.q[-1] - self.out
        yield self.out == 3.0 * (self.T[-1] - self.surface)
        yield self.out == 0.5 * (self.surface - 290.0) + 0.1 * self.T[0]
        yield self.radiated == 5.67e-8 * self.surface**4


@pytest.fixture(scope="module")
def rod() -> CompiledModel:
    return tg.compile(Rod())


def both(model: CompiledModel, monkeypatch: pytest.MonkeyPatch, **run: Any) -> tuple[Any, Any]:
    """A run that stores its states alone, and one that stores everything."""
    everything = model.simulate(stop=0.2, points=41, **run)
    monkeypatch.setattr(computed_rows, "LARGE", 0.0)
    return model.simulate(stop=0.2, points=41, **run), everything


def test_unknowns_of_a_mechanism_are_those_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    lean, full = both(tg.compile(tree([-1, 0, 0])), monkeypatch, solver="rk45")
    assert lean.unknowns.nbytes < 0.1 * full.unknowns.nbytes
    np.testing.assert_array_equal(np.asarray(lean.unknowns), full.unknowns)


@pytest.mark.parametrize("solver", ["rk45", "cvode", "rodas"])
def test_all_unknowns_are_those_of_the_run(rod: CompiledModel, solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lean, full = both(rod, monkeypatch, solver=solver)
    rows = lean.unknowns
    assert isinstance(rows, ComputedRows)
    assert isinstance(full.unknowns, np.ndarray)
    assert rows.nbytes < 0.6 * full.unknowns.nbytes
    np.testing.assert_array_equal(lean.time, full.time)
    np.testing.assert_array_equal(np.asarray(rows), full.unknowns)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(lean)).unknowns[:, 3], full.unknowns[:, 3])


def test_rows_are_read_like_a_matrix(rod: CompiledModel, monkeypatch: pytest.MonkeyPatch) -> None:
    lean, full = both(rod, monkeypatch)
    columns = np.random.default_rng(3).integers(0, full.unknowns.shape[1], 7)
    for key in (0, -1, [2, 5], (slice(None), columns), (slice(3, 9), columns), (4, columns)):
        np.testing.assert_array_equal(lean.unknowns[key], full.unknowns[key])
    part = lean.unknowns[5:20:3]
    assert part.shape == full.unknowns[5:20:3].shape
    np.testing.assert_array_equal(part, full.unknowns[5:20:3])
    np.testing.assert_array_equal(lean.unknowns.max(axis=0), full.unknowns.max(axis=0))


def test_solutions_read_the_same(rod: CompiledModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computed_rows, "OFTEN", 4)
    lean, full = both(rod, monkeypatch)
    for name in full.names():
        np.testing.assert_array_equal(lean[name], full[name])
    for name in full.states(3):
        np.testing.assert_array_equal(lean[f"der({name})"], full[f"der({name})"])
        assert lean.at(0.0613)[name] == full.at(0.0613)[name]


class Bouncing(tg.Component):
    """With events."""

    h = tg.variable("m", start=1.0)
    v = tg.variable("m/s", start=0.0)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -9.81
        yield tg.when(self.h < 0, tg.reinit(self.v, -0.9 * tg.pre(self.v)))


class Rolled(tg.Component):
    """A loop that Newton's method solves from the last solution."""

    x = tg.variable(start=0.0, fixed=True)
    y = tg.variable(start=1.0)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.y
        yield self.y**5 + self.y == 1.0 + self.x


class Kept(tg.Component):
    """A ball joint, whose quaternion is kept at length one."""

    world = multibody.World()
    ball = multibody.Spherical()
    body = multibody.Body(m=1.0, r_CM=[0.0, 0.3, 0.1])

    def connections(self) -> Iterator[Any]:
        yield self.world.frame_b, self.ball.frame_a
        yield self.ball.frame_b, self.body.frame_a


@pytest.mark.parametrize("component", [Bouncing(), Rolled(), Kept()])
def test_what_depends_on_more_than_the_states_is_stored(component: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computed_rows, "LARGE", 0.0)
    assert isinstance(tg.simulate(component, stop=0.2).unknowns, np.ndarray)

"""A model that was compiled for one call is freed with its last user, without a search for garbage."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any
from weakref import ref

import pytest

import tellegen as tg
from library.multibody.loops import FourBar


class Ball(tg.Component):
    """With events."""

    e = tg.parameter(0.8)
    x = tg.variable(start=1.0)
    v = tg.variable(start=0.0)

    def equations(self) -> Iterator[Any]:
        """Free fall and impact."""
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -9.81
        yield tg.when(self.x < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)))


def simulated(model: Callable[[], tg.Component], **run: Any) -> Any:
    """The model that a run had."""
    return ref(tg.simulate(model(), stop=0.6, points=3, **run).compiled)


@pytest.fixture
def no_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collection")
@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode", "ida"])
def test_runs_with_events(solver: str) -> None:
    assert simulated(Ball, solver=solver)() is None


@pytest.mark.usefixtures("no_collection")
def test_a_mechanism() -> None:
    assert simulated(FourBar)() is None


@pytest.mark.usefixtures("no_collection")
def test_a_model_that_the_user_has_keeps_what_waits_for_its_next_run() -> None:
    compiled = tg.compile(Ball())
    compiled.simulate(stop=0.1)
    tg.simulate(compiled, stop=0.1)
    assert compiled.ode.idle


@pytest.mark.usefixtures("no_collection")
@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_gradients(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    initialize = tg.CompiledModel.__init__

    def noted(self: Any, *values: Any, **named: Any) -> None:
        initialize(self, *values, **named)
        made.append(ref(self))

    monkeypatch.setattr(tg.CompiledModel, "__init__", noted)
    tg.gradient(Ball(), 0.6, of=[tg.final("x")], wrt=["e"], method=method)
    assert made
    assert not [model for model in made if model() is not None]


@pytest.mark.usefixtures("no_collection")
@pytest.mark.parametrize("solver", ["rk45", "cvode"])
def test_rows_of_output_are_freed_with_the_solution_and_not_with_the_model(solver: str) -> None:
    compiled = tg.compile(Ball())
    solution = tg.simulate(compiled, stop=0.1, points=2000, solver=solver)
    rows = ref(solution.unknowns if solution.unknowns.base is None else solution.unknowns.base)
    del solution
    assert rows() is None
    assert compiled.ode.idle

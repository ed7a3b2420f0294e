"""Where every Newton matrix is singular the explicit method, which needs none, makes the run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.engine.native.outcome import OutcomeCode
from tellegen.engine.results.solution import Solution
from tellegen.engine.runs import single_run


class Relay(tg.Component):
    """x falls with exp(-t) until 0.5, at t = 0.693, and with twice the rate from there."""

    x = tg.variable(start=1.0)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == tg.where(self.x > 0.5, -self.x, -2.0 * self.x)


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Runs that have a matrix end at half of the interval; which solvers were tried."""
    run = single_run.run_with_events
    solvers: list[str] = []

    def singular(compiled: Any, options: Any, start: Any, choice: Any, *more: Any) -> Solution:
        found = run(compiled, options, start, choice, *more)
        solvers.append(choice.solver)
        if choice.is_last:
            return found
        solver = "cvode" if choice.solver == "rk45" else choice.solver  # which has continued from where it stood
        outcome = replace(found.outcome, code=OutcomeCode.SINGULAR, message="the Jacobian is singular", time=0.5)
        return replace(found, outcome=outcome, stats={**found.stats, "solver": solver})

    monkeypatch.setattr(single_run, "run_with_events", singular)
    return solvers


def test_the_explicit_method_follows_all_others(tried: list[str]) -> None:
    solution = tg.simulate(Relay(), 1.0)
    assert tried == ["rk45", "ida", "rk45"]
    assert "singular at t = 0.5" in solution.stats["solver_reason"]
    assert solution["x"][-1] == pytest.approx(0.5 * np.exp(-2.0 * (1.0 - np.log(2.0))), rel=1e-4)


def test_a_solver_asked_for_is_not_replaced(tried: list[str]) -> None:
    with pytest.raises(tg.RunFailedError, match="singular"):
        tg.simulate(Relay(), 1.0, solver="cvode")
    assert tried == ["cvode"]

"""What a search found: the values, what they achieve, what holds them, and how the search went there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE, Evaluation
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.single_objective.lagrange_multipliers import balance
from tellegen.analyses.optimization.single_objective.optimum_plot import plot_search
from tellegen.analyses.optimization.single_objective.resume_search import SearchStart
from tellegen.analyses.performance.expression import Constraint
from tellegen.engine.results.solution import Solution
from tellegen.sheet import aligned

INTERRUPTED = "interrupted; guess=result resumes"


def _limit(path: Constraint) -> float:
    return abs(path.high if np.isfinite(path.high) else path.low) or 1.0


class Optimum:
    """`variables` are the best values found, `objective` and `constraints` what they achieve.

    `success` says whether the method ended as it should and all constraints hold; `message` gives the reason otherwise.
    `multipliers` are those of active constraints and bounds: how fast the objective falls as a limit is relaxed.
    `signals` are the curves found for inputs (tg.piecewise).
    """

    def __init__(self, problem: Problem, best: Evaluation, method: str, message: str, choice: dict[str, Any]) -> None:
        self.problem, self._best, self.method = problem, best, method
        self.search_start: SearchStart | None = None  # what resume_search.py needs to resume an interrupted search
        sign = problem.asked.sign
        self.variables = dict(zip(problem.variables.names, best.x.tolist(), strict=True))
        self.signals = problem.driven.curves(self.variables)
        self.objective = sign * best.objective
        seen = zip(problem.asked.constraints, best.constraints.tolist(), strict=False)  # a later round asks for more
        self.constraints = {each.text: value for each, value in seen}
        self.constraints |= {
            each.text: value for each, value in zip(problem.asked.paths, best.paths.tolist(), strict=True)
        }
        self.choice = choice
        self._request = problem.request_at(best.x)
        self.history = tuple(problem.history)
        self.runs, self.failed_runs = len(self.history), sum(bool(each.failed) for each in self.history)
        found = balance(problem, best)
        self.multipliers = {} if found is None else found.multipliers
        self.active = tuple(self.multipliers)
        self.remains = np.nan if found is None else found.remains
        self.feasible = best.violation <= FEASIBLE
        self.message = message
        if not self.feasible and message != INTERRUPTED:
            self.message = "the constraints cannot be satisfied, at least not from this initial guess" + (
                f" ({message})" if message else ""
            )
        self.success = not self.message

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the search; tg.optimize(..., guess=result) resumes it."""
        return self.message == INTERRUPTED

    @property
    def broken(self) -> tuple[str, ...]:
        """The constraints that the best values found do not keep."""
        problem, best = self.problem, self._best
        found = [*zip(problem.asked.constraints, best.constraints, problem.sizes, strict=False)]
        found += [(path, value, _limit(path)) for path, value in zip(problem.asked.paths, best.paths, strict=True)]
        return tuple(
            each.text for each, value, size in found if max(each.low - value, value - each.high) > FEASIBLE * size
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters to simulate with: tg.simulate(model, parameters=result.parameters)."""
        return dict(self._request.parameters)

    @property
    def initial(self) -> Mapping[str, Any] | str:
        """The start values to simulate with."""
        return self._request.initial or {}

    @cached_property
    def solution(self) -> Solution:
        """The run with the best values."""
        return self.problem.made.plain.run(self._request)

    def to_pandas(self) -> Any:
        """All runs of the search, a row each."""
        import pandas as pd

        problem = self.problem
        rows = [
            {
                **dict(zip(problem.variables.names, each.x.tolist(), strict=True)),
                "objective": problem.asked.sign * each.objective,
                "violation": each.violation,
                "choice": each.label,
                "failed": each.failed,
            }
            for each in self.history
        ]
        return pd.DataFrame(rows)

    def plot(self, path: str | None = None) -> Any:
        """How the search went: the objective, the variables, and the signals with those of earlier runs in grey."""
        return plot_search(self, path)

    def __str__(self) -> str:
        problem = self.problem
        head = "found" if self.success else f"not finished: {self.message}"
        failed = f", {self.failed_runs} failed" if self.failed_runs else ""
        lines = [f"{problem.asked.objective} = {self.objective:.8g} ({self.method}, {self.runs} runs{failed}; {head})"]
        lines += [f"  {name}: {label}" for name, label in self.choice.items()]
        rows, own = [], problem.variables
        scalars = set(problem.driven.scalars(own.names))
        for name, unit, low, high in zip(own.names, own.units, own.low, own.high, strict=True):
            if name in scalars:
                rows.append((f"  {name}", f"{self.variables[name]:.6g}", unit, f"in {low:g} ... {high:g}"))
        lines += aligned(rows).splitlines() if rows else []
        for name, curve in self.signals.items():
            span = f"until {curve.times[-1]:.6g} s, from {curve.values.min():.6g} to {curve.values.max():.6g}"
            lines.append(f"  {name}: {len(curve.times) - 1} {curve.kind} pieces {span} {curve.unit}".rstrip())
        broken = self.broken
        for text, value in self.constraints.items():
            held = f", active (multiplier {self.multipliers[text]:.4g})" if text in self.multipliers else ""
            held = ", not kept" if text in broken else held
            lines.append(f"  {text}: {value:.6g}{held}")
        return "\n".join(lines)

    __repr__ = __str__

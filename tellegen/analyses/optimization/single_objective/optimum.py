"""What a search found: the values, what they achieve, what holds them, and how the search went there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.analyses.optimization.choices.record import ChoiceSearch
from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE, Evaluation
from tellegen.analyses.optimization.formulation.failed_runs import failure_texts
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.formulation.search_result import SearchResult
from tellegen.analyses.optimization.single_objective.lagrange_multipliers import balance
from tellegen.analyses.optimization.single_objective.optimum_plot import plot_search
from tellegen.analyses.optimization.single_objective.resume_search import SearchStart
from tellegen.analyses.performance.expression import Constraint
from tellegen.engine.results.solution import Solution
from tellegen.sheet import Table

INTERRUPTED = "interrupted; guess=result resumes"


def _limit(path: Constraint) -> float:
    return abs(path.high if np.isfinite(path.high) else path.low) or 1.0


class Optimum(SearchResult):
    """`variables` are the best values found, `objective` and `constraints` what they achieve.

    `success` says whether the method ended as it should and all constraints hold; `message` gives the reason otherwise.
    `multipliers` are those of active constraints and bounds: how fast the objective falls as a limit is relaxed.
    `signals` are the curves found for inputs (tg.piecewise). tg.simulate(best.model, parameters=best.parameters) is the
    best run again; `model` has the implementations that were chosen.
    """

    def __init__(self, problem: Problem, best: Evaluation, method: str, message: str, choice: dict[str, Any]) -> None:
        self.problem = problem
        self._best = best
        self.method = method
        self.model: Any = problem.made.plain  # with the implementations chosen; simulate it with `parameters`
        self.choices: ChoiceSearch | None = None  # how combinations were left out, where that was done
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
        self.runs = len(self.history)
        self.failed_runs = sum(bool(each.failed) for each in self.history)
        found = balance(problem, best)
        self.multipliers = {} if found is None else found.multipliers
        self.active = tuple(self.multipliers)
        self.remains = np.nan if found is None else found.remains
        self.feasible = best.violation <= FEASIBLE
        super().__init__(problem.made, message)
        if not self.feasible and message != INTERRUPTED:
            reasons = [message] if message else []
            reasons += self.failures[:1]
            self._message = "the constraints cannot be satisfied, at least not from this initial guess" + (
                f" ({'; '.join(reasons)})" if reasons else ""
            )

    @property
    def failures(self) -> list[str]:
        """Why runs failed, a line for each reason, the most frequent first."""
        return failure_texts(list(self.history), self.problem.variables)

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the search; tg.optimize(..., guess=result) resumes it."""
        return self.message == INTERRUPTED

    @property
    def broken(self) -> tuple[str, ...]:
        """The constraints that the best values found do not keep."""
        problem = self.problem
        best = self._best
        found = [*zip(problem.asked.constraints, best.constraints, problem.sizes, strict=False)]
        found += [(path, value, _limit(path)) for path, value in zip(problem.asked.paths, best.paths, strict=True)]
        return tuple(
            each.text for each, value, size in found if max(each.low - value, value - each.high) > FEASIBLE * size
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters to simulate with: tg.simulate(result.model, parameters=result.parameters)."""
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

    def plot(self) -> Any:
        """A matplotlib figure of the search: objective, variables, and signals with those of earlier runs in grey."""
        return plot_search(self)

    def _title(self) -> str:
        failed = f", {self.failed_runs} failed" if self.failed_runs else ""
        end = "" if self.success else f"; not finished: {self.message}"
        head = f"Optimum of {self.name}: {self.problem.asked.objective} = {self.objective:.8g}"
        return f"{head} ({self.method}, {self.runs} runs{failed}{end})"

    def _page(self) -> list[Table | str]:
        signals = [
            f"{name}: {len(curve.times) - 1} {curve.kind} pieces until {curve.times[-1]:.6g} s, "
            f"from {curve.values.min():.6g} to {curve.values.max():.6g} {curve.unit}".rstrip()
            for name, curve in self.signals.items()
        ]
        choices = [f"{name}: {label}" for name, label in self.choice.items()]
        tables = [self._variables_table(), self._constraints_table()]
        shown = (table for table in tables if table.rows)
        tree = [] if self.choices is None else [str(self.choices)]
        return ["\n".join(choices), *shown, "\n".join(signals), *tree, "\n".join(self.failures)]

    def _variables_table(self) -> Table:
        own = self.problem.variables
        scalars = set(self.problem.driven.scalars(own.names))
        rows = [
            (name, f"{self.variables[name]:.6g}", unit, f"{low:g}", f"{high:g}")
            for name, unit, low, high in zip(own.names, own.units, own.low, own.high, strict=True)
            if name in scalars
        ]
        return Table(("variable", "value", "unit", "low", "high"), rows)

    def _constraints_table(self) -> Table:
        broken = self.broken
        rows = []
        for text, value in self.constraints.items():
            held = f"active, multiplier {self.multipliers[text]:.4g}" if text in self.multipliers else ""
            rows.append((text, f"{value:.6g}", "violated" if text in broken else held))
        return Table(("constraint", "value", ""), rows)

"""What several objectives leave to choose from: designs of which none is better than another in everything.

front = tg.pareto(model, minimize=[comfort, grip], variables={...}, stop=2.0)
print(front)                 a table, from one end to the other
front.plot()
front.compromise             the design nearest to the best of all objectives at once
front[3].solution            the run of one of them
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.analyses.optimization.choices.options import Choice
from tellegen.analyses.optimization.formulation.driven_model import Curve
from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE, Evaluation, objectives
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.formulation.search_result import SearchResult
from tellegen.analyses.optimization.single_objective.optimum import INTERRUPTED
from tellegen.analyses.optimization.single_objective.resume_search import SearchStart
from tellegen.engine.request.run_request import RunRequest
from tellegen.engine.results.solution import Solution
from tellegen.figure import panels
from tellegen.ir.model import FloatArray
from tellegen.sheet import Shown, Table


@dataclass(frozen=True, eq=False, repr=False)
class ParetoPoint(Shown):
    """A design of the front: values of the variables, and what they achieve."""

    variables: dict[str, float]
    objectives: dict[str, float]
    constraints: dict[str, float]
    choice: dict[str, Any]
    problem: Problem
    evaluation: Evaluation
    request: RunRequest

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters to simulate with."""
        return dict(self.request.parameters)

    @property
    def initial(self) -> Mapping[str, Any] | str:
        """The start values to simulate with."""
        return self.request.initial or {}

    @property
    def signals(self) -> dict[str, Curve]:
        """The curves of inputs that were varied."""
        return self.problem.driven.curves(self.variables)

    @cached_property
    def solution(self) -> Solution:
        """The run of this design."""
        return self.problem.made.plain.run(self.request)

    def _title(self) -> str:
        return "ParetoPoint: " + ", ".join(f"{name} = {value:.6g}" for name, value in self.objectives.items())

    def _page(self) -> list[Table | str]:
        numbers = {**self.variables, **self.constraints}
        chosen = [(name, str(label)) for name, label in self.choice.items()]
        return [Table(("", "value"), chosen + [(name, f"{value:.6g}") for name, value in numbers.items()])]


@dataclass(frozen=True, eq=False)
class Candidate:
    """A run that is worth keeping, and what was chosen for it."""

    problem: Problem
    evaluation: Evaluation
    choice: Choice = field(default_factory=Choice)

    @property
    def objectives(self) -> FloatArray:
        """Of which smaller is better."""
        return objectives(self.problem, self.evaluation)


class Front(SearchResult, Sequence[ParetoPoint]):
    """The designs, in the order of the first objective; `history` are all runs of the search."""

    def __init__(self, problem: Problem, kept: Sequence[Candidate], method: str, message: str) -> None:
        self.problem = problem
        self.method = method
        super().__init__(problem.made, message)
        asked = problem.asked
        self.names = [str(asked.objective), *(each.text for each in asked.constraints[: asked.others])]
        self.history = tuple(problem.history)
        self.runs = len(self.history)
        self.failed_runs = sum(bool(each.failed) for each in self.history)
        order = sorted(kept, key=lambda each: each.evaluation.objective)
        self._designs = tuple(self._design(each) for each in order)
        self.search_start: SearchStart | None = None  # what resume_search.py needs to resume an interrupted search

    def _design(self, candidate: Candidate) -> ParetoPoint:
        asked = self.problem.asked
        problem = candidate.problem
        each = candidate.evaluation
        limits = zip(asked.constraints[asked.others :], each.constraints[asked.others :].tolist(), strict=True)
        values = asked.sign * candidate.objectives
        problem.choose(str(candidate.choice), candidate.choice.parameters)
        return ParetoPoint(
            dict(zip(problem.variables.names, each.x.tolist(), strict=True)),
            dict(zip(self.names, values.tolist(), strict=True)),
            {limit.text: value for limit, value in limits},
            candidate.choice.labels,
            problem,
            each,
            problem.request_at(each.x),
        )

    def __getitem__(self, k: Any) -> Any:
        return self._designs[k]

    def __len__(self) -> int:
        return len(self._designs)

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the search; tg.pareto(..., guess=front) resumes it."""
        return self.message == INTERRUPTED

    @property
    def values(self) -> FloatArray:
        """The objectives, a row for each design."""
        return np.array([list(design.objectives.values()) for design in self])

    @property
    def compromise(self) -> ParetoPoint:
        """The design nearest to the best of all objectives, each measured by its range on the front."""
        values = self.problem.asked.sign * self.values
        range_ = np.maximum(np.ptp(values, axis=0), 1e-300)
        return self[int(np.argmin((((values - values.min(axis=0)) / range_) ** 2).sum(axis=1)))]

    def to_pandas(self) -> Any:
        """A row for each design: objectives, variables, constraints."""
        import pandas as pd

        return pd.DataFrame([{**each.choice, **each.objectives, **each.variables, **each.constraints} for each in self])

    def plot(self) -> Any:
        """A matplotlib figure, objectives against each other: the front, other runs that keep the constraints grey."""
        count = len(self.names)
        pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
        good = [each for each in self.history if each.violation <= FEASIBLE]
        rows = [self.problem.asked.sign * objectives(self.problem, each) for each in good]
        others = np.array(rows).reshape(-1, count)
        values = self.values.reshape(-1, count)
        low = values.min(axis=0)
        high = values.max(axis=0)
        margin = np.where(high > low, high - low, 1.0)
        with panels(1, len(pairs), (1.0 + 5.5 * len(pairs), 4.5)) as (figure, axes):
            for axis, (i, j) in zip(axes[0], pairs, strict=True):
                axis.plot(others[:, i], others[:, j], ".", ms=3, color="0.8", label="other runs")
                axis.plot(values[:, i], values[:, j], "o-" if count == 2 else "o", ms=5, label="front")
                axis.set_xlim(low[i] - 0.15 * margin[i], high[i] + 0.6 * margin[i])
                axis.set_ylim(low[j] - 0.15 * margin[j], high[j] + 0.6 * margin[j])
                axis.set_xlabel(self.names[i])
                axis.set_ylabel(self.names[j])
                axis.legend()
        return figure

    def _title(self) -> str:
        failed = f", {self.failed_runs} failed" if self.failed_runs else ""
        end = "" if self.success else f"; not finished: {self.message}"
        return f"Front of {self.name}: {len(self)} designs ({self.method}, {self.runs} runs{failed}{end})"

    def _page(self) -> list[Table | str]:
        scalars = self.problem.driven.scalars(self.problem.variables.names)
        rows = []
        keys = list(dict.fromkeys(key for each in self for key in each.choice))
        for k, each in enumerate(self):
            numbers = [*each.objectives.values(), *(each.variables[name] for name in scalars)]
            chosen = [str(each.choice.get(key, "")) for key in keys]
            rows.append((str(k), *(f"{value:.6g}" for value in numbers), *chosen))
        return [Table(("", *self.names, *scalars, *keys), rows)]


def not_dominated(values: FloatArray) -> Any:
    """Which rows are at least as good as every other row in something (or equal to it, and first)."""
    kept = np.ones(len(values), bool)
    for k, row in enumerate(values):
        better = (values <= row).all(axis=1) & (values < row).any(axis=1)
        twin = (values[:k] == row).all(axis=1).any()
        kept[k] = not (better.any() or twin)
    return kept


def spread_evenly(values: FloatArray, count: int) -> Any:
    """Numbers of `count` rows that are far from each other: the ends first, then always the one farthest from all."""
    if len(values) <= count:
        return np.arange(len(values))
    scaled = (values - values.min(axis=0)) / np.maximum(np.ptp(values, axis=0), 1e-300)
    chosen = list(dict.fromkeys(int(k) for k in scaled.argmin(axis=0)))
    away = np.min([((scaled - scaled[k]) ** 2).sum(axis=1) for k in chosen], axis=0)
    while len(chosen) < count:
        chosen.append(int(away.argmax()))
        away = np.minimum(away, ((scaled - scaled[chosen[-1]]) ** 2).sum(axis=1))
    return np.array(chosen)

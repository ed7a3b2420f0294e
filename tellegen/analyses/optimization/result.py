"""What a search found: the values, what they achieve, what holds them, and how the search went there."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from tellegen.analyses.optimization.multipliers import balance
from tellegen.analyses.optimization.problem import FEASIBLE, Evaluation, Problem
from tellegen.engine.solution import Solution
from tellegen.network.names import aligned


class Optimum:
    """`variables` are the best values found, `objective` and `constraints` what they achieve.

    `success` says whether the method ended as it should and all constraints hold; `message` tells otherwise why.
    `multipliers` are those of active constraints and bounds: how fast the objective falls as a limit is relaxed.
    """

    def __init__(self, problem: Problem, best: Evaluation, method: str, message: str, choice: dict[str, Any]) -> None:
        self._problem, self._best, self.method = problem, best, method
        sign = problem.asked.sign
        self.variables = dict(zip(problem.variables.names, best.x.tolist(), strict=True))
        self.objective = sign * best.objective
        texts = [constraint.text for constraint in problem.asked.constraints]
        self.constraints = dict(zip(texts, best.constraints.tolist(), strict=True))
        self.choice, self._inputs = choice, problem.inputs(best.x)
        self.history = tuple(problem.history)
        self.runs, self.failed_runs = len(self.history), sum(bool(each.failed) for each in self.history)
        found = balance(problem, best)
        self.multipliers = {} if found is None else found.multipliers
        self.active = tuple(self.multipliers)
        self.remains = np.nan if found is None else found.remains
        self.feasible = best.violation <= FEASIBLE
        self.message = message if message or self.feasible else "the constraints cannot be met, or not from here"
        self.success = not self.message

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters to simulate with: tg.simulate(model, parameters=result.parameters)."""
        return self._inputs["parameters"] or {}

    @property
    def initial(self) -> dict[str, Any]:
        """The start values to simulate with."""
        return self._inputs["initial"] or {}

    @cached_property
    def solution(self) -> Solution:
        """The run with the best values."""
        options = {name: value for name, value in self._problem.run.items() if name not in ("parameters", "initial")}
        return self._problem.made.plain.simulate(**options, **self._inputs)

    def to_pandas(self) -> Any:
        """All runs of the search, a row each."""
        import pandas as pd

        problem = self._problem
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
        """How the search went: the objective above (runs that keep the constraints filled), the variables below."""
        import matplotlib.pyplot as plt

        problem, sign = self._problem, self._problem.asked.sign
        figure, (upper, lower) = plt.subplots(2, 1, sharex=True, figsize=(8.0, 5.5), layout="constrained")
        number = np.arange(1, self.runs + 1)
        objective = np.array([sign * each.objective for each in self.history])
        keeps = np.array([each.violation <= FEASIBLE for each in self.history])
        upper.plot(number, objective, color="0.8", lw=1)
        upper.plot(number[keeps], objective[keeps], "o", ms=4, label="constraints hold")
        if (~keeps).any():
            upper.plot(number[~keeps], objective[~keeps], "o", ms=4, mfc="none", label="violated")
            upper.legend(fontsize=8)
        upper.set_title(str(problem.asked.objective), fontsize=9)
        upper.set_ylabel("objective")
        places = np.array([problem.variables.places(each.x) for each in self.history])
        for j, name in enumerate(problem.variables.names):
            lower.plot(number, places[:, j], "o-", ms=3, lw=1, label=name)
        lower.set_ylabel("between the bounds")
        lower.set_xlabel("run")
        if problem.variables.names:
            lower.legend(fontsize=8)
        for axis in (upper, lower):
            axis.grid(alpha=0.3)
        if path is not None:
            figure.savefig(path, dpi=150)
            plt.close(figure)
        return figure

    def __str__(self) -> str:
        problem = self._problem
        head = "found" if self.success else f"not finished: {self.message}"
        failed = f", {self.failed_runs} failed" if self.failed_runs else ""
        lines = [f"{problem.asked.objective} = {self.objective:.8g} ({self.method}, {self.runs} runs{failed}; {head})"]
        lines += [f"  {name}: {label}" for name, label in self.choice.items()]
        rows = []
        for name, unit, low, high in zip(
            problem.variables.names, problem.variables.units, problem.variables.low, problem.variables.high, strict=True
        ):
            rows.append((f"  {name}", f"{self.variables[name]:.6g}", unit, f"in {low:g} ... {high:g}"))
        lines += aligned(rows).splitlines() if rows else []
        for text, value in self.constraints.items():
            held = f", active (multiplier {self.multipliers[text]:.4g})" if text in self.multipliers else ""
            lines.append(f"  {text}: {value:.6g}{held}")
        return "\n".join(lines)

    __repr__ = __str__

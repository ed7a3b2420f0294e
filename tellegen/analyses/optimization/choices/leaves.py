"""Leaves: one combination of choices each, with the best values of the variables for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.analyses.optimization.algorithms.gradient_based import Limits
from tellegen.analyses.optimization.algorithms.multistart import Multistart
from tellegen.analyses.optimization.choices.space import Place, Space
from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE, Evaluation, Searchable
from tellegen.ir.model import FloatArray


@dataclass(frozen=True, eq=False)
class Leaf:
    """A combination that was searched, with all its runs; `message` says why the method gave up."""

    place: Place
    evaluations: tuple[Evaluation, ...]
    message: str = ""

    @property
    def runs(self) -> int:
        """How many there were."""
        return len(self.evaluations)

    @cached_property
    def best(self) -> Evaluation:
        """The best run."""
        return min(self.evaluations, key=lambda each: each.rank)

    @property
    def rank(self) -> tuple[float, float]:
        """Smaller is better."""
        return self.best.rank


@dataclass(frozen=True, eq=False)
class LeafSearch:
    """How leaves are searched: how far, from how many starts, and where unless something better is known."""

    limits: Limits
    starts: int
    first: Mapping[str, Any] | None

    def solve(self, space: Space, place: Place, guess: FloatArray) -> Leaf:
        """The best values for one combination."""
        shape = space.shapes[place.shape]
        problem = shape.leaf_problem
        choice = space.choice(place)
        problem.choose(str(choice), choice.parameters)
        before = len(problem.history)
        variables = problem.variables
        start = guess[: len(variables.names)] if len(guess) else variables.guess(self.first)
        start = np.clip(start, variables.low, variables.high)
        message = hopeless(problem, start) if shape.leaf_method.has_gradients else ""
        if not message:
            search = Multistart(shape.leaf_method, self.limits, self.starts)
            message = search.run(problem, start)
            if len(guess) and not _is_feasible(problem, before):  # the guess was for other numbers
                message = search.run(problem, variables.guess(self.first))
        return Leaf(place, tuple(problem.history[before:]), message)


def _is_feasible(problem: Searchable, before: int) -> bool:
    return any(each.violation <= FEASIBLE for each in problem.history[before:])


def hopeless(problem: Searchable, start: FloatArray) -> str:
    """The constraint that is broken whatever the variables are (a mass by parts alone); empty if there is none.

    Methods with gradients would wander about for all their iterations.
    """
    if not len(start) or not problem.asked.constraints:
        return ""
    first = problem.evaluate(start)
    other = problem.evaluate(problem.variables.values(np.full(len(start), 0.5)))
    if first.failed or other.failed or first.jacobian is None or other.jacobian is None:
        return ""
    asked = problem.asked
    away = np.maximum(asked.low - first.constraints, first.constraints - asked.high) / problem.sizes
    is_fixed = ~first.jacobian.any(axis=1) & ~other.jacobian.any(axis=1) & (first.constraints == other.constraints)
    broken = np.flatnonzero(is_fixed & (away > FEASIBLE))
    return f"{asked.constraints[broken[0]].text} does not depend on the variables" if len(broken) else ""

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
from tellegen.analyses.optimization.formulation.evaluation import Evaluation
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
        multistart = Multistart(shape.leaf_method, self.limits, self.starts)
        message = multistart.run(problem, np.clip(start, variables.low, variables.high))
        return Leaf(place, tuple(problem.history[before:]), message)

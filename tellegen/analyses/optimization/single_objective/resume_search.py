"""Going on with a search that was interrupted: guess=result.

Methods are deterministic, so the interrupted search is done again from its first start with all its runs taken from
memory, and goes on where it was as if nothing had happened, whichever the method: with the same curvature, population
or list of choices. One run is made first to see that the model still answers as it did; where it does not, or where
something else is asked for, the search begins at the best values instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.ir.model import FloatArray

_SAME = 1e-6


@dataclass(frozen=True, eq=False)
class Begun:
    """How a search was begun: where, and everything of the call that its course depends on."""

    first: FloatArray
    how: tuple[Any, ...]


def course(problem: Problem, *more: Any) -> tuple[Any, ...]:
    """What the course of a search depends on, besides the model and where it starts."""
    variables, asked = problem.variables, problem.asked
    texts = tuple(each.text for each in asked.constraints)
    bounds = variables.low.tolist(), variables.high.tolist()
    return (variables.names, *bounds, str(asked.objective), asked.sign, texts, *more)


def take_over(problem: Problem, before: Problem, begun: Begun | None, how: tuple[Any, ...]) -> FloatArray | None:
    """Let this search know the runs of an interrupted one; where that began, or None if it cannot be gone on with."""
    best = before.best
    if begun is None or begun.how != how or best is None:
        return None
    problem.same_points(before)
    problem.choose(before.label, before.extra)
    again = problem.evaluate(best.x, best.slope is not None)
    problem.history.clear()
    problem.choose("", {})
    if again.failed or not np.isclose(again.objective, best.objective, rtol=_SAME, atol=_SAME * before.size):
        return None
    problem.go_on_with(before)
    return begun.first

"""Going on with a search that was interrupted: guess=result.

Methods are deterministic, so the interrupted search is done again from its first start with all its runs taken from
memory, and continues where it was as if nothing had happened, whichever the method: with the same curvature, population
or list of choices. One run is made first to see that the model still answers as it did; where it does not, or where
something else is asked for, the search begins at the best values instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.optimization.algorithms.choose_method import ChosenMethod
from tellegen.analyses.optimization.algorithms.gradient_based import Limits
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.ir.model import FloatArray

_SAME = 1e-6


@dataclass(frozen=True)
class SearchSettings:
    """What the course of a search depends on, besides the model and where it starts."""

    variables: tuple[str, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    objective: str
    sign: float
    constraints: tuple[str, ...]
    method: ChosenMethod
    limits: Limits
    others: tuple[Any, ...]  # of the call: starts and choices, or the number of designs


def search_settings(problem: Problem, method: ChosenMethod, limits: Limits, *others: Any) -> SearchSettings:
    """The settings of a search that is about to begin."""
    variables = problem.variables
    asked = problem.asked
    return SearchSettings(
        variables.names,
        tuple(variables.low.tolist()),
        tuple(variables.high.tolist()),
        str(asked.objective),
        asked.sign,
        tuple(each.text for each in asked.constraints),
        method,
        limits,
        others,
    )


@dataclass(frozen=True, eq=False)
class SearchStart:
    """How a search began: where, and with which settings."""

    first: FloatArray
    settings: SearchSettings


def resume(problem: Problem, before: Problem, start: SearchStart | None, settings: SearchSettings) -> FloatArray | None:
    """Let this search know the runs of an interrupted one; where that began, or None if it cannot be resumed."""
    best = before.best
    if start is None or start.settings != settings or best is None:
        return None
    problem.same_points(before)
    problem.choose(before.label, before.extra)
    again = problem.evaluate(best.x, best.slope is not None)
    problem.history.clear()
    problem.choose("", {})
    if again.failed or not np.isclose(again.objective, best.objective, rtol=_SAME, atol=_SAME * before.size):
        return None
    problem.go_on_with(before)
    return start.first

"""One run of a search: what was asked for, and what came out, with derivatives by the variables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellegen.analyses.optimization.formulation.search_variables import Variables
from tellegen.analyses.performance.expression import Constraint, Performance
from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here

FEASIBLE = 1e-5  # of the size of a constraint


@dataclass(frozen=True, eq=False)
class Asked:
    """What is wanted: the smallest objective within the constraints.

    `paths` are limits along the whole run of which `constraints` has some instants (path_constraints.py).
    """

    objective: Performance
    constraints: tuple[Constraint, ...]
    sign: float = 1.0  # -1: the largest
    paths: tuple[Constraint, ...] = ()
    others: int = 0  # further objectives: the first of the constraints, which have no limits

    @property
    def low(self) -> FloatArray:
        """Lower limits."""
        return np.array([each.low for each in self.constraints])

    @property
    def high(self) -> FloatArray:
        """Upper limits."""
        return np.array([each.high for each in self.constraints])

    @property
    def performances(self) -> list[Performance]:
        """All that is computed from a run: the objective, the constraints, and those along the run."""
        return [self.objective, *(each.performance for each in (*self.constraints, *self.paths))]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One run: values, objective, constraints and their derivatives by the values; or why there are none."""

    x: FloatArray
    objective: float = np.nan
    constraints: FloatArray = field(default_factory=lambda: np.zeros(0))
    paths: FloatArray = field(default_factory=lambda: np.zeros(0))
    slope: FloatArray | None = None
    jacobian: FloatArray | None = None
    violation: float = np.inf  # of all, paths by their peaks
    seen_violation: float = np.inf  # of what methods see
    failed: str = ""
    label: str = ""  # of the choice it belongs to
    key: bytes = b""  # what was asked for: values, with derivatives or not, how many constraints

    @property
    def rank(self) -> tuple[float, float]:
        """Smaller is better: first the violation of constraints, then the objective."""
        if self.failed:
            return np.inf, np.inf
        return (0.0, self.objective) if self.violation <= FEASIBLE else (self.violation, self.objective)


class Searchable(ABC):
    """What a method searches: values of the variables in, evaluations out."""

    def __init__(self, asked: Asked, variables: Variables) -> None:
        self.asked = asked
        self.variables = variables
        self.size = 1.0  # of the objective
        self.history: list[Evaluation] = []

    @property
    @abstractmethod
    def sizes(self) -> FloatArray:
        """Of the constraints."""

    @abstractmethod
    def evaluate(self, x: FloatArray, gradient: bool = True) -> Evaluation:
        """One run, or what is known of it."""

    @property
    def best(self) -> Evaluation | None:
        """The best of all runs so far; None if none succeeded."""
        good = [each for each in self.history if not each.failed]
        return min(good, key=lambda each: each.rank) if good else None


def objectives(problem: Searchable, each: Evaluation) -> FloatArray:
    """All objectives of a run, smaller is better; those after the first are constraints without limits."""
    asked = problem.asked
    return np.append(each.objective, asked.sign * each.constraints[: asked.others])


def _as_required(given: Any) -> Any:
    """A requirement as the constraint that it is; anything else as it is."""
    required = given.required if isinstance(given, Performance) else None
    return given if required is None else required


def as_constraints(given: Sequence[Any] | Any) -> tuple[Constraint, ...]:
    """The constraints as written."""
    is_list = isinstance(given, Iterable) and not isinstance(given, str)
    listed: list[Any] = list(given) if is_list else [given]
    listed = [_as_required(each) for each in listed]
    for each in listed:
        if not isinstance(each, Constraint):
            what = f"{each!r} is not a constraint"
            advice = "compare performance functions: subject_to=[tg.peak('motor.i') <= 10.0]"
            raise DesignError("E622", what, location=here(), advice=advice)
    return tuple(listed)

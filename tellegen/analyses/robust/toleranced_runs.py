"""What every question about tolerances is answered with: runs at any point of the band, all numbers by each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.analyses.optimization.formulation.evaluation import Asked, Evaluation
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.performance.expression import Constraint, Performance
from tellegen.analyses.robust.tolerances import Tolerances, wrong
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.analyses.studies.design import MONTE_CARLO, TABLE, Design
from tellegen.analyses.studies.study import Execution, studied
from tellegen.analyses.studies.study_result import Study
from tellegen.engine.request.run_request import RunRequest
from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here


@dataclass(frozen=True, eq=False)
class Numbers:
    """What is looked at: performance functions, and the limits that some of them have to keep."""

    functions: tuple[Performance, ...]
    limits: tuple[Constraint, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """As they were written."""
        return tuple(each.text for each in self.functions)

    def row(self, limit: Constraint) -> int:
        """Which function a limit is about."""
        return self.names.index(limit.performance.text)


def read_numbers(of: Any) -> Numbers:
    """Performance functions, or comparisons of them; two limits of one function count as one function."""
    listed = list(of) if isinstance(of, Sequence) and not isinstance(of, str) else [of]
    functions: dict[str, Performance] = {}
    limits = []
    for each in listed:
        if isinstance(each, Constraint):
            limits.append(each)
            each = each.performance
        if not isinstance(each, Performance):
            advice = "of=[tg.final('c.v'), tg.overshoot('c.v') <= 0.1]"
            raise wrong(f"{each!r} is neither a performance function nor a limit of one", advice, "E652")
        functions.setdefault(each.text, each)
    if not functions:
        raise wrong("there is nothing to compute: of is empty", "of=[tg.final('c.v')]", "E652")
    return Numbers(tuple(functions.values()), tuple(limits))


@dataclass(frozen=True, eq=False)
class Runs:
    """A model with tolerances, and the run to be made at any point of the band."""

    made: SensitivityModel
    numbers: Numbers
    tolerances: Tolerances
    request: RunRequest
    executor: Any = "processes"

    @cached_property
    def problem(self) -> Problem:
        """All numbers from one run."""
        return self._search_of(0, 1.0, self.request)

    def searched(self, row: int, sign: float) -> Problem:
        """The search for the smallest (sign = 1) or largest (-1) value of one number; the others are computed too."""
        return self._search_of(row, sign, self.request.with_points(self.points))

    def _search_of(self, row: int, sign: float, request: RunRequest) -> Problem:
        functions = self.numbers.functions
        rest = tuple(Constraint(each, -np.inf, np.inf, each.text) for k, each in enumerate(functions) if k != row)
        return Problem(self.made, Asked(functions[row], rest, sign), self.tolerances.box(), request)

    @property
    def points(self) -> Any:
        """The output points that the runs so far have asked for."""
        return self.problem.points.points

    def at(self, x: FloatArray, gradient: bool = False) -> Evaluation:
        """One run."""
        return self.problem.evaluate(x, gradient)

    @cached_property
    def nominal(self) -> Evaluation:
        """The run without any deviation, with exact gradients."""
        found = self.at(self.tolerances.nominal, gradient=True)
        if found.failed:
            what = f"the run with nominal values fails: {found.failed}"
            raise DesignError(
                "E653", what, location=here(), advice="tg.simulate(...) must succeed with the nominal values first"
            )
        return found

    @property
    def gradient(self) -> FloatArray:
        """A row for each number, a column for each tolerance."""
        assert self.nominal.slope is not None
        assert self.nominal.jacobian is not None
        return np.vstack([self.nominal.slope, self.nominal.jacobian])

    def many(self, values: FloatArray | None = None, cube: FloatArray | None = None, kind: str = MONTE_CARLO) -> Study:
        """Runs side by side: with the values of each row, or with the samples of the unit cube."""
        if values is not None:
            columns = dict(zip(self.tolerances.names, values.T.tolist(), strict=True))
            design = Design(TABLE, columns, None, here())
        else:
            design = Design(kind, self.tolerances.distributions(), cube, here())
        outputs = dict(zip(self.numbers.names, self.numbers.functions, strict=True))
        request = self.request.without_values(self.tolerances.names).with_points(self.points)
        return studied(self.made.plain, design, outputs, request, Execution(self.executor))


def values_of(found: Evaluation) -> FloatArray:
    """All numbers of a run; nan where it failed."""
    return np.append(found.objective, found.constraints)

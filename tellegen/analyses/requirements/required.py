"""A requirement as tg.require makes it: it has a name, and can end a run."""

from __future__ import annotations

import numpy as np

from tellegen.analyses.performance.response import Response
from tellegen.analyses.requirements.endings import Clause, HasNoneError, clauses
from tellegen.analyses.requirements.formulas import Condition, Formula, Named
from tellegen.analyses.requirements.violation import Violation, first_violation
from tellegen.engine.results.solution import Solution
from tellegen.ir.reduced import ReducedModel
from tellegen.variation.ended import Ending

_NEAR = 1e-6  # of the largest margin: what has just been passed


class Required(Named):
    """A named formula; with `stop_on_violation` runs of tg.simulate(..., requirements=[...]) end where it is lost."""

    def __init__(self, part: Formula, name: str, stop_on_violation: bool) -> None:
        super().__init__(part, name)
        self.stop_on_violation = stop_on_violation

    def lost(self, solution: Solution) -> Violation | None:
        """When no continuation of a run could fulfil it any more, and what was violated then; None if it never was."""
        return first_violation(self, solution)

    def endings(self, model: ReducedModel, start: float) -> list[Ending] | None:
        """The conditions at which it is lost, of a run from `start` on; None where it depends on what was before."""
        try:
            return [clause.ending for clause in clauses(self, model, start)]
        except HasNoneError:
            return None

    def violated(self, solution: Solution) -> str | None:
        """What is violated at the end of a run that such a condition has ended; None where it was not one of these."""
        start = float(solution.time[0])
        own = {clause.ending.message: clause for clause in clauses(self, solution._reduced, start)}
        clause = own.get(solution.outcome.message.removeprefix("terminated: "))
        return None if clause is None else f"'{_culprit(clause, solution).text}' is violated"


def _culprit(clause: Clause, solution: Solution) -> Condition:
    """Of several conditions that are violated together the one that was violated last: by a jump, or just now."""
    if len(clause.conditions) == 1:
        return clause.conditions[0]
    response = Response(solution)
    rows = len(solution.time)
    curves = [response.at_rows(each.comparison.signal(solution._reduced))[:rows] for each in clause.conditions]
    has_jumped = [rows > 1 and margin[-2] * margin[-1] < 0.0 and abs(margin[-1]) > _NEAR * np.abs(margin).max()
                  for margin in curves]  # fmt: skip
    distance = [0.0 if jumped else abs(margin[-1]) for jumped, margin in zip(has_jumped, curves, strict=True)]
    return clause.conditions[int(np.argmin(distance))]

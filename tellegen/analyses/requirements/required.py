"""A requirement as tg.require makes it: it has a name, and can end a run."""

from __future__ import annotations

from tellegen.analyses.requirements.formulas import Formula, Named
from tellegen.analyses.requirements.violation import Violation, first_violation
from tellegen.engine.results.solution import Solution


class Required(Named):
    """A named formula; with `stop_on_violation` runs of tg.simulate(..., requirements=[...]) end where it is lost."""

    def __init__(self, part: Formula, name: str, stop_on_violation: bool) -> None:
        super().__init__(part, name)
        self.stop_on_violation = stop_on_violation

    def lost(self, solution: Solution) -> Violation | None:
        """When no continuation of a run could fulfil it any more, and what was violated then; None if it never was."""
        return first_violation(self, solution)

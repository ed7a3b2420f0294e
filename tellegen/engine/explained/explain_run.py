"""A run made again with a log of its steps, and what the log says.

Nothing is counted in ordinary runs. A run that was interrupted or failed is explained up to where it came, and one that
is interrupted while it is made again up to there.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from tellegen.engine.diagnostics.step_log import StepLog
from tellegen.engine.events.event_sources import event_sources
from tellegen.engine.explained.advice import RunFacts, advice
from tellegen.engine.explained.limits import step_limits
from tellegen.engine.explained.run_explanation import RunExplanation
from tellegen.errors import LanguageError
from tellegen.ir.source_location import here

if TYPE_CHECKING:
    from tellegen.engine.results.solution import Solution

_SPARE_ROOM = 10_000


class Repeats(Protocol):
    """A model that can make a run again; engine/compiled.py provides it."""

    def repeat(self, solution: Solution, log: StepLog) -> Solution:
        """The run once more, its steps in a log."""
        ...


def explain_run(solution: Solution) -> RunExplanation:
    """What limited the steps of a run."""
    settings = solution.settings
    if settings is None or solution.compiled is None:
        raise LanguageError(
            "E186",
            f"the run of {solution.name} cannot be explained: it is not known how it was made",
            location=here(),
            advice="explain what tg.simulate returned",
        )
    counted = int(solution.stats.get("steps", 0)) + int(solution.stats.get("error_test_failures", 0))
    log = StepLog(2 * counted + _SPARE_ROOM)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the user has seen them
        again = cast(Repeats, solution.compiled).repeat(solution, log)
    happened = () if again.history is None else again.history.log
    limits = step_limits(log, happened)
    sources = event_sources(again._reduced, happened) if happened else ()
    tolerances = settings.options.absolute(settings.scales)
    peak = np.abs(solution.unknowns).max(axis=0)
    facts = RunFacts(
        model=again._reduced,
        options=settings.options,
        stats=again.stats,
        parts=tuple(log.parts),
        limits=limits,
        sources=sources,
        events=len(happened),
        time=solution.time,
        unknowns=solution.unknowns,
        atol=np.maximum(tolerances.start, tolerances.part * peak),
    )
    solvers = tuple(dict.fromkeys(part.solver for part in log.parts))
    return RunExplanation(solution.name, solvers, limits, sources, advice(facts), log.count - log.kept)

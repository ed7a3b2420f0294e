"""What limited each step of a run, by name: from the log of its steps and the events."""

from __future__ import annotations

from enum import StrEnum
from functools import cache

import numpy as np

from tellegen.engine.diagnostics.step_log import LogPart, StepLog
from tellegen.engine.events.event_sources import statement_of_relation
from tellegen.engine.readout.discrete_history import Happened
from tellegen.engine.runtime.algebra.step_log import Limit
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.show.reduced_rows import variable_location, variable_text
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass

_SAME = 1e-12  # times that close, relative to the run, are the same


class Kind(StrEnum):
    """What limits a step."""

    ERROR = "error"
    EVENT = "event"
    KNOWN_TIME = "known time"
    CONDITION = "condition"
    LONGEST = "longest step"
    GROWTH = "growth"


@dataclass(frozen=True)
class Limiter:
    """Something that limits steps: an unknown by its error, a statement by its events, or a rule of the integrator."""

    kind: Kind
    name: str
    location: SourceLocation | None = None
    unknown: int = -1  # its number, where the error of an unknown limits steps


_RULES = {
    Limit.CONDITION: Limiter(Kind.CONDITION, "conditions that could be missed by a longer step"),
    Limit.LONGEST: Limiter(Kind.LONGEST, "longest step allowed"),
    Limit.SEGMENT_END: Limiter(Kind.KNOWN_TIME, "events at known times, end of the run"),
    Limit.GROWTH: Limiter(Kind.GROWTH, "growth of short steps after a start"),
}


@dataclass(frozen=True, eq=False)
class StepLimits:
    """The accepted steps of a run in order: when they begin, how far they went, failed tries before each, and who[k] of
    `limiters` limited step k."""

    start: FloatArray
    size: FloatArray
    failures: IntArray
    who: IntArray
    limiters: tuple[Limiter, ...]

    def busiest(self, steps: slice | IntArray = slice(None)) -> tuple[Limiter, int] | None:
        """Who limited most of some steps, and how many."""
        counts = np.bincount(self.who[steps], minlength=len(self.limiters))
        best = int(counts.argmax()) if len(counts) else 0
        return (self.limiters[best], int(counts[best])) if len(counts) and counts[best] else None


def step_limits(log: StepLog, happened: tuple[Happened, ...]) -> StepLimits:
    """The steps of a log with names; a step that goes beyond the start of the next was ended by an event."""
    known: dict[Limiter, int] = {}
    who = np.empty(log.kept, np.int64)
    bounds = [*(part.first for part in log.parts), log.kept]
    for part, first, last in zip(log.parts, bounds, bounds[1:], strict=False):
        codes, number = np.unique(log.limit[first:last], return_inverse=True)
        limiters = [_error_of(part, code) if code >= 0 else _RULES[Limit(code)] for code in codes.tolist()]
        who[first:last] = np.array([known.setdefault(each, len(known)) for each in limiters], np.int64)[number]
    for step, limiter in _ended_by_events(log, happened):
        who[step] = known.setdefault(limiter, len(known))
    return StepLimits(log.start, _advance(log), log.failures, who, tuple(known))


def _advance(log: StepLog) -> FloatArray:
    """How far each step went: one that an event ended went to the start of the next."""
    advance = log.size.copy()
    to_next = np.diff(log.start)
    advance[:-1] = np.where(to_next > 0.0, np.minimum(advance[:-1], to_next), advance[:-1])
    return advance


def _error_of(part: LogPart, component: int) -> Limiter:
    model = part.model
    unknown = int(part.unknowns[component])
    name = variable_text(model, int(model.unknowns[unknown]))
    return Limiter(Kind.ERROR, name, variable_location(model.flat, int(model.written[unknown])), unknown)


def _ended_by_events(log: StepLog, happened: tuple[Happened, ...]) -> list[tuple[int, Limiter]]:
    """The steps that ended early at a root, with the first relation that passed zero there."""
    if not happened or log.kept < 2:
        return []
    start = log.start
    end = start[:-1] + log.size[:-1]
    scale = _SAME * max(float(np.abs(start).max()), float(np.ptp(start)))
    is_cut = (start[1:] < end - scale - 1e-9 * log.size[:-1]) & (start[1:] > start[:-1])
    times = np.array([each.time for each in happened])
    model = log.parts[0].model

    @cache
    def limiter(relation: int) -> Limiter:
        statement = statement_of_relation(model, relation)
        return Limiter(Kind.EVENT, statement.text, statement.location)

    found = []
    for step in np.flatnonzero(is_cut).tolist():
        first, last = times.searchsorted([start[step + 1] - scale, start[step + 1] + scale])
        passing = next((each.passing for each in happened[first:last] if len(each.passing)), None)
        if passing is not None:
            found.append((step, limiter(int(passing[0]))))
    return found

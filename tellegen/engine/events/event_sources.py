"""Which statements made the events of a run: the equations and when-statements, where they were written, and when."""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from tellegen.engine.events.event_descriptions import fired_text, relation_row, relation_statement
from tellegen.engine.readout.discrete_history import Happened
from tellegen.ir.flat import Group
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.reduced_rows import statement_location
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass


@dataclass(frozen=True)
class EventStatement:
    """A statement with conditions, in the user's words, and where it was written."""

    text: str
    location: SourceLocation


@dataclass(frozen=True, eq=False)
class EventSource:
    """A statement that took part in events, and their times."""

    statement: EventStatement
    times: FloatArray
    is_located: bool  # by root functions; other events are at times known in advance

    @property
    def shortest_gap(self) -> float:
        """The shortest time between two of its events; infinite if there is only one."""
        return float(np.diff(self.times).min(initial=np.inf))


def event_sources(model: ReducedModel, log: tuple[Happened, ...]) -> tuple[EventSource, ...]:
    """The statements that took part in events, the busiest first; of a when-statement each branch by itself."""
    of_condition = cache(partial(_of_condition, model))
    of_relation = cache(partial(statement_of_relation, model))
    times: dict[EventStatement, list[float]] = {}
    located: set[EventStatement] = set()
    for happened in log:
        statements = {of_condition(k) for k in happened.fired.tolist()}
        for k in np.union1d(happened.switched, happened.passing).tolist():
            if relation_row(model, k)[0].source >= 0:  # those of when-statements are seen when these act
                statements.add(of_relation(k))
        for statement in statements:
            times.setdefault(statement, []).append(happened.time)
        if len(happened.passing):
            located |= statements
    found = [EventSource(statement, np.unique(when), statement in located) for statement, when in times.items()]
    return tuple(sorted(found, key=lambda source: (-len(source.times), source.statement.text)))


def statement_of_relation(model: ReducedModel, number: int) -> EventStatement:
    """The equation, when-statement or assertion that a relation stands in."""
    group, row = relation_row(model, number)
    written = _written(model, group.source)
    written_row = int(group.source_rows[row])
    return EventStatement(relation_statement(model, number), statement_location(model.flat, written, written_row))


def _written(model: ReducedModel, source: int) -> Group:
    """The group of the flat model; those before zero are when-statements, assertions numbered after them."""
    flat = model.flat
    if source >= 0:
        return flat.equations[source]
    number = -1 - source
    return flat.whens[number] if number < len(flat.whens) else flat.assertions[number - len(flat.whens)]


def _of_condition(model: ReducedModel, condition: int) -> EventStatement:
    """The when-statement, or the transition of modes, with a condition."""
    events = model.events
    assert events is not None
    when = int(events.first_condition.searchsorted(condition, side="right")) - 1
    source, row = events.sources[when]
    text = fired_text(model.flat, source, row, condition - int(events.first_condition[when]))
    return EventStatement(text, statement_location(model.flat, model.flat.whens[source], row))

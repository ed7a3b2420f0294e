"""Events in the user's words: the statements whose conditions switched or that fired, and the values they saw."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.events.event_handler import Happening
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.readout.discrete_history import Event, Happened
from tellegen.engine.request.parameter_and_start_vectors import values_text
from tellegen.ir.events import REINIT, Values
from tellegen.ir.expressions.expr import Slot, walk
from tellegen.ir.expressions.template import WhenTemplate
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import UNKNOWN, ReducedGroup, ReducedModel
from tellegen.ir.show.shorten import shortened
from tellegen.ir.show.statements import row_names, show_row

_SHOWN = 5


def happening_texts(model: NativeModel, happening: Happening) -> tuple[str, ...]:
    """The statements that took part in an event, each once."""
    fired = [_when(model.reduced, when, branch) for when, branch in happening.fired]
    in_equations = [text for k in happening.switched[:_SHOWN] if (text := _relation_text(model.reduced, int(k)))]
    return tuple(dict.fromkeys([*fired, *in_equations]))


def convergence_advice(model: NativeModel, happening: Happening) -> str:
    """What to do where event iteration finds no end: a reinit may compute its value from what it changes."""
    if _reads_unknowns(model.reduced, set(happening.fired)):
        return "in a when clause a variable is its value after the event: use tg.pre(...) for the value before it"
    return "add a hysteresis to the conditions, or start on one side of them"


def _reads_unknowns(model: ReducedModel, fired: set[tuple[int, int]]) -> bool:
    """Whether the value of a reinit in these clauses and branches reads an unknown, not only its past."""
    events = model.events
    assert events is not None
    actions = events.actions
    clauses = zip(actions.when.tolist(), actions.branch.tolist(), strict=True)
    mine = np.array([clause in fired for clause in clauses], bool) & (actions.verb == REINIT)
    return any(
        np.isin(indices, actions.value[mine]).any()
        and any(isinstance(node, Slot) and group.kinds[node.index] == UNKNOWN for node in walk(group.residual))
        for group, indices in zip(events.values.groups, events.values.indices, strict=True)
    )


def relation_texts(model: NativeModel, relations: Any) -> tuple[str, ...]:
    """The equations in which relations stand, each once; of conditions alone the when-statements."""
    reduced = model.reduced
    numbers = [int(k) for k in relations]
    in_equations = [k for k in numbers if relation_row(reduced, k)[0].source >= 0]
    return tuple(dict.fromkeys(relation_statement(reduced, k) for k in (in_equations or numbers)[:_SHOWN]))


def event_log(model: ReducedModel, log: tuple[Happened, ...]) -> tuple[Event, ...]:
    """Events in words; those in which no statement took part (a flag that only leaves an event) are left out."""
    events = model.events
    assert events is not None
    when_of = np.repeat(np.arange(events.whens), np.diff(events.first_condition))
    known: dict[tuple[bytes, bytes], tuple[str, ...]] = {}  # a converter repeats a few events thousands of times
    entries = []
    for happened in log:
        switched = happened.switched[:_SHOWN]
        what = (happened.fired.tobytes(), switched.tobytes())
        if what not in known:
            whens = when_of[happened.fired]
            branches = happened.fired - events.first_condition[whens]
            texts = [_when(model, *fired) for fired in zip(whens.tolist(), branches.tolist(), strict=True)]
            texts += [text for k in switched.tolist() if (text := _relation_text(model, k))]
            known[what] = tuple(dict.fromkeys(texts))
        if known[what]:
            entries.append(Event(happened.time, known[what]))
    return tuple(entries)


def _when(model: ReducedModel, when: int, branch: int) -> str:
    assert model.events is not None
    return fired_text(model.flat, *model.events.sources[when], branch)


def _relation_text(model: ReducedModel, number: int) -> str:
    """The equation of a relation; nothing for one that stands in a when-statement."""
    return relation_statement(model, number) if relation_row(model, number)[0].source >= 0 else ""


def fired_text(flat: FlatModel, source: int, row: int, branch: int) -> str:
    """A when-statement that acted; of modes the transition that was taken."""
    group = flat.whens[source]
    assert isinstance(group.template, WhenTemplate)
    title = group.template.branches[branch].title
    if not title:
        return show_row(flat, group, row)
    path = flat.tree.path(*group.owner(row))
    return f"{path}.{title}" if path else title


def _condition(flat: FlatModel, source: int, row: int) -> str:
    """A when-statement, of modes all transitions, or an assertion, numbered after the when clauses."""
    if source >= len(flat.whens):
        return show_row(flat, flat.assertions[source - len(flat.whens)], row)
    template = flat.whens[source].template
    assert isinstance(template, WhenTemplate)
    taken = [k for k, branch in enumerate(template.branches) if "->" in branch.title]
    return ", ".join(fired_text(flat, source, row, k) for k in taken or [0])


def switching_values(model: NativeModel, happening: Happening, y: FloatArray) -> tuple[str, ...]:
    """The unknowns in the relations that switched, with their values."""
    found: dict[str, None] = {}
    for number in dict.fromkeys(happening.switched[-_SHOWN:].tolist()):
        group, row = relation_row(model.reduced, number)
        for slot, kind in enumerate(group.kinds):
            if kind == UNKNOWN:
                index = int(model.reduced.position[group.bindings[row, slot]])
                found.setdefault(values_text(model.flat, int(model.reduced.written[index]), float(y[index])))
    return tuple(found)


def relation_row(model: ReducedModel, number: int) -> tuple[ReducedGroup, int]:
    """The group of a relation, and its row there."""
    events = model.events
    assert events is not None
    differences = events.relations.differences
    for group, indices in zip(differences.groups, differences.indices, strict=True):
        if indices[0] <= number <= indices[-1]:
            return group, number - int(indices[0])
    raise IndexError(number)


def relation_statement(model: ReducedModel, number: int) -> str:
    """The equation or when-statement a relation stands in; of modes all their transitions."""
    return _source_text(model, *relation_row(model, number))


def statement_text(model: ReducedModel, values: Values, numbers: Any) -> str:
    """The statement in which one of some computed numbers stands; nothing where none does."""
    for group, indices in zip(values.groups, values.indices, strict=True):
        rows = np.flatnonzero(np.isin(indices, numbers))
        if len(rows):
            return _source_text(model, group, int(rows[0]))
    return ""


def _source_text(model: ReducedModel, group: ReducedGroup, row: int) -> str:
    if group.source < 0:
        return _condition(model.flat, -1 - group.source, int(group.source_rows[row]))
    source = model.flat.equations[group.source]
    return shortened(source.template, row_names(model.flat, source, int(group.source_rows[row])))

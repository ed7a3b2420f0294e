"""What must hold of events: indices that are given out once, numbers that are computed once, actions that exist."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tellegen.ir.check.faults import once, within
from tellegen.ir.check.reduced_groups import group_faults
from tellegen.ir.events import ASSIGN, REINIT, Actions, Events, InitialAssignments, Values
from tellegen.ir.reduced import ReducedModel


def event_faults(model: ReducedModel, events: Events) -> Iterator[str]:
    """What is wrong with the events of a model."""
    for name, values in tables_of(events).items():
        yield from _value_faults(model, name, values)
    yield from _place_faults(model, events)
    for name, table in (("relations", events.relations), ("instants", events.instants)):
        if not len(table.flag) == len(table.operator) == table.differences.count:
            yield f"{name} with columns of different length"
    gates = events.gates
    if len(gates.relation) != gates.values.count or not within(gates.relation, len(events.relations.flag)):
        yield "a gate of a relation that does not exist"
    yield from _when_faults(events)
    yield from _action_faults(model, events.actions, events)
    yield from _initial_faults(model, events.initial)


def tables_of(events: Events) -> dict[str, Values]:
    """All that is computed at events."""
    return {
        "relations": events.relations.differences,
        "gates": events.gates.values,
        "instants": events.instants.differences,
        "samples": events.samples.values,
        "delays": events.delays.values,
        "conditions": events.conditions,
        "values": events.values,
        "initial values": events.initial.values,
    }


def _value_faults(model: ReducedModel, name: str, values: Values) -> Iterator[str]:
    """Every number is computed by one row."""
    if not values.groups and not values.indices and not values.count:
        return
    yield from (f"{name}: {fault}" for fault in group_faults(model, tuple(values.groups)))
    for group, numbers in zip(values.groups, values.indices, strict=True):
        if len(numbers) != group.rows:
            yield f"{name}: {len(numbers)} numbers for {group.rows} rows"
    numbers = np.concatenate([np.zeros(0, np.int64), *values.indices]).astype(np.int64)
    if not once(numbers, values.count):
        yield f"{name}: a number that is computed twice, or not at all"


def _place_faults(model: ReducedModel, events: Events) -> Iterator[str]:
    """Every entry among the parameters is allocated once."""
    given = (
        [events.initial_index, events.terminal_index],
        events.pre_index,
        events.relations.flag,
        events.instants.flag,
        events.samples.flag,
        events.delays.entries,
        events.levels.index,
    )
    indices = np.concatenate(given).astype(np.int64) - model.homotopy_index - 1
    if not once(indices, events.entry_count):
        yield "an entry for events that is allocated twice, or not at all"
    if len(events.pre_index) != len(events.pre_variable) or not within(events.pre_variable, model.variable_count):
        yield "an entry for the past of a variable that does not exist"


def _when_faults(events: Events) -> Iterator[str]:
    first = events.first_condition
    if first[0] != 0 or (np.diff(first) < 1).any() or first[-1] != events.conditions.count:
        yield "when-statements whose conditions do not follow one another"
    if len(events.sources) != events.whens:
        yield f"{len(events.sources)} sources for {events.whens} when-statements"


def _initial_faults(model: ReducedModel, initial: InitialAssignments) -> Iterator[str]:
    columns = (initial.sign, initial.value, initial.tentative)
    if any(len(column) != len(initial.index) for column in columns):
        yield "initial values of discrete variables with columns of different length"
    is_discrete = initial.index >= model.flat.parameters.count
    if not within(initial.value, initial.values.count) or not is_discrete.all():
        yield "an initial value that does not exist, or of something that is not a discrete variable"


def _action_faults(model: ReducedModel, actions: Actions, events: Events) -> Iterator[str]:
    count = len(actions.when)
    columns = (actions.branch, actions.verb, actions.target, actions.sign, actions.value, events.messages)
    if any(len(column) != count for column in columns):
        yield "actions with columns of different length"
    if not within(actions.when, events.whens) or not within(actions.value, events.values.count):
        yield "an action of a when-statement, or with a value, that does not exist"
    if (actions.branch >= np.diff(events.first_condition)[actions.when]).any() or (actions.branch < 0).any():
        yield "an action of a branch that does not exist"
    assigned, reinitialized = (actions.target[actions.verb == verb] for verb in (ASSIGN, REINIT))
    if not within(assigned, model.variable_count) or (model.known_position[assigned] < 0).any():
        yield "an assignment to something that is not a discrete variable"
    if not within(reinitialized, model.variable_count):
        yield "a reinitialization of something that is not a variable"
    always = events.always
    if not len(always.variable) == len(always.sign) == len(always.value):
        yield "discrete equations with columns of different length"
    if not within(always.value, events.values.count) or not within(events.levels.value, events.values.count):
        yield "a discrete equation with a value that does not exist"
    if not within(always.variable, model.variable_count) or (model.known_position[always.variable] < 0).any():
        yield "a discrete equation for something that is not a discrete variable"

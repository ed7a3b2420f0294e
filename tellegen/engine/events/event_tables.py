"""The record that event code works on (event_iteration.py), and the tables of a model that stand in it.

Everything discrete lives in the vector of parameters (ir/events.py). A record belongs to one run; the tables are made
once for a model and shared by all its runs.
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.engine.events.tables.order_of_whens import levels_of_whens
from tellegen.engine.events.tables.resting_relations import compare_both_sides, may_rest_at_zero
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.record import Record
from tellegen.engine.runtime.events.event_record import STAGES, EventRun
from tellegen.ir.events import ASSIGN, REINIT, Events, InitialAssignments, Values
from tellegen.ir.expressions.expr import Time, walk
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import KNOWN, PARAMETER, UNKNOWN, ReducedModel
from tellegen.procedures.language import field_names
from tellegen.start.records import dataclass

_ENTRIES = {
    "relation_entry": "differences",
    "gate_entry": "gates",
    "instant_entry": "instants",
    "sample_entry": "samples",
    "condition_entry": "conditions",
    "value_entry": "values",
    "initial_entry": "initial_values",
    "delay_entry": "delays",
}
"""What is computed at events: fields of the record, and entries of the program."""


@dataclass(frozen=True, eq=False)
class EventTables:
    """What is the same in all runs of a model."""

    model: NativeModel
    events: Events
    shared: dict[str, Any] = field(default_factory=dict)  # words of the record
    action_number: Any = None  # of Events.actions, in the order of the tables

    @cached_property
    def depends_on_time(self) -> bool:
        """Whether something changes with time itself other than at instants that are computed."""
        groups = (*self.model.reduced.groups, *self.events.relations.differences.groups)
        return any(isinstance(node, Time) for group in groups for node in walk(group.residual))

    @cached_property
    def uses_terminal(self) -> bool:
        """Whether a condition or an action reads terminal()."""
        index = self.events.terminal_index
        groups = (*self.events.conditions.groups, *self.events.values.groups)
        return any(
            kind == PARAMETER and bool((group.bindings[:, slot] == index).any())
            for group in groups
            for slot, kind in enumerate(group.kinds)
        )


def event_tables(model: NativeModel) -> EventTables:
    """The tables of a model, made on first use."""
    return model.derived(_made)


def _made(model: NativeModel) -> EventTables:
    events = model.reduced.events
    reduced = model.reduced
    assert events is not None
    discrete = reduced.known_position[events.pre_variable] >= 0
    always = events.always
    levels = events.levels
    actions = events.actions
    order = _by_condition(events)
    target = np.maximum(actions.target[order], 0)
    in_p = reduced.known_position[target]
    in_y = reduced.position[target]
    verb = actions.verb[order]
    condition = events.first_condition[actions.when[order]] + actions.branch[order]
    shared: dict[str, Any] = {
        "size": len(reduced.unknowns),
        **_relation_tables(reduced, events),
        "instant_count": events.instants.differences.count,
        "instant_flag": _ints(events.instants.flag),
        "instant_operator": _ints(events.instants.operator),
        "sample_count": len(events.samples.flag),
        "sample_flag": _ints(events.samples.flag),
        "condition_count": events.conditions.count,
        **_whens(reduced, events),
        "active_at_start": _ints(events.active_at_start),
        "act_first": _ints(events.act_first),
        "events_at_start": int(events.events_at_start),
        "reinit_at_once": int(events.reinit_at_once),
        "reinit_is_shared": int(events.reinit_at_once or not reduced.is_state[in_y[verb == REINIT]].all()),
        "action_start": _ints(np.searchsorted(condition, np.arange(events.conditions.count + 1))),
        "action_verb": _ints(verb),
        "action_index": _ints(np.where(verb == ASSIGN, in_p, np.where(verb == REINIT, in_y, -1))),
        "action_sign": actions.sign[order].astype(float),
        "action_value": _ints(actions.value[order]),
        "action_follows": _ints(followers(events)[actions.value[order]]),
        "discrete_count": len(always.value) + len(levels.value),
        "level_count": len(levels.value),
        "discrete_index": _ints(np.concatenate([reduced.known_position[always.variable], levels.index])),
        "discrete_sign": np.concatenate([always.sign, np.ones(len(levels.value))]).astype(float),
        "discrete_value": _ints(np.concatenate([always.value, levels.value])),
        **_initial(events.initial),
        "discrete_pre_count": int(discrete.sum()),
        "discrete_pre_index": _ints(events.pre_index[discrete]),
        "discrete_pre_source": _ints(reduced.known_position[events.pre_variable[discrete]]),
        "unknowns_read_pre": int(_reads_past(reduced, events.pre_index)),
        "unknown_pre_count": int((~discrete).sum()),
        "unknown_pre_index": _ints(events.pre_index[~discrete]),
        "unknown_pre_source": _ints(reduced.position[events.pre_variable[~discrete]]),
        **_delays(events),
        "initial_index": events.initial_index,
        "terminal_index": events.terminal_index,
        "state_count": int(reduced.is_state.sum()),
        "state_index": _ints(np.flatnonzero(reduced.is_state)),
    }
    shared |= {field: model.entries[name].words for field, name in _ENTRIES.items()}
    return EventTables(model, events, shared, order)


def _whens(model: ReducedModel, events: Events) -> dict[str, Any]:
    """The when-statements that conditions belong to, and their levels."""
    of_condition = np.repeat(np.arange(events.whens), np.diff(events.first_condition))
    level = levels_of_whens(model, events)
    return {
        "condition_when": _ints(of_condition),
        "condition_level": _ints(level[of_condition]),
        "last_level": int(level.max(initial=0)),
    }


def _delays(events: Events) -> dict[str, Any]:
    """Delays; a column is noted for a constant one, two for one that varies, three for a transport."""
    delays = events.delays
    columns = np.cumsum([0, *(delays.kind.astype(int) + 1)])
    flags = events.relations.flag
    number = np.full(max((0, *flags, *delays.rises, *delays.falls)) + 2, -1)  # the last one for those without a flag
    number[flags] = np.arange(len(flags))
    return {
        "delay_count": len(delays.index),
        "delay_kind": _ints(delays.kind),
        "delay_number": _ints(delays.number),
        "delay_index": _ints(delays.index),
        "delay_window": _ints(delays.windows),
        "delay_rises": _ints(number[delays.rises]),
        "delay_falls": _ints(number[delays.falls]),
        "rises_flag": _ints(delays.rises),
        "falls_flag": _ints(delays.falls),
        "varying_count": int(delays.varies.sum()),
        "note_column": _ints(columns[:-1]),
        "note_width": int(columns[-1]),
    }


def _initial(initial: InitialAssignments) -> dict[str, Any]:
    """What initial equations give discrete variables."""
    return {
        "initial_count": len(initial.index),
        "initial_place": _ints(initial.index),
        "initial_sign": initial.sign.astype(float),
        "initial_number": _ints(initial.value),
        "initial_tentative": _ints(initial.tentative),
    }


def new_record(tables: EventTables, p: FloatArray) -> Record:
    """A record for runs of the model, with work space of its own; y, y' and what solves for them come later."""
    events = tables.events
    shared = tables.shared
    n = tables.shared["size"]
    relations = shared["relation_count"]
    conditions = shared["condition_count"]
    room = 4 * (relations + conditions) + 64
    record = Record(field_names(EventRun))
    record.set(**shared, p=p, p_size=len(p), p_event=np.zeros(max(len(p), 1)))
    counted: dict[str, Values] = {
        "differences": events.relations.differences,
        "differences_before": events.relations.differences,
        "differences_here": events.relations.differences,
        "gates": events.gates.values,
        "instant_differences": events.instants.differences,
        "instant_slopes": events.instants.differences,
        "clocks": events.samples.values,
        "conditions": events.conditions,
        "values": events.values,
        "values_before": events.values,
        "initial_values": events.initial.values,
    }
    record.set(**{name: np.zeros(max(values.count, 1)) for name, values in counted.items()})
    floats = ("band", "band_event", "last_return", "return_gap")
    sizes = ("largest_difference", "changes_at", "differences_at_point")
    record.set(**{name: np.zeros(max(relations, 1)) for name in (*floats, *sizes)})
    marks = ("roots", "passed", "mark", "tied", "flags_before", "roots_before", "crossed", "wrong")
    record.set(**{name: np.zeros(max(relations, 1), np.int32) for name in marks})
    record.set(rest_size=np.zeros(max(shared["rest_count"], 1)), is_iterated=0)
    record.set(matters=np.ones(max(relations, 1), np.int32))
    record.set(root_values=np.zeros(max(STAGES * relations, 1)))
    record.set(**{name: np.zeros(max(conditions, 1), np.int32) for name in ("was_true", "was_true_event")})
    record.set(chosen=np.zeros(max(2 * conditions, 1), np.int32))  # of a round, and those that wait for the next one
    record.set(impulses=0, impulse_count=0)
    record.set(discrete_before=np.zeros(max(shared["discrete_count"], 1)))
    record.set(delayed=np.zeros(max(events.delays.values.count, 1)))
    record.set(note_peak=np.zeros(max(shared["note_width"], 1)))
    samples = max(shared["sample_count"], 1)
    whens = max(events.whens, 1)
    record.set(tick=np.zeros(samples), tick_time=np.zeros(samples))
    record.set(when_stamp=np.zeros(whens, np.int32), shrinking=np.zeros(whens, np.int32))
    record.set(**{name: np.full(whens, np.nan) for name in ("last_fired", "fired_gap", "gap_ratio")})
    for name in ("y_event", "y_saved", "y_before", "y_point", "y_start"):
        record.set(**{name: np.zeros(max(n, 1)), name.replace("y", "yp", 1): np.zeros(max(n, 1))})
    record.set(switched=np.zeros(room, np.int32), switched_room=room, fired=np.zeros(room, np.int32), fired_room=room)
    return record


def _relation_tables(model: ReducedModel, events: Events) -> dict[str, Any]:
    """What does not change of relations of unknowns, and of the gates that some of them have."""
    compares = compare_both_sides(model, events.relations.differences)
    may_rest = may_rest_at_zero(model, events.relations.differences) | compares
    resting = np.flatnonzero(compares)
    return {
        "relation_count": events.relations.differences.count,
        "relation_flag": _ints(events.relations.flag),
        "relation_operator": _ints(events.relations.operator),
        **_read_by_relations(model, events.relations.differences),
        "may_rest": _ints(may_rest),
        "rest_count": len(resting),
        "rest_relation": _ints(np.append(resting, 0)),
        "gate_count": events.gates.values.count,
        "gate_relation": _ints(events.gates.relation),
    }


def _read_by_relations(model: ReducedModel, differences: Values) -> dict[str, Any]:
    """The indices of the unknowns that each relation reads."""
    numbers: list[Any] = [np.zeros(0, np.int64)]
    indices: list[Any] = [np.zeros(0, np.int64)]
    for group, mine in zip(differences.groups, differences.indices, strict=True):
        for slot, kind in enumerate(group.kinds):
            if kind == UNKNOWN:
                numbers.append(np.asarray(mine))
                indices.append(model.position[group.bindings[:, slot]])
    number = np.concatenate(numbers)
    index = np.concatenate(indices)
    order = np.argsort(number, kind="stable")
    start = np.searchsorted(number[order], np.arange(differences.count + 1))
    return {"read_start": _ints(start), "read_index": _ints(np.append(index[order], 0))}


def _reads_past(model: ReducedModel, indices: Any) -> bool:
    """Whether an equation of the unknowns reads pre(), so that they move when the past does."""
    parameters = [
        group.bindings[:, slot] for group in model.groups for slot, kind in enumerate(group.kinds) if kind == PARAMETER
    ]
    return any(np.isin(column, indices).any() for column in parameters)


def _ints(values: Any) -> Any:
    return np.ascontiguousarray(values, np.int32)


def _by_condition(events: Events) -> Any:
    """Actions in the order of their conditions, those of one condition as written."""
    actions = events.actions
    return np.argsort(events.first_condition[actions.when] + actions.branch, kind="stable")


def followers(events: Events) -> Any:
    """Which values of actions read discrete variables that actions assign: they are equations of the same instant."""
    follow = np.zeros(max(events.values.count, 1), bool)
    assigned = events.actions.target[events.actions.verb == ASSIGN]
    for group, indices in zip(events.values.groups, events.values.indices, strict=True):
        for slot, kind in enumerate(group.kinds):
            if kind == KNOWN:
                follow[indices] |= np.isin(group.bindings[:, slot], assigned)
    return follow

"""The events of a model as constants of its kernel, and what of them kernels do not do."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.events.event_tables import followers
from tellegen.engine.events.tables.order_of_whens import levels_of_whens
from tellegen.ensembles.model.places import Places
from tellegen.ensembles.refused import RefusedError
from tellegen.ir.events import ASSERT, ASSIGN, OPERATOR_NUMBERS, OPERATORS, REACH, REINIT, TERMINATE, Events
from tellegen.ir.reduced import ReducedModel

_GREATER = OPERATORS["gt"]
_REACHED = OPERATOR_NUMBERS[REACH]
_WITH_EQUAL = (OPERATORS["le"], OPERATORS["ge"])


def refuse_events(events: Events) -> None:
    """What is left to the scalar engine."""
    reasons = {
        "it has delays": len(events.delays.index) > 0,
        "initial equations give discrete variables": len(events.initial.index) > 0,
        "equations or conditions read initial()": events.reads_initial,
        "its when-statements act at the start by the rules of Modelica": not events.events_at_start,
        "reinit waits for the end of a round": not events.reinit_at_once,
    }
    for reason, holds in reasons.items():
        if holds:
            raise RefusedError(reason)


def event_constants(model: ReducedModel, events: Events, places: Places) -> dict[str, Any]:
    """Tables of relations, conditions and actions for kernels/events/."""
    refuse_events(events)
    slots = places.slots
    actions = events.actions
    first = np.asarray(events.first_condition)
    when_of = np.repeat(np.arange(len(first) - 1), np.diff(first))
    condition = [int(first[when] + branch) for when, branch in zip(actions.when, actions.branch, strict=True)]
    assigned = [_slot(model, places, int(target)) if verb == ASSIGN else 0 for target, verb in _verbs(events)]
    state = [_state(model, places, int(target)) if verb == REINIT else 0 for target, verb in _verbs(events)]
    ends = {TERMINATE: 1.0, ASSERT: -1.0}
    level_of_when = levels_of_whens(model, events)
    tables: dict[str, Any] = {
        **_relations("", events.relations.operator),
        **_relations("INSTANT_", events.instants.operator),
        "FLAG_SLOT": [slots[int(flag)] for flag in events.relations.flag],
        "INSTANT_SLOT": [slots[int(flag)] for flag in events.instants.flag],
        "SAMPLE_SLOT": [slots[int(flag)] for flag in events.samples.flag],
        "GATE_RELATION": events.gates.relation.tolist(),
        "PRE_SLOT": [slots[int(index)] for index in events.pre_index],
        **_equations(model, events, places),
        "CONDITION_WHEN": when_of.tolist(),
        "CONDITION_LEVEL": level_of_when[when_of].tolist(),
        "LAST_LEVEL": [int(level_of_when.max(initial=0))],
        "ACTS_AT_START": [float(each) for each in events.active_at_start],
        "INITIAL_SLOT": [slots[events.initial_index]],
        "ACTION_CONDITION": condition,
        "ACTION_VALUE": actions.value.tolist(),
        "ACTION_SIGN": [float(sign) or 1.0 for sign in actions.sign],
        "ACTION_ASSIGNS": [float(verb == ASSIGN) for verb in actions.verb],
        "ACTION_SLOT": assigned,
        "ACTION_REINITS": [float(verb == REINIT) for verb in actions.verb],
        "ACTION_STATE": state,
        "ACTION_FOLLOWS": followers(events)[actions.value].astype(float).tolist(),
        "ACTION_ENDS": [ends.get(int(verb), 0.0) for verb in actions.verb],
    }
    floats = ("GREATER", "EQUAL", "RISES", "SIGN", "ASSIGNS", "REINITS", "FOLLOWS", "ENDS", "AT_START")
    return {name: tuple(table) or ((0.0,) if name.endswith(floats) else (0,)) for name, table in tables.items()}


def _verbs(events: Events) -> list[tuple[int, int]]:
    return list(zip(events.actions.target.tolist(), events.actions.verb.tolist(), strict=True))


def _relations(prefix: str, operator: Any) -> dict[str, list[float]]:
    """Of which kind relations are, and whether they hold where both sides are equal.

    A level that time raises is reached where it will be so just after its instant.
    """
    equal = (*_WITH_EQUAL, _REACHED) if prefix else _WITH_EQUAL
    return {
        f"{prefix}GREATER": [float(each >= _GREATER) for each in operator],
        f"{prefix}EQUAL": [float(each in equal) for each in operator],
        f"{prefix}RISES": [float(each == _REACHED) for each in operator],
    }


def _equations(model: ReducedModel, events: Events, places: Places) -> dict[str, list[Any]]:
    """Discrete variables that equations give, and levels after them."""
    always = events.always
    levels = events.levels
    own = [_slot(model, places, int(variable)) for variable in always.variable]
    return {
        "EQUATION_SLOT": own + [places.slots[int(index)] for index in levels.index],
        "EQUATION_VALUE": always.value.tolist() + levels.value.tolist(),
        "EQUATION_SIGN": [float(sign) for sign in always.sign] + [1.0] * len(levels.index),
    }


def _slot(model: ReducedModel, places: Places, variable: int) -> int:
    """Where a discrete variable stands in a run."""
    index = int(model.known_position[variable])
    if index not in places.slots:
        raise RefusedError("an action assigns to something that is not discrete")
    return places.slots[index]


def _state(model: ReducedModel, places: Places, variable: int) -> int:
    """The number of a state that an action sets."""
    position = int(model.position[variable])
    if position not in places.x:
        raise RefusedError("reinit sets something other than a state")
    return places.x[position]

"""Check reinits: what is reinitialized is a state or tied to states, and its new value is not computed from itself.

v == 2*x, der(x) == 1, when ...: reinit(v, 0)                E293: v follows from x, and a new value would be lost
when ...: reinit(v, -e*v)                                    E295: v is the new value here; pre(v) is the old one
when ...: reinit(a, b), reinit(b, a)                         E295: each new value is the other one

Where reinits act last (`Rules.reinit_at_once`, as in Modelica), the last two are the old values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.errors import StructureError
from tellegen.ir.events import REINIT, Events
from tellegen.ir.expressions.expr import Slot, walk
from tellegen.ir.reduced import UNKNOWN, ReducedModel
from tellegen.ir.show.reduced_rows import variable_text
from tellegen.ir.show.statements import show_row


def check_reinits(model: ReducedModel) -> ReducedModel:
    """See the top of this file."""
    if model.events is None:
        return model
    actions = model.events.actions
    mine = np.flatnonzero(actions.verb == REINIT)
    if not len(mine):
        return model
    place = model.position[actions.target[mine]]
    wrong = mine[(place < 0) | ~(model.is_state | model.jumps_with_others)[place]]
    if len(wrong):
        raise _not_a_state(model, model.events, int(wrong[0]))
    circle = _circle(model.events, mine) if model.events.reinit_at_once else mine[:0]
    if len(circle):
        raise _reads_itself(model, model.events, circle)
    return model


def _circle(events: Events, mine: Any) -> Any:
    """The reinits of one clause whose new values are computed from each other; none as a rule."""
    reader, read = _pairs(events, mine)
    circular = np.ones(len(mine), bool)
    while True:  # what reads no circular value is not circular
        follows = np.zeros(len(mine), bool)
        follows[reader[circular[reader] & circular[read]]] = True
        if (follows == circular).all():
            break
        circular = follows
    found = mine[circular]
    return found[events.actions.when[found] == events.actions.when[found[:1]]]


def _pairs(events: Events, mine: Any) -> tuple[Any, Any]:
    """Reinits of one clause, by their numbers in `mine`: the value of the first reads the target of the second."""
    actions = events.actions
    number = {_key(events, int(action), int(actions.target[action])): k for k, action in enumerate(mine)}
    reinit_of_value = np.full(max(events.values.count, 1), -1)
    reinit_of_value[actions.value[mine]] = np.arange(len(mine))
    pairs: list[tuple[int, int]] = []
    for group, values in zip(events.values.groups, events.values.indices, strict=True):
        slots = {node.index for node in walk(group.residual) if isinstance(node, Slot)}
        read = [slot for slot in slots if group.kinds[slot] == UNKNOWN]
        readers = reinit_of_value[values]
        for row in np.flatnonzero(readers >= 0):
            reader = int(readers[row])
            keys = [_key(events, int(mine[reader]), int(variable)) for variable in group.bindings[row, read]]
            pairs += [(reader, number[key]) for key in keys if key in number]
    found = np.array(pairs, np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _key(events: Events, action: int, variable: int) -> tuple[int, int, int]:
    """A variable in the clause of an action."""
    return int(events.actions.when[action]), int(events.actions.branch[action]), variable


def _clause(model: ReducedModel, events: Events, action: int) -> dict[str, Any]:
    """Where the clause of an action was written, and how it reads."""
    source, row = events.sources[int(events.actions.when[action])]
    when = model.flat.whens[source]
    return {"location": when.template.location, "details": [show_row(model.flat, when, row)]}


def _not_a_state(model: ReducedModel, events: Events, action: int) -> StructureError:
    name = variable_text(model, int(events.actions.target[action]))
    return StructureError(
        "E293",
        f"'{name}' cannot be reinitialized: it is not a state of this model, but computed from the states",
        **_clause(model, events, action),
        advice=f"reinit a state it is computed from (compiled.report() lists them), or make it one: "
        f"tg.variable(..., state='always') for '{name}'",
    )


def _reads_itself(model: ReducedModel, events: Events, circle: Any) -> StructureError:
    names = [variable_text(model, int(variable)) for variable in events.actions.target[circle]]
    them = " and ".join(f"'{name}'" for name in names)
    past = " and ".join(f"tg.pre({name.rsplit('.', 1)[-1]})" for name in names)
    return StructureError(
        "E295",
        f"the value that tg.reinit gives to {them} is computed from the new value itself",
        **_clause(model, events, int(circle[0])),
        advice=f"in a when clause a variable is its value after the event; the value before it is {past}",
    )

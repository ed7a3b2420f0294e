"""What an assertion or terminate() of a when-statement reports, with the values its message asks for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tellegen.ir.expressions.expr import Call, Expr, rebuild, same_with
from tellegen.ir.expressions.template import Action, WhenTemplate, formatted
from tellegen.ir.flat import Group
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.symbolic.evaluate import evaluate


class Moment(NamedTuple):
    """Where a run stands."""

    t: float
    y: FloatArray
    p: FloatArray


def action_message(model: ReducedModel, number: int, moment: Moment) -> str:
    """The message of an action, by its number in Events.actions."""
    events = model.events
    assert events is not None
    action, group, row = _statement(model, number)
    if not action.values:
        return events.messages[number]
    slots = [
        moment.p[index] if slot.parameter else _value(model, int(index), moment)
        for slot, index in zip(group.template.slots, group.bindings[row].tolist(), strict=True)
    ]
    return formatted(action.message, action.values, lambda value: float(evaluate(present(value), slots, time=moment.t)))


def _statement(model: ReducedModel, number: int) -> tuple[Action, Group, int]:
    """The action as written, with the row of its when-statement."""
    events = model.events
    assert events is not None
    actions = events.actions
    when = int(actions.when[number])
    branch = int(actions.branch[number])
    source, row = events.sources[when]
    group = model.flat.whens[source]
    template = group.template
    assert isinstance(template, WhenTemplate)
    alike = np.flatnonzero((actions.when == when) & (actions.branch == branch))
    return template.branches[branch].actions[int(np.searchsorted(alike, number))], group, row


def _value(model: ReducedModel, variable: int, moment: Moment) -> float:
    leader = int(model.representative[variable])
    position = int(model.position[leader])
    value = moment.y[position] if position >= 0 else moment.p[model.known_position[leader]]
    return float(model.sign[variable] * value)


def present(expr: Expr) -> Expr:
    """An expression with present values where it reads the past: for messages alone."""
    return rebuild(
        expr, lambda node, args: args[0] if isinstance(node, Call) and node.op == "pre" else same_with(node, args)
    )

"""Check discrete variables given by equations: they are computed at events, so their values must not move in between.

n == floor(x), on == (x > 3), d == pre(e) + 1      change at events only
n == x, d == 2*time                                E297: the equation would hold at events and nowhere else
d == y, y == where(x > 3, 1, 0)                    y is not declared discrete, but moves at events only
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.errors import StructureError
from tellegen.ir.expressions.expr import Der, Expr, Slot, Time, walk
from tellegen.ir.reduced import UNKNOWN, BoolArray, ReducedGroup, ReducedModel
from tellegen.ir.show.reduced_rows import variable_text
from tellegen.ir.show.statements import show_row
from tellegen.structure.reduction.discrete_equations import resting_unknowns


def check_discrete(model: ReducedModel) -> ReducedModel:
    """See the top of this file."""
    events = model.events
    if events is None or not len(events.always.value):
        return model
    is_given = np.isin(np.arange(events.values.count), events.always.value)
    rests: BoolArray | None = None
    for group, numbers in zip(events.values.groups, events.values.indices, strict=True):
        mine = np.flatnonzero(is_given[numbers])
        if not len(mine) or not _moves(group):
            continue
        if rests is None:
            rests = resting_unknowns(model)
        for row in mine.tolist():
            moving = _moving(model, group, row, rests)
            if moving is not None:
                raise _error(model, group, row, moving)
    return model


def _moves(group: ReducedGroup) -> bool:
    """Whether an expression may change between events: relations and levels in it have become parameters."""
    return any(isinstance(node, Time | Der) or _is_unknown(group, node) for node in walk(group.residual))


def _is_unknown(group: ReducedGroup, node: Expr) -> bool:
    return isinstance(node, Slot) and group.kinds[node.index] == UNKNOWN


def _moving(model: ReducedModel, group: ReducedGroup, row: int, rests: BoolArray) -> str | None:
    """What changes between events in a row, in words."""
    for node in walk(group.residual):
        if isinstance(node, Time):
            return "time"
        if isinstance(node, Der) or (_is_unknown(group, node) and not rests[model.position[_bound(group, row, node)]]):
            return f"'{variable_text(model, _bound(group, row, node), int(isinstance(node, Der)))}'"
    return None


def _bound(group: ReducedGroup, row: int, node: Any) -> int:
    return int(group.bindings[row, node.index])


def _error(model: ReducedModel, group: ReducedGroup, row: int, moving: str) -> StructureError:
    equation = model.flat.equations[group.source]
    return StructureError(
        "E297",
        f"an equation gives a discrete variable the value of {moving}, which changes between events",
        location=equation.template.location,
        details=[show_row(model.flat, equation, int(group.source_rows[row]))],
        advice="discrete variables keep their values between events: sample it,\n"
        "tg.when(tg.sample(0.0, period), n == x), take steps of it with tg.floor, or declare it without discrete=True",
    )

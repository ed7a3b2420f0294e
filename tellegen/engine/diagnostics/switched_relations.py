"""Where equations switch: relations and whole-number functions, and which of them differ between two points.

    u == where(time < 0.3, 0, 2)      at t = 0.2999 and t = 0.3001: `time < 0.3` has switched in this equation

Evaluated with NumPy, because it is asked only where an integration got stuck. Native root functions will follow the
same list of nodes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.errors import TellegenError
from tellegen.ir.expressions.expr import Call, Der, Expr, Slot, walk
from tellegen.ir.expressions.ops import RELATIONS
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import KNOWN, PARAMETER, UNKNOWN, ReducedGroup, ReducedModel
from tellegen.start.records import dataclass
from tellegen.symbolic.evaluate import evaluate

_STEPPED = frozenset({"sign", "floor", "ceil"})


@dataclass(frozen=True, eq=False)
class State:
    """A point in time with all numbers."""

    t: float
    y: FloatArray
    yp: FloatArray
    p: FloatArray


def switched(model: ReducedModel, before: State, after: State) -> list[int]:
    """Residual rows with a condition that is different at the two points."""
    rows: list[int] = []
    for offset, group in zip(model.offsets, model.groups, strict=False):
        for node in _switching(group):
            old, new = (np.broadcast_to(_value(model, group, node, s), group.rows) for s in (before, after))
            rows += [int(offset) + int(k) for k in np.flatnonzero(old != new)]
    return sorted(set(rows))


def can_switch(model: ReducedModel) -> bool:
    """Whether an equation has a condition of its own; those that are events are read as flags."""
    return any(_switching(group) for group in model.groups)


def divisors_passing_zero(model: ReducedModel, before: State, after: State) -> list[int]:
    """Residual rows that divide by something of different sign at the two points."""
    rows: list[int] = []
    for offset, group in zip(model.offsets, model.groups, strict=False):
        for node in walk(group.residual):
            if isinstance(node, Call) and node.op == "div":
                old, new = (np.broadcast_to(_value(model, group, node.args[1], s), group.rows) for s in (before, after))
                rows += [int(offset) + int(k) for k in np.flatnonzero(old * new < 0.0)]
    return sorted(set(rows))


def _switching(group: ReducedGroup) -> list[Expr]:
    """The nodes of a residual whose value jumps."""
    found: list[Expr] = []
    for node in walk(group.residual):
        if isinstance(node, Call) and node.op in RELATIONS | _STEPPED:
            found.append(node)
        elif isinstance(node, Call) and node.op == "mod":
            found.append(Call("floor", (Call("div", node.args),)))
    return found


def _value(model: ReducedModel, group: ReducedGroup, node: Expr, at: State) -> Any:
    slots: dict[int, Any] = {}
    ders: dict[int, Any] = {}
    for leaf in walk(node):
        if not isinstance(leaf, Slot | Der):
            continue
        kind = group.kinds[leaf.index]
        bound = group.bindings[:, leaf.index]
        if isinstance(leaf, Der):
            ders[leaf.index] = at.yp[model.position[bound]]
        elif kind == UNKNOWN:
            slots[leaf.index] = at.y[model.position[bound]]
        elif kind == KNOWN:
            slots[leaf.index] = at.p[model.known_position[bound]]
        elif kind == PARAMETER:
            slots[leaf.index] = at.p[bound]
    try:
        return evaluate(node, slots, time=at.t, ders=ders)
    except TellegenError:
        return np.nan  # external code rejects these numbers; callers only compare

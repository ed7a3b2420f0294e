"""Values that a model computes at an instant (conditions, actions, relations), with their exact derivatives.

integral := pre(integral) + T*ki*(reference - x)      derivatives by x, by pre(integral), by ki
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.ir.events import Values
from tellegen.ir.expressions.expr import Der, Expr, Slot, Time, walk
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import KNOWN, PARAMETER, UNKNOWN, ReducedGroup, ReducedModel
from tellegen.symbolic.build import is_zero
from tellegen.symbolic.evaluate import evaluate
from tellegen.symbolic.partial import partial


@dataclass(frozen=True, eq=False)
class Instants:
    """Times with the unknowns there (one row each), and the numbers that hold."""

    t: FloatArray
    y: FloatArray
    yp: FloatArray
    p: FloatArray

    def part(self, a: int, b: int) -> Instants:
        """Some of them."""
        return Instants(self.t[a:b], self.y[a:b], self.yp[a:b], self.p)


def value_of(model: ReducedModel, group: ReducedGroup, expr: Expr, rows: Any, at: Instants) -> Any:
    """An expression over the slots of rows of a group: one row for each instant."""
    slots: dict[int, Any] = {}
    ders: dict[int, Any] = {}
    for leaf in walk(expr):
        if isinstance(leaf, Der):
            ders[leaf.index] = at.yp[:, model.position[group.bindings[rows, leaf.index]]]
        elif isinstance(leaf, Slot) and group.kinds[leaf.index] == UNKNOWN:
            slots[leaf.index] = at.y[:, model.position[group.bindings[rows, leaf.index]]]
        elif isinstance(leaf, Slot):
            slots[leaf.index] = at.p[index_of(model, group, leaf.index)[rows]]
    return evaluate(expr, slots, time=at.t[:, None], ders=ders)


def index_of(model: ReducedModel, group: ReducedGroup, slot: int) -> Any:
    """Where each row reads a parameter or something given, None for other slots."""
    bound = group.bindings[:, slot]
    if group.kinds[slot] == PARAMETER:
        return bound
    return model.known_position[bound] if group.kinds[slot] == KNOWN else None


@dataclass(frozen=True, eq=False)
class Slopes:
    """The derivatives of one number: pairs of indices and values in y, y' and p, and by time."""

    value: float
    y: list[tuple[int, float]]
    yp: list[tuple[int, float]]
    p: list[tuple[int, float]]
    t: float


def slopes(model: ReducedModel, values: Values, number: int, at: Instants) -> Slopes | None:
    """A number of a list of values with its derivatives at one instant; None if there is no such number."""
    for group, indices in zip(values.groups, values.indices, strict=True):
        rows = np.flatnonzero(np.asarray(indices) == number)[:1]
        if len(rows):
            return _of_row(model, group, rows, at)
    return None


def _of_row(model: ReducedModel, group: ReducedGroup, row: Any, at: Instants) -> Slopes:
    def number(expr: Expr) -> float:
        return float(np.ravel(value_of(model, group, expr, row, at))[0])

    found = Slopes(number(group.residual), [], [], [], 0.0)
    by_time = 0.0
    for leaf in dict.fromkeys(walk(group.residual)):
        if not isinstance(leaf, Slot | Der | Time):
            continue
        expr = partial(group.residual, leaf)  # type: ignore[arg-type]
        if is_zero(expr):
            continue
        if isinstance(leaf, Time):
            by_time = number(expr)
            continue
        bound = int(group.bindings[row[0], leaf.index])
        if group.kinds[leaf.index] == UNKNOWN:
            (found.yp if isinstance(leaf, Der) else found.y).append((int(model.position[bound]), number(expr)))
        else:
            index = bound if group.kinds[leaf.index] == PARAMETER else int(model.known_position[bound])
            found.p.append((index, number(expr)))
    return Slopes(found.value, found.y, found.yp, found.p, by_time)

"""Constraints between states that only show when equations are added up.

    before   c1.v - (a.v - b.v) == 0,  c2.v - (b.v - d.v) == 0,  c3.v - (d.v - a.v) == 0     three capacitors in a ring
    after    c1.v - (a.v - b.v) == 0,  c2.v - (b.v - d.v) == 0,  c1.v + c2.v + c3.v == 0

The structure of the first form says nothing of the ring, because the potentials cancel only by their signs; it would
lead to a singular system. Equations with integer weights are combined so that all variables except states vanish;
one equation of each such combination is replaced by the sum (Otter and Elmqvist, "Transformation of differential
algebraic array equations to index one form", Modelica conference 2017, treat the same singularities this way).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.graph.dependent import dependent_rows
from tellegen.ir.expressions.expr import Slot
from tellegen.ir.reduced import UNKNOWN, UNUSED, LinearRows, ReducedGroup, ReducedModel
from tellegen.symbolic.linear import weighted_sum

_LIMIT = 2000  # equations in rings and meshes, beyond those with a variable of their own


def expose_constraints(model: ReducedModel) -> ReducedModel:
    """See the top of this file."""
    rows, columns, weights = _integer_equations(model)
    if not len(rows):
        return model
    is_state = model.is_state[columns]
    algebraic = ~is_state
    found = dependent_rows(rows[algebraic], columns[algebraic], weights[algebraic], model.equation_count, _LIMIT)
    if not found:
        return model
    sums: list[dict[int, int]] = []
    replaced: list[int] = []
    for combination in found:
        total: dict[int, int] = {}
        chosen = np.isin(rows, list(combination))
        for r, c, w in zip(rows[chosen].tolist(), columns[chosen].tolist(), weights[chosen].tolist(), strict=True):
            total[c] = total.get(c, 0) + combination[r] * w
        total = {c: w for c, w in total.items() if w}
        if total:  # otherwise the equations say the same thing twice, which the matching reports
            sums.append(total)
            replaced.append(list(combination)[-1])
    return _with_sums(model, sums, replaced) if sums else model


def _integer_equations(model: ReducedModel) -> tuple[Any, Any, Any]:
    """Row, unknown and weight of the equations that only add and subtract unknowns."""
    parts: list[tuple[Any, Any, Any]] = []
    for offset, group in zip(model.offsets, model.groups, strict=False):
        terms = _terms(group)
        for slot, weight in terms or ():
            own = offset + np.arange(group.rows)
            parts.append((own, model.position[group.bindings[:, slot]], np.full(group.rows, weight)))
    linear = model.linear
    column = model.position[linear.indices]
    given = np.zeros(linear.rows, bool)
    given[linear.row_of_entry[column < 0]] = True  # rows with something given from outside stay as they are
    free = ~given[linear.row_of_entry]
    parts.append((model.offsets[-1] + linear.row_of_entry[free], column[free], linear.weights[free]))
    rows, columns, weights = (np.concatenate([part[k] for part in parts]).astype(np.int64) for k in range(3))
    return rows, columns, weights


def _terms(group: ReducedGroup) -> list[tuple[int, int]] | None:
    """Slots and integer weights, if the residual is nothing but their sum."""
    if any(kind not in (UNKNOWN, UNUSED) for kind in group.kinds):
        return None
    weights, constant = weighted_sum(group.residual)
    if constant or any(not isinstance(part, Slot) or weight != int(weight) for part, weight in weights.items()):
        return None
    return [(part.index, int(weight)) for part, weight in weights.items() if isinstance(part, Slot)]


def _with_sums(model: ReducedModel, sums: list[dict[int, int]], replaced: list[int]) -> ReducedModel:
    """The model with some equations replaced by sums, which are linear rows; each keeps the place it came from."""
    gone = np.zeros(model.equation_count, bool)
    gone[replaced] = True
    groups = []
    for offset, group in zip(model.offsets, model.groups, strict=False):
        stay = ~gone[offset : offset + group.rows]
        if stay.all():
            groups.append(group)
        elif stay.any():
            groups.append(replace(group, bindings=group.bindings[stay], source_rows=group.source_rows[stay]))
    linear = model.linear
    stay = ~gone[model.offsets[-1] :]
    lengths = np.diff(linear.indptr)[stay]
    entries = stay[linear.row_of_entry]
    first = model.flat.sums.rows + len(model.combined)
    sizes = [len(total) for total in sums]
    indices = [model.unknowns[list(total)] for total in sums]
    indptr = np.concatenate([[0], np.cumsum([*lengths, *sizes])]).astype(np.int32)
    new = LinearRows(
        indptr,
        np.concatenate([linear.indices[entries], *indices]).astype(np.int32),
        np.concatenate([linear.weights[entries], *(list(total.values()) for total in sums)]).astype(np.int32),
        np.concatenate([linear.sources[stay], first + np.arange(len(sums))]).astype(np.int64),
    )
    origins = tuple(model.origin(row) for row in replaced)
    return replace(model, groups=tuple(groups), linear=new, combined=(*model.combined, *origins))

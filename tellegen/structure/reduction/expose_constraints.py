"""Constraints between states that only show when equations are added up.

    before   c1.v - (a.v - b.v) == 0,  c2.v - (b.v - d.v) == 0,  c3.v - (d.v - a.v) == 0     three capacitors in a ring
    after    c1.v - (a.v - b.v) == 0,  c2.v - (b.v - d.v) == 0,  c1.v + c2.v + c3.v == 0

The structure of the first form says nothing of the ring, because the potentials cancel only by their signs; it would
lead to a singular system. The same is true where a source takes the place of a capacitor, and of currents around a
part of a circuit. Equations with integer weights (exact_rows.py) are combined, and some are replaced by their sums:

1. Sums of which only states are left. The structure may be regular without them and yet ask for more derivatives: the
   currents of a three-phase coil add up to zero; found only by way of the inverter that feeds it, all equations of its
   control would be differentiated to say so.
2. Sums that are wanted until the system Jacobian of the structural analysis (graph/offsets.py) is regular with the
   exact weights as well (graph/mixed.py). Each round leaves fewer degrees of freedom, so the rounds end (Tan, Nedialkov
   and Pryce, "Conversion methods for improving structural analysis of differential-algebraic equation systems", BIT 57,
   2017).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tellegen.graph.incidence import incidence
from tellegen.graph.mixed import ExactEntries, RowSum, dependent_sums, vanishing_sums
from tellegen.graph.offsets import offsets
from tellegen.ir.reduced import LinearRows, ReducedModel
from tellegen.structure.reduction.exact_rows import LARGEST_WEIGHT, exact_rows
from tellegen.structure.reduction.reduce_index import occurrences


def expose_constraints(model: ReducedModel) -> ReducedModel:
    """See the top of this file."""
    model = _with_constraints_of_states(model)
    while (following := _exposed(model)) is not model:
        model = following
    return model


def _with_constraints_of_states(model: ReducedModel) -> ReducedModel:
    """The model with the sums of equations in which everything but states cancels."""
    exact = exact_rows(model)
    algebraic = ~model.is_state[exact.column]
    rest = ExactEntries(exact.row[algebraic], exact.column[algebraic], exact.weight[algebraic])
    return _with_sums(model, _small_totals(exact, vanishing_sums(rest)))


def _exposed(model: ReducedModel) -> ReducedModel:
    """The model after one round; the same one where nothing is hidden, or where the checks will report it."""
    count = model.equation_count
    exact = exact_rows(model)
    if not len(exact.row) or count != len(model.unknowns):
        return model
    rows, columns, sigma = occurrences(model)
    found = offsets(rows, columns, sigma, count)
    if found is None:
        return model
    c, d, assigned = found
    highest = sigma + c[rows] == d[columns]
    pattern = incidence(rows[highest], columns[highest], (count, count))
    here = c[exact.row] == d[exact.column]
    sums = dependent_sums(pattern, assigned, ExactEntries(exact.row[here], exact.column[here], exact.weight[here]))
    return _with_sums(model, _small_totals(exact, sums))


def _small_totals(exact: ExactEntries, sums: list[RowSum]) -> dict[int, dict[int, int]]:
    """The unknowns of each sum with their weights, by the row that it replaces.

    None where the equations say the same thing twice, or where a weight is too large.
    """
    entries = exact.rows({row for each in sums for row in each.weights})
    totals = {each.replaces: _total(entries, each) for each in sums}
    return {row: total for row, total in totals.items() if total and max(map(abs, total.values())) <= LARGEST_WEIGHT}


def _total(entries: dict[int, dict[int, int]], combination: RowSum) -> dict[int, int]:
    total: dict[int, int] = {}
    for row, times in combination.weights.items():
        for column, weight in entries[row].items():
            if column >= 0:
                total[column] = total.get(column, 0) + times * weight
    return {column: weight for column, weight in total.items() if weight}


def _with_sums(model: ReducedModel, sums: dict[int, dict[int, int]]) -> ReducedModel:
    """The model with some equations replaced by sums, which are linear rows; each keeps the place it came from."""
    if not sums:
        return model
    gone = np.zeros(model.equation_count, bool)
    gone[list(sums)] = True
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
    sizes = [len(total) for total in sums.values()]
    indices = [model.unknowns[list(total)] for total in sums.values()]
    indptr = np.concatenate([[0], np.cumsum([*lengths, *sizes])]).astype(np.int32)
    new = LinearRows(
        indptr,
        np.concatenate([linear.indices[entries], *indices]).astype(np.int32),
        np.concatenate([linear.weights[entries], *(list(total.values()) for total in sums.values())]).astype(np.int32),
        np.concatenate([linear.sources[stay], first + np.arange(len(sums))]).astype(np.int64),
    )
    origins = tuple(model.origin(row) for row in sums)
    return replace(model, groups=tuple(groups), linear=new, combined=(*model.combined, *origins))

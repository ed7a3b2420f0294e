"""Rows solved in symbols, as loops.

    rows  v - R*i == 0  solved for i, three of them on one level

    table      y  p  y                   y[t2] = y[t0] / p[t1]
    row 0      4  0  1
    row 1      6  1  3

Rows of the same look, solved for the same slot, on the same level are one loop. Sums of many terms start from zero and
add up their terms.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tellegen.codegen.lower import Operands
from tellegen.dataflow.rows import LongSums, Rows, RowSet
from tellegen.graph.arrays import distinct
from tellegen.ir.expressions.expr import ONE, ZERO, Call, Const, Der, Expr, Slot, Time, walk
from tellegen.ir.expressions.ops import RELATIONS
from tellegen.ir.model import Array
from tellegen.ir.program import Loop, Operand, Store
from tellegen.ir.reduced import PARAMETER
from tellegen.ir.sorted import SortedModel
from tellegen.symbolic.build import mul
from tellegen.symbolic.solve import affine, solved_for

Solution = tuple[tuple[Operand, ...], tuple[Store, ...]]
"""What a row reads and stores."""

_SWITCHING = RELATIONS | {"sign", "floor", "ceil", "mod"}


def solved_loops(model: SortedModel, rows: Rows, stage: Array) -> dict[int, list[Loop]]:
    """Loops by stage; `stage` gives each row's, negative for rows that are not solved in symbols."""
    found: dict[int, list[Loop]] = {}
    for part in rows.sets:
        if (stage[part.rows] < 0).all():
            continue
        for leaf in part.leaves_with(model.blocks.assigned[part.rows], model.wanted):
            value = None  # in symbols, once for all stages: a chain has as many stages as rows
            for number, mine in _by_stage(part, leaf, model, stage):
                value = value or solution(part, leaf)
                found.setdefault(number, []).append(Loop(np.ascontiguousarray(part.indices[mine]), *value))
    for number, sums, target in _long(model, rows.sums, stage):
        found.setdefault(number, []).extend(sum_loops(sums, target, "y"))
    return found


def _by_stage(part: RowSet, leaf: Slot | Der, model: SortedModel, stage: Array) -> Iterator[tuple[int, Any]]:
    """The rows of a set that are solved for a leaf, stage by stage."""
    mine = model.blocks.assigned[part.rows] == part.columns(leaf, model.wanted)
    local = np.flatnonzero(mine & (stage[part.rows] >= 0))
    if not len(local):
        return
    order = local[np.argsort(stage[part.rows[local]], kind="stable")]
    numbers, begin = np.unique(stage[part.rows[order]], return_index=True)
    yield from zip(numbers.tolist(), np.split(order, begin[1:]), strict=True)


def solution(part: RowSet, leaf: Slot | Der) -> Solution:
    """The rows of a set, solved for a leaf."""
    value = solved_for(part.residual, leaf)
    assert value is not None, "the pass that marks equations as solved applies the same test"
    if value == ZERO:
        value = _zero_if_determined(part, leaf)
    operands = Operands(part.kinds)
    store = Store("yp" if isinstance(leaf, Der) else "y", leaf.index, operands.of(value))
    return operands.all(), (store,)


def _zero_if_determined(part: RowSet, leaf: Slot | Der) -> Expr:
    """The value of a leaf whose coefficient times itself is zero: NaN where parameters make the coefficient zero.

    Any value would do then. A coefficient that passes through zero on the way leaves zero as the limit.
    """
    parts = affine(part.residual, leaf)
    assert parts is not None
    coefficient = parts[0]
    slots = [node for node in walk(coefficient) if isinstance(node, Slot | Der | Time)]
    if slots and all(isinstance(node, Slot) and part.kinds[node.index] == PARAMETER for node in slots):
        return Call("div", (ZERO, coefficient))
    return ZERO


def divisor_loops(model: SortedModel, rows: Rows, explicit: Array) -> tuple[list[Loop], Any]:
    """r[2k], r[2k+1] = the k-th divisor in an explicit row that changes with time, and what it divides; and these rows.

    Where such a divisor passes through zero and its dividend does not, the unknown has a pole, which an integrator that
    sees only the states would step over. Rows that switch may change sign without that.
    """
    loops: list[Loop] = []
    numbers: list[Any] = []
    count = 0
    for part in rows.sets:
        for leaf in part.leaves_with(model.blocks.assigned[part.rows], model.wanted):
            for _, mine in _by_stage(part, leaf, model, np.where(explicit, 0, -1)):
                for divisor, dividend in _quotients(part, leaf):
                    operands = Operands(part.kinds)
                    width = part.indices.shape[1]
                    stores = tuple(
                        Store("r", width + k, operands.of(value)) for k, value in enumerate((divisor, dividend))
                    )
                    position = 2 * (count + np.arange(len(mine)))
                    table = np.column_stack([part.indices[mine], position, position + 1])
                    loops.append(Loop(np.ascontiguousarray(table, np.int32), operands.all(), stores))
                    numbers.append(part.rows[mine])
                    count += len(mine)
    return loops, np.concatenate([np.zeros(0, np.int64), *numbers])


def _quotients(part: RowSet, leaf: Slot | Der) -> Iterator[tuple[Expr, Expr]]:
    """Divisors that may vanish with what they divide: the coefficient of the unknown, and divisors as written."""
    parts = affine(part.residual, leaf)
    if parts is not None and _vanishes(part, parts[0]):
        yield parts[0], ONE
    if any(isinstance(node, Call) and node.op in _SWITCHING for node in walk(part.residual)):
        return  # a guard may stand around a division
    for node in walk(part.residual):
        if isinstance(node, Call) and node.op == "div" and _vanishes(part, node.args[1]):
            yield node.args[1], node.args[0]


def _vanishes(part: RowSet, coefficient: Expr) -> bool:
    """Whether a coefficient may pass through zero while the model runs."""
    moves = False
    for node in walk(coefficient):
        if isinstance(node, Call) and node.op in _SWITCHING:
            return False
        moves |= isinstance(node, Time | Der) or (isinstance(node, Slot) and part.kinds[node.index] != PARAMETER)
    return moves


def _long(model: SortedModel, sums: LongSums, stage: Array) -> Iterator[tuple[int, LongSums, Any]]:
    """Long sums that are solved for one of their terms: the other terms, divided by minus its weight."""
    solved = stage[sums.row] >= 0
    is_target = ~sums.known & (sums.index == model.blocks.assigned[sums.row])
    divisor = np.zeros(len(stage), np.int64)
    divisor[sums.row[is_target]] = sums.weight[is_target]
    for number in distinct(stage[sums.row[solved]]):
        mine = solved & ~is_target & (stage[sums.row] == number)
        scaled = -sums.weight[mine] / divisor[sums.row[mine]]
        part = LongSums(sums.row[mine], sums.index[mine], sums.known[mine], scaled)
        yield int(number), part, model.blocks.assigned


def sum_loops(sums: LongSums, target: Array, array: str) -> list[Loop]:
    """array[target[row]] = sum of the terms of the row."""
    rows = distinct(sums.row)
    if not len(rows):
        return []
    start = np.ascontiguousarray(target[rows][:, None], np.int32)
    loops = [Loop(start, (), (Store(array, 0, ZERO),))]
    for known, source in ((False, "y"), (True, "p")):
        for weight in np.unique(sums.weight[sums.known == known]):
            mine = (sums.known == known) & (sums.weight == weight)
            table = np.column_stack([sums.index[mine], target[sums.row[mine]]])
            value = mul(Const(float(weight)), Slot(0))
            store = Store(array, 1, value, accumulate=True)
            loops.append(Loop(np.ascontiguousarray(table, np.int32), (Operand(source, 0),), (store,)))
    return loops

"""ReducedModel -> Program.

    group  r.v - R*i, rows (r1.v, R1, i1), (r2.v, R2, i2)

    table      y  p  y | r | values      residual:  r[t3] = y[t0] - p[t1]*y[t2]
    row 0      4  0  1 | 0 |  7  2       jacobian:  values[t4] = cy;  values[t5] = -(cy*p[t1])
    row 1      6  1  3 | 1 | 11  5

One loop per group serves the residual, another one over the same table the Jacobian. A Kirchhoff sum is one loop over
its entries that adds into r, so a node with a hundred thousand wires costs no code.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.codegen.shared_calls import share_calls
from tellegen.dataflow.rows import indices_of
from tellegen.graph.arrays import distinct
from tellegen.ir.expressions.expr import ZERO, Const, Der, Expr, Slot, rebuild, same_with
from tellegen.ir.model import Array
from tellegen.ir.program import SCALAR, Entry, Loop, Operand, Pattern, Program, Store
from tellegen.ir.reduced import UNKNOWN, LinearRows, ReducedGroup, ReducedModel
from tellegen.start.records import dataclass
from tellegen.symbolic.build import add, is_zero, mul
from tellegen.symbolic.partial import leaves, partials

_RESIDUAL_ARRAYS = ("y", "yp", "p", "r")
_JACOBIAN_ARRAYS = ("y", "yp", "p", "values")


@dataclass(frozen=True, eq=False)
class _Part:
    """A sorted group on its way: indices of its slots, its rows, and the columns its Jacobian has."""

    group: ReducedGroup
    indices: Any  # (rows, slots): places in y or p
    rows: Any
    entries: tuple[tuple[int, Expr, Expr], ...]  # slot, dF/dslot, dF/dder

    @property
    def slots(self) -> int:
        return self.indices.shape[1]


def lower(model: ReducedModel) -> Program:
    """See the top of this file."""
    size = len(model.unknowns)
    parts = [
        _part(model, group, offset + np.arange(group.rows))
        for offset, group in zip(model.offsets, model.groups, strict=False)
    ]
    sums = model.linear
    residual, jacobian, pattern = _system(model, parts, sums, model.equation_count)
    begin = np.cumsum([0, *(group.rows for group in model.initial)])
    starts = [
        _part(model, group, offset + np.arange(group.rows)) for offset, group in zip(begin, model.initial, strict=False)
    ]
    none = np.zeros(0, np.int32)
    nothing = LinearRows(np.zeros(1, np.int32), none, none, np.zeros(0, np.int64))
    first_residual, first_jacobian, first_pattern = _system(model, starts, nothing, int(begin[-1]))
    entries = (
        Entry("residual", ("t",), _RESIDUAL_ARRAYS, residual),
        Entry("jacobian", ("t", "cy", "cd"), _JACOBIAN_ARRAYS, jacobian),
        Entry("initial_residual", ("t",), _RESIDUAL_ARRAYS, first_residual),
        Entry("initial_jacobian", ("t", "cy", "cd"), _JACOBIAN_ARRAYS, first_jacobian),
    )
    return Program({entry.name: entry for entry in entries}, size, pattern, int(begin[-1]), first_pattern)


def _part(model: ReducedModel, group: ReducedGroup, rows: Array) -> _Part:
    """Bindings as places in the argument arrays, and the partial derivatives of the residual."""
    by_leaf = partials(group.residual, leaves(group.residual))
    entries = []
    for slot, kind in enumerate(group.kinds):
        if kind == UNKNOWN:
            by_value = by_leaf.get(Slot(slot), ZERO)
            by_rate = by_leaf.get(Der(slot), ZERO)
            if not (is_zero(by_value) and is_zero(by_rate)):
                entries.append((slot, by_value, by_rate))
    return _Part(group, indices_of(model, group), rows, tuple(entries))


def _system(
    model: ReducedModel, parts: list[_Part], sums: LinearRows, size: int
) -> tuple[tuple[Loop, ...], tuple[Loop, ...], Pattern]:
    """Residual loops, Jacobian loops and the pattern of the Jacobian."""
    in_y = model.position[sums.indices] >= 0
    sum_rows = size - sums.rows + sums.row_of_entry
    rows = [np.broadcast_to(part.rows, (len(part.entries), len(part.rows))).ravel() for part in parts]
    columns = [part.indices[:, [slot for slot, _, _ in part.entries]].T.ravel() for part in parts]
    rows.append(sum_rows[in_y])
    columns.append(model.position[sums.indices[in_y]])
    occurs = [
        np.repeat(
            [[not is_zero(v) for _, v, _ in part.entries], [not is_zero(d) for _, _, d in part.entries]],
            len(part.rows),
            axis=1,
        )
        for part in parts
        if part.entries
    ]
    occurs.append(np.repeat([[True], [False]], len(rows[-1]), axis=1))
    shape = (size, len(model.unknowns))
    pattern, positions = _pattern(np.concatenate(rows), np.concatenate(columns), np.hstack(occurs), shape)
    residual: list[Loop] = []
    jacobian: list[Loop] = []
    start = 0
    for part in parts:
        count = len(part.entries) * len(part.rows)
        mine = positions[start : start + count].reshape(len(part.entries), len(part.rows)).T
        start += count
        table = np.ascontiguousarray(np.column_stack([part.indices, part.rows, mine]), np.int32)
        residual.append(_residual_loop(part, table))
        if part.entries:
            jacobian.append(_jacobian_loop(part, table))
    residual += _sum_loops(model, sums, size - sums.rows)
    jacobian += _sum_jacobian(sums.weights[in_y], positions[start:])
    return tuple(share_calls(residual)), tuple(share_calls(jacobian)), pattern


def _pattern(rows: Array, columns: Array, occurs: Array, shape: tuple[int, int]) -> tuple[Pattern, Any]:
    """The sparse pattern of distinct places (row, column), and where each of them went.

    `occurs` says for each place whether the derivative by the value and by the rate is there.
    """
    pattern, order = Pattern.of(rows, columns, shape)
    positions = np.empty(len(order), np.int32)
    positions[order] = np.arange(len(order), dtype=np.int32)
    by_value, by_rate = occurs[:, order]
    return replace(pattern, by_value=by_value, by_rate=by_rate), positions


class Operands:
    """Gives expressions their operands: slots, derivatives and scalars as numbered operands of a loop."""

    def __init__(self, kinds: tuple[str, ...]) -> None:
        self.kinds = kinds
        self.numbers: dict[Operand, int] = {}

    def number(self, operand: Operand) -> Slot:
        return Slot(self.numbers.setdefault(operand, len(self.numbers)))

    def of(self, expr: Expr) -> Expr:
        """The expression over operands."""

        def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
            if isinstance(node, Der):
                return self.number(Operand("yp", node.index))
            if isinstance(node, Slot):
                return self.number(Operand("y" if self.kinds[node.index] == UNKNOWN else "p", node.index))
            return same_with(node, args)

        return rebuild(expr, change)

    def all(self) -> tuple[Operand, ...]:
        return tuple(self.numbers)


def residual_loop(model: ReducedModel, group: ReducedGroup, rows: Array, value: Expr) -> Loop:
    """A loop that stores a value over the slots of a group at r[rows]."""
    part = _Part(replace(group, residual=value), indices_of(model, group), rows, ())
    return _residual_loop(part, np.ascontiguousarray(np.column_stack([part.indices, rows]), np.int32))


def _residual_loop(part: _Part, table: Array) -> Loop:
    operands = Operands(part.group.kinds)
    store = Store("r", part.slots, operands.of(part.group.residual))
    return Loop(table, operands.all(), (store,))


def _jacobian_loop(part: _Part, table: Array) -> Loop:
    operands = Operands(part.group.kinds)
    stores = []
    for k, (_, by_value, by_rate) in enumerate(part.entries):
        value = add(
            mul(operands.number(Operand("cy", SCALAR)), operands.of(by_value)) if not is_zero(by_value) else by_value,
            mul(operands.number(Operand("cd", SCALAR)), operands.of(by_rate)) if not is_zero(by_rate) else by_rate,
        )
        stores.append(Store("values", part.slots + 1 + k, value))
    return Loop(table, operands.all(), tuple(stores))


def _sum_loops(model: ReducedModel, sums: LinearRows, rows_begin: int) -> list[Loop]:
    """r[row] = 0 and then r[row] += weight * y[variable], one loop for each weight that occurs."""
    if not sums.rows:
        return []
    table = np.arange(rows_begin, rows_begin + sums.rows, dtype=np.int32)[:, None]
    loops = [Loop(np.ascontiguousarray(table), (), (Store("r", 0, ZERO),))]
    for array, position in (("y", model.position), ("p", model.known_position)):
        index = position[sums.indices]
        for weight in distinct(sums.weights[index >= 0]):
            chosen = (sums.weights == weight) & (index >= 0)
            rows = rows_begin + sums.row_of_entry
            table = np.ascontiguousarray(np.column_stack([index[chosen], rows[chosen]]), np.int32)
            value = mul(Const(float(weight)), Slot(0))
            loops.append(Loop(table, (Operand(array, 0),), (Store("r", 1, value, accumulate=True),)))
    return loops


def _sum_jacobian(weights: Array, positions: Array) -> list[Loop]:
    loops = []
    for weight in distinct(weights):
        table = np.ascontiguousarray(positions[weights == weight][:, None], np.int32)
        value = mul(Const(float(weight)), Slot(0))
        loops.append(Loop(table, (Operand("cy", SCALAR),), (Store("values", 0, value),)))
    return loops

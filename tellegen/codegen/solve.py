"""Blocks that must be solved, as residual and Jacobian loops and the tables their solver needs.

    block  v1 - R1*i,  v2 - R2*i,  u - v1 - v2      tear i, inner v1, v2

    inner      y[v1] = R1*i;  y[v2] = R2*i
    residual   r[2] = u - v1 - v2
    jacobian   values[0..5] = 1, -R1, 1, -R2, -1, -1      rows v1: (v1, i), v2: (v2, i), last: (v1, v2)

Blocks of a level that are solved the same way form one step: residuals and derivatives of all of them are evaluated by
the same loops, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tellegen.codegen.explicit import sum_loops
from tellegen.codegen.lower import Operands
from tellegen.dataflow.rows import LongSums, Rows, RowSet
from tellegen.graph.arrays import distinct
from tellegen.graph.sets import distinct_rows
from tellegen.ir.expressions.expr import Const, Der, Slot, walk
from tellegen.ir.model import Array
from tellegen.ir.program import Loop, Pattern, Store
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.sorted import Blocks
from tellegen.start.records import dataclass
from tellegen.symbolic.partial import partial


@dataclass(frozen=True, eq=False)
class StepRows:
    """The rows of one step in order, and their places: block by block, inner rows first."""

    blocks: Blocks
    rows: Any
    start: Any  # per block, and the end
    inner_count: Any
    index: Any  # per row of the model: its number in the step, -1 for others
    unknown: Any  # per unknown: its local column, -1 for those of other steps

    @staticmethod
    def of(blocks: Blocks, chosen: Array) -> StepRows:
        """The rows of the chosen blocks."""
        member = np.zeros(len(blocks.level), bool)
        member[chosen] = True
        rows = np.flatnonzero(member[blocks.block])
        inner = blocks.inner[rows]
        rows = rows[np.lexsort((rows, np.where(inner < 0, np.iinfo(np.int64).max, inner), blocks.block[rows]))]
        _, sizes = np.unique(blocks.block[rows], return_counts=True)
        start = np.concatenate([[0], np.cumsum(sizes)])
        number = np.repeat(np.arange(len(sizes)), sizes)
        index = np.full(len(blocks.block), -1)
        index[rows] = np.arange(len(rows))
        unknown = np.full(len(blocks.block), -1)
        unknown[blocks.assigned[rows]] = np.arange(len(rows)) - start[number]
        inner_count = np.bincount(number[blocks.inner[rows] >= 0], minlength=len(sizes))
        return StepRows(blocks, rows, start, inner_count, index, unknown)

    @property
    def judges(self) -> Any:
        """The rows that judge the tears, in order."""
        return self.rows[self.blocks.inner[self.rows] < 0]


def residual_loops(rows: Rows, step: StepRows) -> list[Loop]:
    """r[row] = residual, for the rows that judge."""
    judging = np.zeros(len(step.index), bool)
    judging[step.judges] = True
    loops: list[Loop] = []
    for part in rows.sets:
        mine = np.flatnonzero(judging[part.rows])
        if len(mine):
            operands = Operands(part.kinds)
            store = Store("r", part.indices.shape[1], operands.of(part.residual))
            table = np.column_stack([part.indices[mine], part.rows[mine]])
            loops.append(Loop(np.ascontiguousarray(table, np.int32), operands.all(), (store,)))
    sums = rows.sums
    mine = judging[sums.row]
    chosen = LongSums(sums.row[mine], sums.index[mine], sums.known[mine], sums.weight[mine])
    return loops + sum_loops(chosen, np.arange(len(step.index)), "r")


@dataclass(frozen=True, eq=False)
class _Derivatives:
    """Alike rows of a set and the leaves that are unknowns of their block, with the places of the entries."""

    part: RowSet
    members: Any
    leaves: tuple[Slot | Der, ...]


@dataclass(frozen=True, eq=False)
class StepEntries:
    """Entries of the Jacobian of a step, by rows (start, column) or by columns (indptr, indices) if sparse."""

    start: Any
    minor: Any
    derivatives: list[_Derivatives]
    weights: Any  # of entries of long sums, which come after the derivatives
    order: Any  # of all entries

    def meanings(self) -> list[Any]:
        """What each entry is: a derivative with the places it reads, or a number; the same ones are always equal."""
        found: list[Any] = []
        for d in self.derivatives:
            for leaf in d.leaves:
                derivative = partial(d.part.residual, leaf)
                read = sorted({part.index for part in walk(derivative) if isinstance(part, Slot | Der)})
                kinds = tuple(d.part.kinds[k] for k in read)
                positions = np.ascontiguousarray(d.part.indices[d.members][:, read])
                found += [(derivative, kinds, row.tobytes()) for row in positions]
        found += self.weights.tolist()
        return [found[k] for k in self.order.tolist()]


def jacobian_loops(model: ReducedModel, rows: Rows, step: StepRows, sparse: bool) -> tuple[list[Loop], StepEntries]:
    """The loops, and the table of the entries."""
    found = list(_derivatives(model, rows, step))
    sums = rows.sums
    free = rows.columns_of_sums(model.wanted) >= 0
    long = np.flatnonzero(free & (step.index[sums.row] >= 0) & (step.unknown[sums.index] >= 0))
    long = long[step.blocks.block[sums.row[long]] == _owner(step)[sums.index[long]]]
    pairs = [(np.tile(d.part.rows[d.members], len(d.leaves)), _columns(d)) for d in found]
    pairs.append((sums.row[long], sums.index[long]))
    row = step.index[np.concatenate([pair[0] for pair in pairs])]
    column = step.unknown[np.concatenate([pair[1] for pair in pairs])]
    major, minor = (column, row) if sparse else (row, column)
    order = np.lexsort((minor, major))
    position = np.empty(len(order), np.int64)
    position[order] = np.arange(len(order))
    start = np.concatenate([[0], np.cumsum(np.bincount(major, minlength=len(step.rows)))]).astype(np.int32)
    loops: list[Loop] = []
    begin = 0
    for d in found:
        count = len(d.members) * len(d.leaves)
        loops.append(_jacobian_loop(d, position[begin : begin + count].reshape(len(d.leaves), -1).T))
        begin += count
    loops += _constants(sums.weight[long], position[begin:])
    return loops, StepEntries(start, minor[order].astype(np.int32), found, sums.weight[long], order)


def same_matrices(step: StepRows, entries: StepEntries) -> Any:
    """For each block the first one with the same matrix: tangents in all directions have the matrix in common."""
    first: dict[Any, int] = {}
    meanings = entries.meanings()
    out = np.arange(len(step.inner_count))
    for block, (a, b) in enumerate(zip(step.start[:-1], step.start[1:], strict=True)):
        begin = entries.start[a]
        end = entries.start[b]
        rows = entries.start[a : b + 1] - begin
        columns = entries.minor[begin:end]
        name = step.inner_count[block], rows.tobytes(), columns.tobytes(), tuple(meanings[begin:end])
        out[block] = first.setdefault(name, block)
    return out.astype(np.int32)


def _owner(step: StepRows) -> Any:
    owner = np.empty(len(step.index), np.int64)
    owner[step.blocks.assigned] = step.blocks.block
    return owner


def _columns(d: _Derivatives) -> Any:
    return d.part.indices[d.members][:, [leaf.index for leaf in d.leaves]].T.ravel()


def _derivatives(model: ReducedModel, rows: Rows, step: StepRows) -> Iterator[_Derivatives]:
    """Rows of the step sorted by which of their leaves are unknowns of their block."""
    owner = _owner(step)
    block = step.blocks.block
    for part in rows.sets:
        inside = np.flatnonzero(step.index[part.rows] >= 0)
        if not len(inside) or not part.leaves:
            continue
        own = block[part.rows[inside]]
        columns = np.stack([part.columns(leaf, model.wanted)[inside] for leaf in part.leaves], axis=1)
        mask = (columns >= 0) & (owner[columns] == own[:, None])
        for pattern, mine in distinct_rows(mask):
            leaves = tuple(leaf for leaf, flag in zip(part.leaves, pattern, strict=True) if flag)
            if leaves:
                yield _Derivatives(part, inside[mine], leaves)


def _jacobian_loop(d: _Derivatives, positions: Array) -> Loop:
    operands = Operands(d.part.kinds)
    slots = d.part.indices.shape[1]
    stores = tuple(
        Store("values", slots + k, operands.of(partial(d.part.residual, leaf))) for k, leaf in enumerate(d.leaves)
    )
    table = np.column_stack([d.part.indices[d.members], positions])
    return Loop(np.ascontiguousarray(table, np.int32), operands.all(), stores)


def _constants(weights: Array, positions: Array) -> list[Loop]:
    """Entries of long sums: the weights themselves."""
    return [
        Loop(
            np.ascontiguousarray(positions[weights == w][:, None], np.int32), (), (Store("values", 0, Const(float(w))),)
        )
        for w in distinct(weights)
    ]


def sparse_pattern(size: int, start: Array, indices: Array) -> Pattern:
    """The pattern of a step's one block."""
    return Pattern((size, size), start, indices)

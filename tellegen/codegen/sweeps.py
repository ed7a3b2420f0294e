"""Explicit rows that recur along chains and trees, as loops with the rows of one link in their body.

    rows     y[a0] = f(p[0]),  y[b0] = g(y[a0]),  y[a1] = f(y[b0]),  y[b1] = g(y[a1]), ...
    loop     for row in table:  y[row[1]] = f(y[row[0]]);  y[row[2]] = g(y[row[1]])

graph/sweeps.py finds them, where dataflow/cells.py says which rows are one link. The code does not depend on how many
links there are, and what a row computes the next one has in a register.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any

import numpy as np

from tellegen.codegen.explicit import Solution, solution
from tellegen.codegen.llvm import INLINE_ROWS
from tellegen.codegen.shared_calls import joined
from tellegen.dataflow.cells import cells_of
from tellegen.dataflow.rows import Rows, RowSet
from tellegen.graph.sweeps import Loose, Statements, Sweep, sweeps
from tellegen.ir.expressions.expr import Apply, Der, Slot, walk
from tellegen.ir.model import Array, IntArray
from tellegen.ir.program import Loop
from tellegen.ir.sorted import SortedModel
from tellegen.start.records import dataclass

FEW_ROWS = 100
"""Models of fewer explicit rows are written out: code of that length is optimized."""

MORE_ROWS = 500
MORE_BODIES = 4
"""Where sweeps write out so many more rows, or repeat rows in so many kinds of iterations, levels are better."""

FEW_ITERATIONS = 2
"""Up to so many iterations of a kind are written out."""


@dataclass(frozen=True, eq=False)
class Shapes:
    """Rows that are solved alike: (set, leaf) of each number, and which one each row has (-1: none)."""

    of_row: IntArray
    parts: list[tuple[RowSet, Slot | Der]]
    local: IntArray  # per row: its place in its set

    @staticmethod
    def of(model: SortedModel, rows: Rows, wanted: Array) -> Shapes:
        """The shapes of those rows that are wanted; calls of opaque functions and long sums have none."""
        of_row = np.full(len(wanted), -1, np.int64)
        local = np.zeros(len(wanted), np.int64)
        parts: list[tuple[RowSet, Slot | Der]] = []
        for part in rows.sets:
            local[part.rows] = np.arange(len(part.rows))
            if any(isinstance(node, Apply) for node in walk(part.residual)):
                continue
            for leaf in part.leaves:
                mine = wanted[part.rows] & (model.blocks.assigned[part.rows] == part.columns(leaf, model.wanted))
                if mine.any():
                    of_row[part.rows[mine]] = len(parts)
                    parts.append((part, leaf))
        return Shapes(of_row, parts, local)


@dataclass(eq=False)
class SweepLoops:
    """Makes loops of sweeps; every shape is solved once."""

    shapes: Shapes
    _solutions: dict[int, Solution] = field(default_factory=dict)

    def loops(self, sweep: Sweep) -> list[list[Loop]]:
        """Loops to be run one after the other: a fused one by itself, or some that are written out."""
        fused = {kind: self._fused(matrix) for kind, matrix in enumerate(sweep.kinds) if len(matrix) > FEW_ITERATIONS}
        out: list[list[Loop]] = []
        for kind, begin, end in sweep.runs:
            if kind in fused:
                loop = fused[kind]
                out.append([replace(loop, table=loop.table[begin:end])])
            else:
                rows = sweep.kinds[kind][begin:end].ravel()
                out.append([self._loop(rows[k : k + 1]) for k in range(len(rows))])
        return out

    def _loop(self, rows: IntArray) -> Loop:
        """Rows of one shape."""
        shape = int(self.shapes.of_row[rows[0]])
        part, leaf = self.shapes.parts[shape]
        if shape not in self._solutions:
            self._solutions[shape] = solution(part, leaf)
        return Loop(np.ascontiguousarray(part.indices[self.shapes.local[rows]]), *self._solutions[shape])

    def _fused(self, rows: IntArray) -> Loop:
        """One iteration for each row of a matrix of rows, whose columns have one shape each."""
        return replace(joined([self._loop(column) for column in rows.T]), recurrent=True)


def parts_of(model: SortedModel, rows: Rows, shapes: Shapes, level: IntArray) -> list[Sweep | Loose]:
    """The rows of level zero or more, in parts to be computed one after the other."""
    mine = np.flatnonzero(level >= 0)
    if (shapes.of_row[mine] >= 0).sum() <= FEW_ROWS:
        return [Loose(mine)]
    reader, read = _reads(model, rows, level >= 0)
    number = np.cumsum(level >= 0) - 1
    cell = cells_of(model, reader, read)[mine]
    loose = shapes.of_row[mine] < 0
    shape = np.where(loose, len(shapes.parts) + level[mine], shapes.of_row[mine])
    shape = _distinct(shape, cell, loose)
    found = sweeps(Statements(shape, cell, level[mine], loose, number[reader], number[read]))
    written = _written_by_level(shapes.of_row[mine], level[mine])
    return [part.of_rows(mine) for part in found] if _is_short(found, written, int(shape.max()) + 1) else [Loose(mine)]


def _is_short(parts: list[Sweep | Loose], written: int, shapes: int) -> bool:
    """Whether sweeps are not much more code than loops on each level, which write so many rows out."""
    kinds = [kind for part in parts if isinstance(part, Sweep) for kind in part.kinds]
    rows = sum(kind.size for kind in kinds if len(kind) <= FEW_ITERATIONS)
    bodies = sum(kind.shape[1] for kind in kinds if len(kind) > FEW_ITERATIONS)
    return rows <= written + MORE_ROWS and bodies <= MORE_BODIES * shapes


def _written_by_level(shape: IntArray, level: IntArray) -> int:
    """How many rows are written out if each level has its own loops."""
    number = shape * (int(level.max(initial=0)) + 1) + level
    rows = np.unique(number[shape >= 0], return_counts=True)[1]
    return int(rows[rows <= INLINE_ROWS].sum())


def _reads(model: SortedModel, rows: Rows, mine: Array) -> tuple[Any, Any]:
    """Pairs of rows, both of them among some: one reads what the other computes."""
    row, column = rows.occurrences(model.wanted)
    row_of = np.empty(len(model.blocks.assigned), np.int64)
    row_of[model.blocks.assigned] = np.arange(len(row_of))
    read = row_of[column]
    chosen = (read != row) & mine[row] & mine[read]
    return row[chosen], read[chosen]


def _distinct(shape: IntArray, cell: IntArray, loose: Array) -> IntArray:
    """The shapes such that a cell has at most one row of each: the k-th row of a shape in a cell has one of its own."""
    both = shape * (int(cell.max(initial=0)) + 1) + cell  # one number is sorted faster than two
    order = np.argsort(both, kind="stable")
    first = np.ones(len(order), bool)
    first[1:] = np.diff(both[order]) != 0
    begin = np.flatnonzero(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order)) - np.repeat(begin, np.diff(np.append(begin, len(order))))
    rank[loose] = 0
    return np.unique(shape * (int(rank.max(initial=0)) + 1) + rank, return_inverse=True)[1].ravel()

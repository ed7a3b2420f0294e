"""The initial system taken apart: linear systems and blocks for Newton's method, in the order they are solved.

    a chain of ten diodes with resistors, each fed by the one before:  ten small systems, not one of thirty unknowns

Which equations belong together is decided once for a set of free unknowns (structure/ordering/order_initial.py) and
remembered with the compiled model; a part is then a System of its own, with everything before it known.
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.initialization.initial_system import InitialSystem
from tellegen.engine.linear_algebra.damped_newton import System
from tellegen.graph.arrays import distinct
from tellegen.ir.expressions.expr import Der, Slot
from tellegen.ir.initial import InitialOrder
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.program import Pattern
from tellegen.ir.reduced import UNKNOWN, ReducedGroup
from tellegen.start.records import dataclass
from tellegen.symbolic.solve import is_affine

MOST_PARTS = 200
"""Each part costs an evaluation of all equations, so of longer chains the whole is tried first."""


@dataclass(frozen=True, eq=False)
class Shape:
    """Rows and columns of a part, block after block; the unknown of local row k is local column k."""

    rows: IntArray
    columns: IntArray
    begin: IntArray  # of each block
    inner: IntArray  # per row: its level inside its block, -1 for the rows that judge the tears
    pattern: Pattern
    entries: IntArray  # of the whole Jacobian, on `pattern`

    def single(self, block: int) -> Shape:
        """One of the blocks."""
        first, end = (int(k) for k in np.append(self.begin, len(self.rows))[block : block + 2])
        low, high = self.pattern.indptr[[first, end]]
        pattern = Pattern(
            (end - first, end - first),
            self.pattern.indptr[first : end + 1] - low,
            self.pattern.indices[low:high] - np.int32(first),
        )
        own = slice(first, end)
        return Shape(
            self.rows[own], self.columns[own], np.zeros(1, np.int64), self.inner[own], pattern, self.entries[low:high]
        )


class Part(System):
    """A part of an initial system; unknowns of other parts stay as they are in `whole`."""

    def __init__(self, system: InitialSystem, shape: Shape, whole: FloatArray) -> None:
        self.system = system
        self.shape = shape
        self.whole = whole
        self.begin = shape.begin
        self.levels = [np.flatnonzero(shape.inner == k) for k in range(shape.inner.max(initial=-1) + 1)]
        self._slopes: FloatArray | None = None

    @property
    def pattern(self) -> Pattern:
        """Where the derivatives stand."""
        return self.shape.pattern

    @property
    def u(self) -> FloatArray:
        """The unknowns as they are."""
        return self.whole[self.shape.columns]

    def put(self, u: FloatArray) -> None:
        """Give the unknowns their values."""
        self.whole[self.shape.columns] = u

    def residual(self, u: FloatArray) -> FloatArray:
        """That of the rows of this part."""
        self.put(u)
        return self.system.residual(self.whole)[self.shape.rows]

    def jacobian(self, u: FloatArray) -> FloatArray:
        """Derivatives by the unknowns of this part."""
        self.put(u)
        return self.system.jacobian(self.whole)[self.shape.entries]

    def follow(self, u: FloatArray) -> FloatArray:
        """Inner unknowns computed from the tears: their rows contain them with a plain number as factor."""
        if not self.levels:
            return u
        if self._slopes is None:
            matrix = self.pattern
            own = np.flatnonzero(matrix.indices == matrix.column_of_entry)
            self._slopes = np.ones(len(u))
            self._slopes[matrix.indices[own]] = self.jacobian(u)[own]
        u = u.copy()
        for rows in self.levels:
            u[rows] -= self.residual(u)[rows] / self._slopes[rows]
        return u


def shapes(system: InitialSystem, order: InitialOrder) -> list[Shape]:
    """The parts in the order they are solved; blocks of one linear stage are one block."""
    blocks = order.blocks
    count = len(order.blocks.block)
    stage = order.stage[blocks.block]
    by_newton = stage % 2 == 1
    rows = np.lexsort((np.arange(count), blocks.block, stage))
    start = np.concatenate([[0], np.cumsum(np.bincount(stage))])  # of each stage, some of them empty
    position = np.empty(count, np.int64)  # of each row in its stage
    position[rows] = np.arange(count) - start[stage[rows]]
    row_of = np.empty(count, np.int64)
    row_of[blocks.assigned] = np.arange(count)
    pattern = system.pattern
    row = pattern.indices
    owner = row_of[pattern.column_of_entry]
    kept = np.flatnonzero(stage[row] == stage[owner])
    kept = kept[np.lexsort((position[row[kept]], position[owner[kept]], stage[row[kept]]))]
    bounds = np.searchsorted(stage[row[kept]], np.arange(len(start)))
    found: list[Shape] = []
    for k in distinct(stage):
        mine = rows[start[k] : start[k + 1]]
        entries = kept[bounds[k] : bounds[k + 1]]
        lengths = np.bincount(position[owner[entries]], minlength=len(mine))
        own = Pattern(
            (len(mine), len(mine)),
            np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
            position[row[entries]].astype(np.int32),
        )
        newton = by_newton[mine[0]]
        changes = np.flatnonzero(np.diff(blocks.block[mine])) + 1 if newton else np.zeros(0, np.int64)
        inner = blocks.inner[mine] if newton else np.full(len(mine), -1)
        found.append(Shape(mine, blocks.assigned[mine], np.append(0, changes), inner, own, entries))
    return found


def is_linear(system: InitialSystem) -> bool:
    """Whether every equation is affine in all unknowns together: then there is nothing to order."""
    model = system.model.reduced
    wanted = system.wanted

    def affine(group: ReducedGroup) -> bool:
        def free(leaf: Slot | Der) -> bool:
            if group.kinds[leaf.index] != UNKNOWN:
                return False
            column = (wanted.rate if isinstance(leaf, Der) else wanted.value)[
                model.position[group.bindings[:, leaf.index]]
            ]
            return bool((column >= 0).any())

        return is_affine(group.residual, free)

    groups = (*model.groups, *(model.initial if system.extra else ()))
    first = [*model.offsets[:-1], *(model.equation_count + np.cumsum([0, *(g.rows for g in model.initial)]))]
    kept = [system.kept[a : a + group.rows].any() for a, group in zip(first, groups, strict=False)]
    return all(affine(group) for group, counts in zip(groups, kept, strict=True) if counts)

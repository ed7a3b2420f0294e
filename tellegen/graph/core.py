"""What is left to choose when everything that can always be computed has been eliminated from a matrix.

    a chain of links: all positions follow from the angles of the joints, nothing is left to choose
    a slider-crank:   the same but for the last joint: one row is left, with two angles, one of which must follow

Which columns are independent depends on the varying entries of a matrix, but not for all of them. A row is solved for a
column if its entry there is constant and all its other columns are known: kept, or solved for before. So what is
solved is triangular with a constant diagonal, and regular whatever the other entries are. Where no row can be solved,
the column that is most wanted to be kept is; rows in which everything is known by then are left, and so are the kept
columns. Of these the reduced matrix (the Schur complement) says which can follow from the others.

Some columns may have to be kept for good, whatever the entries become (`firm`). Then columns that no row can be solved
for are kept before all others: only a choice in which they need not follow lasts.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any

import numpy as np

from tellegen.graph.arrays import Array
from tellegen.graph.independent import lasting_columns, spanning_columns
from tellegen.start.on_use import scipy
from tellegen.start.records import dataclass

ROUNDING = 1e-13
"""What is left of an entry after a difference, if it is nothing: a part of the numbers that were subtracted."""

_SMALL = 300  # so many solved rows are better dealt with as a dense matrix
_LARGE = 100  # constraints of constants are solved one after the other too, where they are more than these
_FIRM = 1000.0  # above all that a model or a run asks for
_PIVOT = 1e-6  # an entry smaller than this part of its row does not solve it


@dataclass(frozen=True, eq=False)
class Entries:
    """A sparse matrix: rows, columns and, where its numbers may change while everything else stays, `varies`."""

    shape: tuple[int, int]
    row: Any
    column: Any
    varies: Any


@dataclass(frozen=True, eq=False)
class Core:
    """Rows and columns that are left, and those that are solved, in the order of solution."""

    entries: Entries
    rows: Any
    columns: Any
    solved_rows: Any
    solved_columns: Any
    varies: Any  # per entry of the reduced matrix

    def reduced(self, values: Array) -> Any:
        """The rows that are left, with the solved columns eliminated, each scaled to size one."""
        rest, bulk = self.complement(values)
        rest = np.where(np.abs(rest) > ROUNDING * bulk, rest, 0.0)
        size = np.abs(rest).max(axis=1, initial=0.0, keepdims=True)
        return rest / np.where(size > 0, size, 1.0)

    def complement(self, values: Array) -> tuple[Any, Any]:
        """The reduced matrix, and how large the numbers were of which it is a difference."""
        if not len(self.rows):
            nothing = np.zeros((0, len(self.columns)))
            return nothing, nothing
        entries = self.entries
        if len(self.solved_rows) > _SMALL:
            matrix: Any = scipy.sparse.csr_array((values, (entries.row, entries.column)), shape=entries.shape)
        else:
            matrix = np.zeros(entries.shape)
            matrix[entries.row, entries.column] = values
        left = matrix[self.rows]
        above = matrix[self.solved_rows]
        rest = _dense(left[:, self.columns])
        if not len(self.solved_rows):
            return rest, np.abs(rest)
        follow = _solved(above[:, self.solved_columns], _dense(above[:, self.columns]))
        by = left[:, self.solved_columns]
        return rest - by @ follow, np.abs(rest) + abs(by) @ np.abs(follow)

    def chosen(self, reduced: Array, keep: Array) -> Any:
        """The columns to follow from the others, as Booleans; None where the rows are dependent."""
        if len(self.columns) < len(self.rows):
            return None
        found = lasting_columns(reduced, self.varies, keep[self.columns])
        return None if found is None else self._with_solved(found, keep)

    def spanned(self, reduced: Array, keep: Array) -> Any:
        """The same, as many as there are where the rows are dependent."""
        return self._with_solved(spanning_columns(reduced, keep[self.columns]), keep)

    def _with_solved(self, found: Array, keep: Array) -> Any:
        out = np.zeros(len(keep), bool)
        out[self.solved_columns] = True
        out[self.columns[found]] = True
        return out

    def square(self, reduced: Array, chosen: Array) -> tuple[Any, Any] | None:
        """What is left of chosen columns, and its varying entries; None if they are not a choice for this core."""
        columns = np.flatnonzero(chosen[self.columns])
        if len(columns) != len(self.rows) or not chosen[self.solved_columns].all():
            return None
        return reduced[:, columns], self.varies[:, columns]


def _dense(matrix: Any) -> Any:
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()


def _solved(triangle: Any, right: Array) -> Any:
    """The solution of a triangular system; not a number where a parameter is zero on the diagonal.

    That is checked before: SuperLU may read beyond its memory where a matrix is singular.
    """
    diagonal = triangle.diagonal()
    if not (np.isfinite(diagonal) & (diagonal != 0.0)).all():
        return np.full(right.shape, np.nan)
    if isinstance(triangle, np.ndarray):
        return _forward_substituted(triangle, right)
    return scipy.sparse.linalg.splu(triangle.tocsc(), permc_spec="NATURAL", diag_pivot_thresh=0.0).solve(right)


def _forward_substituted(triangle: Array, right: Array) -> Array:
    """Row by row: LAPACK starts threads for 20 rows, which wait milliseconds where all processors are busy."""
    out = np.empty(right.shape)
    for k, diagonal in enumerate(triangle.diagonal()):
        out[k] = (right[k] - triangle[k, :k] @ out[:k]) / diagonal
    return out


@dataclass(frozen=True, eq=False)
class Cores:
    """The cores of a matrix at the stages of state selection: row k is in the first c[k], column j in the first d[j].

    Each stage has the columns that were chosen at the stage before. `values` give the constants that are zero.
    """

    entries: Entries
    values: Any
    keep: Any
    c: Any
    d: Any
    firm: Any = False  # columns to be kept at their last stage, whatever else is wanted
    known: dict[tuple[int, bytes], Core] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """Number of stages."""
        return int(self.c.max(initial=0))

    def at(self, stage: int, before: Array) -> Core:
        """The core of a stage, with the columns chosen before."""
        usable = before & (self.d >= stage)
        key = stage, usable.tobytes()
        if key not in self.known:
            self.known[key] = self._core(self.c >= stage, usable, self._wanted(stage, self.keep))
        return self.known[key]

    def _wanted(self, stage: int, keep: Array) -> Array:
        """How much each column is wanted to be kept at a stage."""
        return keep + _FIRM * (self.firm & (self.d == stage))

    def _core(self, active: Array, usable: Array, keep: Array) -> Core:
        entries = self.entries
        values = self.values
        inside = active[entries.row] & usable[entries.column]
        solved: dict[int, int] = {}
        if entries.varies.any() or active.sum() > _LARGE:
            constant = np.where(entries.varies | ~inside, 0.0, np.abs(values))
            largest = np.zeros(len(self.c))
            np.maximum.at(largest, entries.row, constant)
            pivots = (constant > _PIVOT * largest[entries.row]) & inside
            there = ((values != 0) | entries.varies) & inside
            follows = np.zeros(len(self.d), bool)
            follows[entries.column[pivots]] = np.any(self.firm)  # else what is wanted decides
            order = np.lexsort((self.d, -keep, follows))  # of a velocity and its position, alike wanted, the velocity
            solved = _Peeling(entries, there, pivots).run(order[usable[order]])
        rows = np.array([*solved], np.int64)
        columns = np.array([*solved.values()], np.int64)
        left = _without(active, rows), _without(usable, columns)
        bare = Core(entries, *left, rows, columns, np.zeros((len(left[0]), len(left[1])), bool))
        if not entries.varies.any():
            return bare
        random = np.random.default_rng(7)
        tried = [bare.complement(np.where(entries.varies, random.uniform(0.5, 1.5, len(values)), values)) for _ in "ab"]
        differs = np.abs(tried[0][0] - tried[1][0]) > ROUNDING * (tried[0][1] + tried[1][1])
        return replace(bare, varies=differs)

    def stages(self, values: Array, keep: Array | None = None, dependent: bool = False) -> list[Any] | None:
        """The columns to be algebraic at each stage, for these numbers; None where rows are dependent, or as many as
        there are if `dependent` rows are permitted."""
        usable = np.ones(len(self.d), bool)
        out = []
        for stage in range(1, self.count + 1):
            core = self.at(stage, usable)
            reduced = core.reduced(values)
            wanted = self._wanted(stage, self.keep if keep is None else keep)
            if not np.isfinite(reduced).all():
                return None
            usable = core.spanned(reduced, wanted) if dependent else core.chosen(reduced, wanted)
            if usable is None:
                return None
            out.append(usable)
        return out


class _Peeling:
    """Rows solved one after the other, as far as it goes."""

    def __init__(self, entries: Entries, there: Array, pivots: Array) -> None:
        m, n = entries.shape
        self.unknown: list[set[int]] = [set() for _ in range(m)]  # columns of each row that are not known yet
        self.rows_of: list[list[int]] = [[] for _ in range(n)]
        for row, column in zip(entries.row[there].tolist(), entries.column[there].tolist(), strict=True):
            self.unknown[row].add(column)
            self.rows_of[column].append(row)
        self.pivots = set(zip(entries.row[pivots].tolist(), entries.column[pivots].tolist(), strict=True))
        self.known = np.zeros(n, bool)
        self.ready = [row for row, unknown in enumerate(self.unknown) if len(unknown) == 1]
        self.solved: dict[int, int] = {}

    def run(self, order: Array) -> dict[int, int]:
        """The column of each solved row, in the order of solution; columns are kept in the order given."""
        self._solve()
        for column in order.tolist():
            if not self.known[column]:
                self._learn(column)
                self._solve()
        return self.solved

    def _solve(self) -> None:
        while self.ready:
            row = self.ready.pop()
            if len(self.unknown[row]) != 1:
                continue  # in the meantime its column has become known elsewhere
            (column,) = self.unknown[row]
            if (row, column) in self.pivots:
                self.solved[row] = column
                self._learn(column)

    def _learn(self, column: int) -> None:
        self.known[column] = True
        for row in self.rows_of[column]:
            self.unknown[row].discard(column)
            if len(self.unknown[row]) == 1:
                self.ready.append(row)


def _without(active: Array, numbers: Array) -> Any:
    """The numbers that are marked, apart from some."""
    left = active.copy()
    left[numbers] = False
    return np.flatnonzero(left)

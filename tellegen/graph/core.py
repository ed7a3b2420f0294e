"""What is left to choose when everything that can always be computed has been eliminated from a matrix.

    a chain of links: all positions follow from the angles of the joints, nothing is left to choose
    a slider-crank:   the same but for the last joint: one row is left, with two angles, one of which must follow

Which columns are independent depends on the varying entries of a matrix, but not for all of them. A row is solved for a
column if its entry there is constant and all its other columns are known: kept, or solved for before. So what is
solved is triangular with a constant diagonal, and regular whatever the other entries are. Where no row can be solved,
the column that is most wanted to be kept is; rows in which everything is known by then are left, and so are the kept
columns. Of these the reduced matrix (the Schur complement) tells which can follow from the others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, solve_triangular
from scipy.sparse import csr_array
from scipy.sparse.linalg import splu

from tellegen.graph.independent import lasting_columns

_ROUNDING = 1e-13  # what is left of an entry after a difference, if it is nothing
_SMALL = 300  # so many solved rows are better dealt with as a dense matrix
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

    def reduced(self, values: Any) -> Any:
        """The rows that are left, with the solved columns eliminated, each scaled to size one."""
        rest, bulk = self.complement(values)
        rest = np.where(np.abs(rest) > _ROUNDING * bulk, rest, 0.0)
        size = np.abs(rest).max(axis=1, initial=0.0, keepdims=True)
        return rest / np.where(size > 0, size, 1.0)

    def complement(self, values: Any) -> tuple[Any, Any]:
        """The reduced matrix, and how large the numbers were of which it is a difference."""
        if not len(self.rows):
            nothing = np.zeros((0, len(self.columns)))
            return nothing, nothing
        entries = self.entries
        if len(self.solved_rows) > _SMALL:
            matrix: Any = csr_array((values, (entries.row, entries.column)), shape=entries.shape)
        else:
            matrix = np.zeros(entries.shape)
            matrix[entries.row, entries.column] = values
        left, above = matrix[self.rows], matrix[self.solved_rows]
        rest = _dense(left[:, self.columns])
        if not len(self.solved_rows):
            return rest, np.abs(rest)
        follow = _solved(above[:, self.solved_columns], _dense(above[:, self.columns]))
        by = left[:, self.solved_columns]
        return rest - by @ follow, np.abs(rest) + abs(by) @ np.abs(follow)

    def chosen(self, reduced: Any, usable: Any, keep: Any) -> Any:
        """The columns to follow from the others, as truth values; None where the rows are dependent."""
        free = np.flatnonzero(usable[self.columns])
        wish = keep[self.columns[free]]
        found = lasting_columns(reduced[:, free], self.varies[:, free], wish) if len(free) >= len(self.rows) else None
        if found is None:
            return None
        out = np.zeros(len(usable), bool)
        out[self.solved_columns] = True
        out[self.columns[free[found]]] = True
        return out

    def square(self, reduced: Any, chosen: Any) -> tuple[Any, Any] | None:
        """What is left of chosen columns, and which entries of that vary; None if they are no choice for this core."""
        columns = np.flatnonzero(chosen[self.columns])
        if len(columns) != len(self.rows) or not chosen[self.solved_columns].all():
            return None
        return reduced[:, columns], self.varies[:, columns]


def _dense(matrix: Any) -> Any:
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()


def _solved(triangle: Any, right: Any) -> Any:
    """The solution of a triangular system; not a number where a parameter is zero on the diagonal."""
    try:
        if isinstance(triangle, np.ndarray):
            return solve_triangular(triangle, right, lower=True, check_finite=False)
        return splu(triangle.tocsc(), permc_spec="NATURAL", diag_pivot_thresh=0.0).solve(right)
    except (RuntimeError, LinAlgError):
        return np.full(right.shape, np.nan)


def find_cores(entries: Entries, values: Any, keep: Any, c: Any, d: Any) -> list[Core]:
    """The core at every stage of state selection: row k takes part in the first c[k], column j in the first d[j].

    A row is solved for a column that takes part at least as long. Of a matrix without varying entries all is left.
    """
    solved: dict[int, int] = {}
    if entries.varies.any():
        constant = np.where(entries.varies, 0.0, np.abs(values))
        largest = np.zeros(len(c))
        np.maximum.at(largest, entries.row, constant)
        pivots = (constant > _PIVOT * largest[entries.row]) & (d[entries.column] >= c[entries.row])
        order = np.lexsort((d, -keep))  # of a velocity and its position, alike wanted, the velocity first
        solved = _Peeling(entries, pivots, values).run(order)
    pairs = np.array(list(solved.items()), np.int64).reshape(-1, 2)
    return [_core(entries, values, pairs[c[pairs[:, 0]] >= stage], c >= stage) for stage in range(1, int(c.max()) + 1)]


def _core(entries: Entries, values: Any, pairs: Any, active: Any) -> Core:
    """The core of the active rows with these pairs of rows and columns solved."""
    rows, columns = np.flatnonzero(active), np.arange(entries.shape[1])
    left = np.setdiff1d(rows, pairs[:, 0]), np.setdiff1d(columns, pairs[:, 1])
    bare = Core(entries, *left, pairs[:, 0], pairs[:, 1], np.zeros((len(left[0]), len(left[1])), bool))
    if not entries.varies.any():
        return bare
    random = np.random.default_rng(7)
    tried = [bare.complement(np.where(entries.varies, random.uniform(0.5, 1.5, len(values)), values)) for _ in "ab"]
    differs = np.abs(tried[0][0] - tried[1][0]) > _ROUNDING * (tried[0][1] + tried[1][1])
    return replace(bare, varies=differs)


def stages(cores: list[Core], values: Any, keep: Any, d: Any) -> list[Any] | None:
    """The columns to be algebraic at each stage, out of those of the stage before; None where rows are dependent."""
    usable, out = np.ones(len(d), bool), []
    for stage, core in enumerate(cores, 1):
        reduced = core.reduced(values)
        if not np.isfinite(reduced).all():
            return None
        usable = core.chosen(reduced, usable & (d >= stage), keep)
        if usable is None:
            return None
        out.append(usable)
    return out


class _Peeling:
    """Rows solved one after the other, as far as it goes."""

    def __init__(self, entries: Entries, pivots: Any, values: Any) -> None:
        m, n = entries.shape
        self.unknown: list[set[int]] = [set() for _ in range(m)]  # columns of each row that are not known yet
        self.rows_of: list[list[int]] = [[] for _ in range(n)]
        there = (values != 0) | entries.varies
        for row, column in zip(entries.row[there].tolist(), entries.column[there].tolist(), strict=True):
            self.unknown[row].add(column)
            self.rows_of[column].append(row)
        self.pivots = set(zip(entries.row[pivots].tolist(), entries.column[pivots].tolist(), strict=True))
        self.known = np.zeros(n, bool)
        self.ready = [row for row, unknown in enumerate(self.unknown) if len(unknown) == 1]
        self.solved: dict[int, int] = {}

    def run(self, order: Any) -> dict[int, int]:
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

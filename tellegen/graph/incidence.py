"""Sparse matrices of ones: which rows (equations) contain which columns (unknowns)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from tellegen.graph.arrays import Array
from tellegen.start.on_use import scipy
from tellegen.start.records import dataclass

_MANY_ENTRIES = 10_000
"""Larger matrices are transposed by SciPy, in linear time."""


@dataclass(frozen=True, eq=False)
class Incidence:
    """Compressed sparse rows: the columns of row r are indices[indptr[r] : indptr[r + 1]]."""

    indptr: Array
    indices: Array
    shape: tuple[int, int]

    @cached_property
    def row_of_entry(self) -> Array:
        return np.repeat(np.arange(self.shape[0], dtype=np.int32), np.diff(self.indptr))

    @cached_property
    def digest(self) -> bytes:
        """The same for equal matrices and, as good as certain, for no others."""
        parts = (np.array(self.shape), self.indptr, self.indices)
        return blake2b(b"".join(part.tobytes() for part in parts), digest_size=16).digest()

    @property
    def columns_of_rows(self) -> RowLists:
        return RowLists(self.indices.tolist(), self.indptr.tolist())

    @property
    def transposed(self) -> Incidence:
        shape = (self.shape[1], self.shape[0])
        if len(self.indices) <= _MANY_ENTRIES:
            return incidence(self.indices, self.row_of_entry, shape)
        columns = self.matrix.tocsc()
        return Incidence(columns.indptr, columns.indices, shape)

    def only(self, rows: Any) -> Incidence:
        """The rows where a mask is true."""
        entries = np.asarray(rows)[self.row_of_entry]
        number = np.cumsum(rows) - 1
        return incidence(number[self.row_of_entry[entries]], self.indices[entries], (int(rows.sum()), self.shape[1]))

    def without(self, columns: Any) -> Incidence:
        """The same places, but none in the columns where a mask is true."""
        entries = ~np.asarray(columns)[self.indices]
        return incidence(self.row_of_entry[entries], self.indices[entries], self.shape)

    @property
    def matrix(self) -> Any:
        """For SciPy's routines."""
        return scipy.sparse.csr_array((np.ones(len(self.indices), np.int8), self.indices, self.indptr), self.shape)


@dataclass(frozen=True)
class RowLists(Sequence[list[int]]):
    """The columns of each row, cut out when asked for: thousands of lists at once keep the garbage collector busy."""

    columns: list[int]
    starts: list[int]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: Any) -> Any:
        return self.columns[self.starts[row] : self.starts[row + 1]]


def incidence(rows: Any, columns: Any, shape: tuple[int, int]) -> Incidence:
    """A one wherever (row, column) is listed, however often; the columns of a row in order."""
    order, begins = sorted_entries(rows, columns, shape[1])
    first = order[begins]
    kept = np.asarray(columns)[first].astype(np.int32)
    return Incidence(row_starts(np.asarray(rows)[first], shape[0]), kept, shape)


def sorted_entries(rows: Any, columns: Any, width: int) -> tuple[Array, Array]:
    """Entries of a matrix by row and column, and where in this order the entries of each place begin."""
    position = np.asarray(rows, np.int64) * width + np.asarray(columns, np.int64)
    order = np.argsort(position, kind="stable")
    inner = position[order]
    begins = np.flatnonzero(np.concatenate([[True], inner[1:] != inner[:-1]])) if len(inner) else np.zeros(0, np.int64)
    return order, begins


def sums_at(rows: Any, columns: Any, entry_rows: Any, entry_columns: Any, values: Any) -> Any:
    """The sum of the entries at each (row, column) asked for, zero where there is none."""
    if not len(entry_rows):
        return np.zeros(len(rows))
    width = int(max(columns.max(initial=0), entry_columns.max())) + 1
    order, begins = sorted_entries(entry_rows, entry_columns, width)
    total = np.add.reduceat(values[order], begins)
    first = order[begins]
    positions = entry_rows[first].astype(np.int64) * width + entry_columns[first]
    wanted = rows.astype(np.int64) * width + columns
    at = np.minimum(np.searchsorted(positions, wanted), len(positions) - 1)
    return np.where(positions[at] == wanted, total[at], 0.0)


def row_starts(rows: Any, count: int) -> Array:
    """Where each of `count` rows begins (with the end appended), of entries whose rows are in order."""
    return np.concatenate([[0], np.cumsum(np.bincount(np.asarray(rows, np.int64), minlength=count))]).astype(np.int32)


def column_groups(matrix: Incidence) -> list[list[int]]:
    """Columns without a row in common, group by group: the derivatives by all columns of a group follow from one
    difference (Curtis, Powell and Reid, 1974). Columns with many entries choose first (Welsh and Powell, 1967)."""
    rows_of = matrix.transposed.columns_of_rows
    order = sorted(range(len(rows_of)), key=lambda column: -len(rows_of[column]))
    groups: list[list[int]] = []
    taken: list[set[int]] = []
    for column in order:
        rows = rows_of[column]
        number = next((k for k, used in enumerate(taken) if used.isdisjoint(rows)), len(groups))
        if number == len(groups):
            groups.append([])
            taken.append(set())
        groups[number].append(column)
        taken[number].update(rows)
    return groups

"""Pivots of a sparse matrix, and the patterns of its factors: what any number of factorizations can share."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from tellegen.engine.native.record import Record
from tellegen.engine.runtime.algebra.markowitz import DENSE, FULL, SINGULAR, Lines, PivotSearch
from tellegen.engine.runtime.runtimes import pivot_runtime
from tellegen.graph.incidence import row_starts
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern
from tellegen.procedures.language import field_names
from tellegen.start.on_use import scipy
from tellegen.start.records import dataclass

_SEARCH = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_THRESHOLD = 0.1
"""How small a pivot may be, compared with its column, when all rows are scaled to the same size: their units differ."""
_MANY_ENTRIES = 10_000
"""From here on SciPy, which takes a while to import, sorts faster than NumPy."""
_ROOM = 2
"""Entries there is room for at first, for one of the matrix: those of circuits end with 1.2 to 1.6."""


class SingularMatrixError(Exception):
    """No set of pivots exists for these values."""


@dataclass(frozen=True, eq=False)
class Elimination:
    """Pivots, patterns and scales of a factorization, shared by any number of runs and threads."""

    arrays: dict[str, Any]
    fill: int

    def fits(self, pattern: Pattern) -> bool:
        """Whether it is for a matrix of this shape with as many entries; native code would not notice."""
        size = len(self.arrays["column_of"])
        return pattern.shape == (size, size) and len(self.arrays["a_from"]) == pattern.count

    def of_equal_rows(self) -> Elimination:
        """The same pivots for a matrix whose rows have been scaled to one size."""
        return Elimination(self.arrays | {"row_weight": np.ones(len(self.arrays["row_weight"]))}, self.fill)


@dataclass(frozen=True, eq=False)
class _Order:
    """Step k eliminates row rows[k] and column columns[k]; the entries of the factors are at (row, column)."""

    rows: Any
    columns: Any
    row: Any
    column: Any


def choose_pivots(pattern: Pattern, values: FloatArray) -> Elimination:
    """Pivots that are good for these values and, it is hoped, for similar ones."""
    if not np.isfinite(values).all():
        raise SingularMatrixError
    largest = np.zeros(pattern.shape[0])
    np.maximum.at(largest, pattern.indices, np.abs(values))
    size = np.where(largest > 0, largest, 1.0)
    return _elimination(pattern, _order(pattern, values / size[pattern.indices]), size)


def _order(pattern: Pattern, values: FloatArray) -> _Order:
    """The search, with more room whenever there is not enough."""
    search = PivotSearchMemory(pattern, values)
    run = _SEARCH(pivot_runtime().addresses["choose_pivots"])
    while (status := run(search.record.address)) == FULL:
        search.grow()
    if status == SINGULAR:
        raise SingularMatrixError
    order = search.order()
    return _with_dense_rest(order, search.record.get("steps"), search.values()) if status == DENSE else order


class PivotSearchMemory:
    """The record of a search, with room for the entries of a matrix and for those that are filled in."""

    def __init__(self, pattern: Pattern, values: FloatArray) -> None:
        size = pattern.shape[0]
        self.record = Record(field_names(PivotSearch))
        self.lines = (Record(field_names(Lines)), Record(field_names(Lines)))
        self.record.set(size=size, entries=pattern.count, rows=self.lines[0].address, columns=self.lines[1].address)
        self.record.put(threshold=_THRESHOLD)
        self.record.set(
            row=pattern.indices.astype(np.int32),
            column=pattern.column_of_entry.astype(np.int32),
            value=np.array(values, float),
            largest=np.full(size, -1.0),
            row_order=np.zeros(size, np.int32),
            column_order=np.zeros(size, np.int32),
        )
        for lines in self.lines:
            lines.set(
                first=np.full(size, -1, np.int32),
                after=np.zeros(0, np.int32),
                before=np.zeros(0, np.int32),
                count=np.zeros(size, np.int32),
                shortest=np.full(size + 1, -1, np.int32),
                next_line=np.zeros(size, np.int32),
                previous_line=np.zeros(size, np.int32),
            )
        self._make_room(_ROOM * pattern.count + size)

    def grow(self) -> None:
        """Twice the room."""
        self._make_room(2 * self.record.get("room"))

    def _make_room(self, room: int) -> None:
        """Longer arrays with the same content, and a table that is filled again."""
        self.record.set(**{name: _longer(self.record.kept[name], room) for name in ("row", "column", "value")})
        for lines in self.lines:
            lines.set(**{name: _longer(lines.kept[name], room) for name in ("after", "before")})
        table = 2 ** int(np.ceil(np.log2(2 * room + 2)))
        self.record.set(room=room, mask=table - 1, hashed=0, table=np.zeros(table, np.int32))

    def order(self) -> _Order:
        """The pivots found so far, and all entries."""
        kept = self.record.kept
        entries = self.record.get("entries")
        return _Order(kept["row_order"], kept["column_order"], kept["row"][:entries], kept["column"][:entries])

    def values(self) -> Any:
        """The numbers of all entries."""
        return self.record.kept["value"][: self.record.get("entries")]


def _longer(given: Any, length: int) -> Any:
    out = np.zeros(length, given.dtype)
    out[: len(given)] = given
    return out


def _with_dense_rest(order: _Order, steps: int, values: Any) -> _Order:
    """The order completed where the rest, with so many entries that nothing can be saved, is factored by LAPACK."""
    rows = np.setdiff1d(np.arange(len(order.rows)), order.rows[:steps])
    columns = np.setdiff1d(np.arange(len(order.columns)), order.columns[:steps])
    rest = np.isin(order.row, rows) & np.isin(order.column, columns)
    matrix = np.zeros((len(rows), len(columns)))
    matrix[np.searchsorted(rows, order.row[rest]), np.searchsorted(columns, order.column[rest])] = values[rest]
    _, exchanged, singular = scipy.linalg.lapack.dgetrf(matrix, overwrite_a=True)
    if singular:
        raise SingularMatrixError
    pivots = rows.copy()
    for k, other in enumerate(exchanged):
        pivots[[k, other]] = pivots[[other, k]]
    everywhere = np.repeat(rows, len(columns)), np.tile(columns, len(rows))
    return _Order(
        np.concatenate([order.rows[:steps], pivots]).astype(np.int32),
        np.concatenate([order.columns[:steps], columns]).astype(np.int32),
        np.concatenate([order.row[~rest], everywhere[0]]),
        np.concatenate([order.column[~rest], everywhere[1]]),
    )


def _elimination(pattern: Pattern, order: _Order, row_size: Any) -> Elimination:
    """The strict patterns of L and U, column by column, and the matrix in the order of elimination."""
    size = pattern.shape[0]
    row_position = _positions(order.rows)
    row = row_position[order.row]
    column = _positions(order.columns)[order.column]
    entries, entry_start = _columns_in_order(pattern, order.columns)
    arrays = {
        "a_start": entry_start,
        "a_row": row_position[pattern.indices[entries]],
        "a_from": entries,
        "row_position": row_position,
        "column_of": order.columns,
        "row_weight": 1.0 / row_size[order.rows],
    }
    for name, mine in (("l", row > column), ("u", row < column)):
        arrays[f"{name}_start"], arrays[f"{name}_row"] = _by_columns(row[mine], column[mine], size)
    return Elimination(arrays, len(row))


def _by_columns(row: Any, column: Any, size: int) -> tuple[Any, Any]:
    """Where each column starts, and the rows of all, in order within each; two transpositions sort in linear time."""
    if len(row) < _MANY_ENTRIES:
        order = np.lexsort((row, column))
        return row_starts(column[order], size), row[order].astype(np.int32)
    ones = np.ones(len(row), np.int8)
    sorted_columns = scipy.sparse.coo_array((ones, (row, column)), shape=(size, size)).tocsr().tocsc()
    return sorted_columns.indptr.astype(np.int32), sorted_columns.indices.astype(np.int32)


def _positions(order: Any) -> Any:
    out = np.empty(len(order), np.int32)
    out[order] = np.arange(len(order), dtype=np.int32)
    return out


def _columns_in_order(pattern: Pattern, columns: Any) -> tuple[Any, Any]:
    """The numbers of the matrix's entries column by column in elimination order, and where each column starts."""
    lengths = np.diff(pattern.indptr)[columns]
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    entries = np.arange(start[-1]) - np.repeat(start[:-1] - pattern.indptr[columns], lengths)
    return entries.astype(np.int32), start

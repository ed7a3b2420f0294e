"""Assigning each equation an unknown of its own.

A largest assignment (Hopcroft and Karp), the cheapest one, and the coarse part of the decomposition of Dulmage and
Mendelsohn (1958) that says which equations and unknowns are in conflict when an assignment is not complete.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import pairwise

import numpy as np

from tellegen.graph.arrays import Array, distinct
from tellegen.graph.hopcroft_karp import HopcroftKarp
from tellegen.graph.incidence import Incidence
from tellegen.graph.sets import grouped
from tellegen.start.records import dataclass

_ASKED_AGAIN = 4
"""So many answers are remembered: four passes ask for the matching of a model of index one."""

_MANY = 100
"""So many rows without a choice are dealt with at once."""

_LARGE = 200
"""Matrices of more rows are searched for rows without a choice first."""


def match(matrix: Incidence) -> Array:
    """The column assigned to each row, -1 for rows left without one."""
    return _matched(_Question(matrix)).copy()


@dataclass(frozen=True)
class _Question:
    """A matrix that is equal to others with the same places."""

    matrix: Incidence

    def __hash__(self) -> int:
        return hash(self.matrix.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Question) and self.matrix.digest == other.matrix.digest


@lru_cache(maxsize=_ASKED_AGAIN)
def _matched(question: _Question) -> Array:
    matrix = question.matrix
    search = HopcroftKarp.empty(matrix.columns_of_rows, matrix.shape[1])
    if matrix.shape[0] > _LARGE:
        _match_forced(matrix, search)
    search.match([row for row, column in enumerate(search.column_of) if column < 0])
    return np.array(search.column_of, np.int32)


def _match_forced(matrix: Incidence, search: HopcroftKarp) -> None:
    """Rows with a single free column take it, as long as there are any: all rows of a long chain of explicit equations.

    The first phase of Karp and Sipser ("Maximum matching in sparse random graphs", 1981). The sum of the free columns
    of a row is the free column when only one is left. Many at once are arrays, the ends of long chains come one by one.
    """
    transposed = matrix.transposed
    free = np.diff(matrix.indptr).astype(np.int64)
    total = np.bincount(matrix.row_of_entry, matrix.indices, matrix.shape[0]).astype(np.int64)
    column_of = np.full(matrix.shape[0], -1, np.int64)
    forced = np.flatnonzero(free == 1)
    while len(forced) > _MANY:
        columns, first = np.unique(total[forced], return_index=True)
        column_of[forced[first]] = columns
        width = np.diff(transposed.indptr)[columns]
        before = np.repeat(transposed.indptr[columns] - np.cumsum(width) + width, width)
        others = transposed.indices[before + np.arange(len(before))]
        free -= np.bincount(others, minlength=len(free))
        total -= np.bincount(others, np.repeat(columns, width), len(total)).astype(np.int64)
        forced = np.flatnonzero(free == 1)
    taken = np.flatnonzero(column_of >= 0)
    search.column_of = column_of.tolist()
    for row, column in zip(taken.tolist(), column_of[taken].tolist(), strict=True):
        search.row_of[column] = row
    _match_one_by_one(transposed, _Forced(free.tolist(), total.tolist(), forced.tolist()), search)


@dataclass
class _Forced:
    """Per row how many columns are free, and their sum; the rows that have no choice."""

    free: list[int]
    total: list[int]
    rows: list[int]


def _match_one_by_one(transposed: Incidence, forced: _Forced, search: HopcroftKarp) -> None:
    rows = transposed.indices.tolist()
    starts = transposed.indptr.tolist()
    free = forced.free
    total = forced.total
    while forced.rows:
        row = forced.rows.pop()
        if free[row] != 1:
            continue
        column = total[row]
        search.column_of[row] = column
        search.row_of[column] = row
        for other in rows[starts[column] : starts[column + 1]]:
            free[other] -= 1
            total[other] -= column
            if free[other] == 1:
                forced.rows.append(other)


def match_cheapest(matrix: Incidence, cost: Array) -> Array:
    """A largest assignment as `match`, of columns that cost least in total.

    Sets of columns that can be assigned together are a matroid, so it is right to be greedy (Edmonds and Fulkerson,
    "Transversals and matroid partition", 1965): columns in the order of their cost, alike ones together.
    """
    search = HopcroftKarp.empty(matrix.transposed.columns_of_rows, matrix.shape[0])
    order, begins = grouped(np.asarray(cost))
    for begin, end in pairwise(begins.tolist()):
        search.match(order[begin:end].tolist())
    return np.array(search.row_of, np.int32)


def conflict(matrix: Incidence, assigned: Array) -> tuple[Array, Array]:
    """Rows and columns of the overdetermined part: what alternating paths from unassigned rows reach."""
    row_of = np.full(matrix.shape[1], -1)
    matched = np.flatnonzero(assigned >= 0)
    row_of[assigned[matched]] = matched
    rows = np.zeros(matrix.shape[0], bool)
    columns = np.zeros(matrix.shape[1], bool)
    frontier = np.flatnonzero(assigned < 0)
    while len(frontier):
        rows[frontier] = True
        reached = distinct(np.concatenate([matrix.indices[matrix.indptr[r] : matrix.indptr[r + 1]] for r in frontier]))
        reached = reached[~columns[reached]]
        columns[reached] = True
        frontier = row_of[reached]
        frontier = frontier[frontier >= 0]
    return np.flatnonzero(rows), np.flatnonzero(columns)


def augment(neighbours: Callable[[int], Iterable[int]], row_of: Array, lonely: list[int], free: list[int]) -> list[int]:
    """Mend a matching (`row_of` each column) in which some rows lost their columns; the columns that stay without one.

    An alternating path from each lonely row to a free column, by breadth (Berge 1957). Nothing is changed.
    """
    changed = dict.fromkeys(free, -1)
    for start in lonely:
        before: dict[int, int] = {}  # the row each column was reached from
        came: dict[int, int] = {}  # the column each row was reached through
        queue = deque([start])
        end = -1
        while queue and end < 0:
            row = queue.popleft()
            for column in neighbours(row):
                if column in before:
                    continue
                before[column] = row
                owner = changed.get(column, int(row_of[column]))
                if owner < 0:
                    end = column
                    break
                came[owner] = column
                queue.append(owner)
        while end >= 0:
            row = before[end]
            changed[end] = row
            end = came.get(row, -1) if row != start else -1
    return [column for column, row in changed.items() if row < 0]

"""Assigning each equation an unknown of its own.

A largest assignment (Hopcroft and Karp), the cheapest one, and the coarse part of the decomposition of Dulmage and
Mendelsohn (1958) that says which equations and unknowns are in conflict when an assignment is not complete.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np

from tellegen.graph.arrays import Array
from tellegen.graph.hopcroft_karp import HopcroftKarp
from tellegen.graph.incidence import Incidence
from tellegen.graph.sets import grouped


def match(matrix: Incidence) -> Array:
    """The column assigned to each row, -1 for rows left without one."""
    search = HopcroftKarp.empty(matrix.columns_of_rows, matrix.shape[1])
    search.match(range(matrix.shape[0]))
    return np.array(search.column_of, np.int32)


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
        reached = np.unique(np.concatenate([matrix.indices[matrix.indptr[r] : matrix.indptr[r + 1]] for r in frontier]))
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
            changed[end], end = row, came.get(row, -1) if row != start else -1
    return [column for column, row in changed.items() if row < 0]

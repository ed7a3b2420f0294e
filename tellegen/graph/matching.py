"""Assigning each equation an unknown of its own.

Maximum bipartite matching by Hopcroft and Karp (1973), for large models as SciPy's compiled routine has it, and the
coarse part of the decomposition of Dulmage and Mendelsohn (1958) that says which equations and unknowns are in conflict
when the matching is not complete.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

import numpy as np
import scipy

from tellegen.graph import small
from tellegen.graph.arrays import Array
from tellegen.graph.incidence import Incidence


def match(matrix: Incidence) -> Array:
    """The column assigned to each row, -1 for rows left without one."""
    if max(matrix.shape) <= small.SMALL:
        return np.array(small.matching(matrix.columns_of_rows, matrix.shape[1]), np.int32)
    return scipy.sparse.csgraph.maximum_bipartite_matching(matrix.matrix, perm_type="column")


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

"""Columns that make a matrix regular, chosen by wish and by numbers.

The greedy choice is the best one for a matroid (Edmonds, 1971): go through the classes of columns from the least wanted
to be kept; within a class take the column that adds most to what is there already (modified Gram-Schmidt), and leave
a class when its columns add too little.

A large matrix is taken apart first: parts without a common row or column do not know of each other. A part that is
still large is eliminated column by column, entries that are zero left out (Gilbert and Peierls, "Sparse partial
pivoting in time proportional to arithmetic operations", 1988): a column adds what is left of it.

Where entries of the matrix vary, columns that are independent now may not be so later. Some are whatever the varying
entries do: those of a matrix that can be permuted to block triangular form with blocks of constants on its diagonal.
Its determinant is the product of theirs. (The position of a body hanging on joints: its coordinates follow from those
before it and from the joint, x = x_before + L cos(phi); as x has the coefficient 1, the angle may be anything.)
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np

from tellegen.graph.arrays import Array, distinct
from tellegen.graph.blocks import strong_blocks
from tellegen.graph.incidence import incidence
from tellegen.graph.matching import match
from tellegen.graph.sets import connected_parts

_DEMANDING = (0.3, 1e-2, 1e-9)
"""What a column must add, compared with the best one there is: first much, then less if the columns do not suffice."""

_CONTENT = (1e-6, 1e-12)
"""The same where any number will do, because the matrix stays as it is: a gear of ratio 100 is as good as one of 1."""


_ROUNDING = 1e-13
"""What is left of a column that adds nothing, compared with the largest column."""

_LARGE = 100
"""Matrices of more rows are taken apart, and parts of more rows are eliminated as sparse ones."""


def independent_columns(matrix: Any, keep: Array, varying: bool) -> Any:
    """As many columns as the matrix has rows, those with small `keep` first; None if the rank is too small.

    A `varying` matrix must be well conditioned, so that the choice is good for a while.
    """
    found = spanning_columns(matrix, keep, varying)
    return found if len(found) == len(matrix) else None


def spanning_columns(matrix: Any, keep: Array, varying: bool = False) -> Any:
    """The same choice, of as many columns as there are."""
    limits = _DEMANDING if varying else _CONTENT
    matrix = np.asarray(matrix, float)
    if matrix.shape[0] <= _LARGE:
        return _by_projection(matrix, keep, limits)
    chosen = [np.zeros(0, np.int64)]
    for rows, columns, _ in connected_parts(matrix.shape, *np.nonzero(matrix)):
        choose = _by_projection if len(rows) <= _LARGE else _by_elimination
        chosen.append(columns[choose(matrix[np.ix_(rows, columns)], keep[columns], limits)])
    return np.sort(np.concatenate(chosen))


def _by_projection(matrix: Array, keep: Array, limits: Iterable[float]) -> Any:
    """The choice for a small matrix: whatever is in the direction of a chosen column is taken out of all others."""
    rows = matrix.shape[0]
    rest = matrix.copy()
    nothing = _ROUNDING * np.linalg.norm(matrix, axis=0).max(initial=0.0)
    chosen: list[int] = []
    for enough in limits:
        for level in distinct(keep):
            members = np.flatnonzero(keep == level)
            while len(chosen) < rows:
                added = np.linalg.norm(rest, axis=0)
                best = int(members[np.argmax(added[members])])
                if not added[best] > max(enough * added.max(), nothing):
                    break
                direction = rest[:, best] / added[best]
                rest = rest - np.outer(direction, direction @ rest)
                rest[:, best] = 0.0  # not even a rounding of it is left, or it might be chosen again
                chosen.append(best)
    return np.sort(np.array(chosen, np.int64))


def _by_elimination(matrix: Array, keep: Array, limits: Iterable[float]) -> Any:
    """The choice for a large matrix of few entries, columns of equal wish by their size."""
    size = np.abs(matrix).max(axis=0)
    order = [int(k) for k in np.lexsort((-size, keep)) if size[k] > 0.0]
    largest = float(size.max(initial=0.0))
    columns: dict[int, dict[int, float]] = {k: {} for k in order}
    for row, column in zip(*(part.tolist() for part in np.nonzero(matrix)), strict=True):
        columns[column][row] = float(matrix[row, column])
    elimination = _Elimination()
    for enough in limits:
        order = [k for k in order if not elimination.takes(k, columns[k], enough * largest, _ROUNDING * largest)]
        if len(elimination.chosen) == matrix.shape[0]:
            break
    return np.sort(np.array(elimination.chosen, np.int64))


class _Elimination:
    """The columns chosen so far, each with the row it is solved for and its other entries over the one there."""

    def __init__(self) -> None:
        self.chosen: list[int] = []
        self.step_of_row: dict[int, int] = {}
        self.factors: list[tuple[int, dict[int, float]]] = []

    def takes(self, number: int, column: dict[int, float], enough: float, nothing: float) -> bool:
        """Choose a column if the largest entry that is left of it is large enough."""
        rest = self._reduced(dict(column))
        row = max(rest, key=lambda k: abs(rest[k]), default=-1)
        if row < 0 or not abs(rest[row]) > max(enough, nothing):
            return False
        pivot = rest.pop(row)
        self.step_of_row[row] = len(self.factors)
        self.factors.append((row, {k: value / pivot for k, value in rest.items() if abs(value) > nothing}))
        self.chosen.append(number)
        return True

    def _reduced(self, rest: dict[int, float]) -> dict[int, float]:
        """A column without what the chosen ones can express, in the order in which these were chosen."""
        waiting = [self.step_of_row[row] for row in rest if row in self.step_of_row]
        heapify(waiting)
        while waiting:
            row, factors = self.factors[heappop(waiting)]
            value = rest.pop(row)
            for other, factor in factors.items():
                if other not in rest and other in self.step_of_row:
                    heappush(waiting, self.step_of_row[other])
                rest[other] = rest.get(other, 0.0) - factor * value
        return rest


def lasting_columns(matrix: Any, varies: Array, keep: Array) -> Any:
    """Like independent_columns, of a matrix of which some entries vary: by wish alone where that stays regular."""
    wished = independent_columns(matrix, keep, varying=False)
    if wished is None or not varies.any():
        return wished
    row, column = np.nonzero((matrix[:, wished] != 0) | varies[:, wished])
    entries = matrix[row, wished[column]], varies[row, wished[column]]
    if stays_regular(len(wished), row, column, *entries):
        return wished
    return independent_columns(matrix, keep, varying=True)


def stays_regular(size: int, row: Array, column: Array, value: Any, varies: Array) -> bool:
    """Whether a square matrix, given by its entries, is regular whatever the varying ones are; see above."""
    pattern = incidence(row, column, (size, size))
    assigned = match(pattern)
    if (assigned < 0).any():
        return False
    row_of = np.empty(size, np.int64)
    row_of[assigned] = np.arange(size)
    label = strong_blocks(pattern, assigned)[0]
    inside = label[row] == label[row_of[column]]
    if varies[inside].any():
        return False
    sizes = np.bincount(label)
    alone = inside & (sizes[label[row]] == 1)
    if (value[alone] == 0).any():
        return False
    return all(
        _is_regular(row[mine], row_of[column[mine]], value[mine])
        for mine in (np.flatnonzero(inside & (label[row] == block)) for block in np.flatnonzero(sizes > 1))
    )


def _is_regular(row: Array, column: Array, value: Any) -> bool:
    """The same for one block of constants."""
    names, position = np.unique(row, return_inverse=True)
    block = np.zeros((len(names), len(names)))
    block[position, np.searchsorted(names, column)] = value
    return bool(np.linalg.matrix_rank(block) == len(names))

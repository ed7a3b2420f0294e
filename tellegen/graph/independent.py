"""Columns that make a matrix regular, chosen by wish and by numbers.

The greedy choice is the best one for a matroid (Edmonds, 1971): go through the classes of columns from the least wanted
to be kept; within a class take the column that adds most to what is there already (modified Gram-Schmidt), and leave
a class when its columns add too little.

Where entries of the matrix vary, columns that are independent now may not be so later. Some are whatever the varying
entries do: those of a matrix that can be permuted to block triangular form with blocks of constants on its diagonal.
Its determinant is the product of theirs. (The position of a body hanging on joints: its coordinates follow from those
before it and from the joint, x = x_before + L cos(phi); as x has the coefficient 1, the angle may be anything.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.graph.arrays import Array, distinct
from tellegen.graph.blocks import strong_blocks
from tellegen.graph.incidence import incidence
from tellegen.graph.matching import match

_DEMANDING = (0.3, 1e-2, 1e-9)
"""What a column must add, compared with the best one there is: first much, then less if the columns do not suffice."""

_CONTENT = (1e-6, 1e-12)
"""The same where any number will do, because the matrix stays as it is: a gear of ratio 100 is as good as one of 1."""


def independent_columns(matrix: Any, keep: Array, varying: bool) -> Any:
    """As many columns as the matrix has rows, those with small `keep` first; None if the rank is too small.

    A `varying` matrix must be well conditioned, so that the choice is good for a while.
    """
    rows = matrix.shape[0]
    if not rows:
        return np.zeros(0, np.int64)
    rest = np.array(matrix, float)
    chosen: list[int] = []
    for enough in _DEMANDING if varying else _CONTENT:
        for level in distinct(keep):
            members = np.flatnonzero(keep == level)
            while len(chosen) < rows:
                added = np.linalg.norm(rest, axis=0)
                best = int(members[np.argmax(added[members])])
                if not added[best] > enough * added.max():
                    break
                direction = rest[:, best] / added[best]
                rest = rest - np.outer(direction, direction @ rest)
                chosen.append(best)
        if len(chosen) == rows:
            return np.sort(np.array(chosen))
    return None


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

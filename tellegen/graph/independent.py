"""Columns that make a matrix regular, chosen by wish and by numbers.

The greedy choice is the best one for a matroid (Edmonds, 1971): go through the classes of columns from the least wanted
to be kept; within a class take the column that adds most to what is there already (modified Gram-Schmidt), and leave
a class when its columns add too little.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_ENOUGH = (0.1, 1e-3, 1e-9)
"""What a column must add, relative to its size: first demanding, then less so if the columns do not suffice."""


def independent_columns(matrix: Any, keep: Any) -> Any:
    """As many columns as the matrix has rows, those with small `keep` first; None if the rank is too small."""
    rows = matrix.shape[0]
    if not rows:
        return np.zeros(0, np.int64)
    size = np.linalg.norm(matrix, axis=0)
    rest = matrix / np.where(size > 0, size, 1.0)
    chosen: list[int] = []
    for enough in _ENOUGH:
        for level in np.unique(keep):
            members = np.flatnonzero((keep == level) & (size > 0))
            while len(chosen) < rows and len(members):
                added = np.linalg.norm(rest[:, members], axis=0)
                best = int(np.argmax(added))
                if added[best] < enough:
                    break
                column = int(members[best])
                direction = rest[:, column] / added[best]
                rest = rest - np.outer(direction, direction @ rest)
                chosen.append(column)
        if len(chosen) == rows:
            return np.sort(np.array(chosen))
    return None

"""Columns that make a matrix regular, chosen by wish and by numbers.

The greedy choice is the best one for a matroid (Edmonds, 1971): go through the classes of columns from the least wanted
to be kept; within a class take the column that adds most to what is there already (modified Gram-Schmidt), and leave
a class when its columns add too little.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_DEMANDING = (0.3, 1e-2, 1e-9)
"""What a column must add, compared with the best one there is: first much, then less if the columns do not suffice."""

_CONTENT = (1e-6, 1e-12)
"""The same where any number will do, because the matrix stays as it is: a gear of ratio 100 is as good as one of 1."""


def independent_columns(matrix: Any, keep: Any, varying: bool) -> Any:
    """As many columns as the matrix has rows, those with small `keep` first; None if the rank is too small.

    A `varying` matrix must be well conditioned, so that the choice is good for a while.
    """
    rows = matrix.shape[0]
    if not rows:
        return np.zeros(0, np.int64)
    rest = np.array(matrix, float)
    chosen: list[int] = []
    for enough in _DEMANDING if varying else _CONTENT:
        for level in np.unique(keep):
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

"""Block lower triangular form of a matrix with a complete assignment of columns to rows.

Rows that need each other's columns form a block: the strong components of the graph "row i needs the column assigned to
row j" (Tarjan, "Depth-first search and linear graph algorithms", 1972; the fine part of Dulmage and Mendelsohn, 1958).
The blocks do not depend on which complete assignment is used. A block's level is the length of the longest chain of
blocks before it: all blocks of a level can be evaluated together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

IntArray = np.ndarray[Any, Any]


def strong_blocks(matrix: Any, assigned: IntArray) -> tuple[IntArray, Any]:
    """The block of each row, not yet in order, and the graph of blocks: entry (a, b) where a needs b."""
    count = matrix.shape[0]
    row_of = np.empty(count, np.int32)
    row_of[assigned] = np.arange(count, dtype=np.int32)
    needs = csr_array((matrix.data, row_of[matrix.indices], matrix.indptr), shape=(count, count))
    blocks, label = connected_components(needs, directed=True, connection="strong")
    first = np.repeat(label, np.diff(matrix.indptr))
    second = label[needs.indices]
    apart = first != second
    graph = csr_array((np.ones(int(apart.sum()), np.int8), (first[apart], second[apart])), shape=(blocks, blocks))
    graph.sum_duplicates()
    return label, graph


def levels(graph: Any, limit: int) -> IntArray | None:
    """The level of each node of an acyclic graph, all it needs being on lower ones; None beyond `limit` levels."""
    count = graph.shape[0]
    level = np.zeros(count, np.int64)
    waiting = np.diff(graph.indptr).astype(np.int64)
    users = graph.T.tocsr()
    frontier = np.flatnonzero(waiting == 0)
    done = len(frontier)
    number = 0
    while done < count:
        number += 1
        if number >= limit:
            return None
        lengths = np.diff(users.indptr)[frontier]
        begin = np.repeat(users.indptr[frontier] - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths)
        reached = users.indices[begin + np.arange(lengths.sum())]
        np.subtract.at(waiting, reached, 1)
        frontier = np.unique(reached[waiting[reached] == 0])
        level[frontier] = number
        done += len(frontier)
    return level

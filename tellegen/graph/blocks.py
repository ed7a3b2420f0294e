"""Block lower triangular form of a matrix with a complete assignment of columns to rows.

Rows that need each other's columns form a block: the strong components of the graph "row i needs the column assigned to
row j" (Tarjan, "Depth-first search and linear graph algorithms", 1972; the fine part of Dulmage and Mendelsohn, 1958).
The blocks do not depend on which complete assignment is used. A block's level is the length of the longest chain of
blocks before it: all blocks of a level can be evaluated together.
"""

from __future__ import annotations

import numpy as np
import scipy

from tellegen.graph import small
from tellegen.graph.arrays import Array
from tellegen.graph.incidence import Incidence, incidence


def strong_blocks(matrix: Incidence, assigned: Array) -> tuple[Array, Incidence]:
    """The block of each row, not yet in order, and the graph of blocks: entry (a, b) where a needs b."""
    count = matrix.shape[0]
    row_of = np.empty(count, np.int32)
    row_of[assigned] = np.arange(count, dtype=np.int32)
    needs = incidence(matrix.row_of_entry, row_of[matrix.indices], (count, count))
    label = strong_components(needs)
    blocks = int(label.max(initial=-1)) + 1
    first = label[needs.row_of_entry]
    second = label[needs.indices]
    apart = first != second
    return label, incidence(first[apart], second[apart], (blocks, blocks))


def strong_components(graph: Incidence) -> Array:
    if graph.shape[0] <= small.SMALL:
        return np.array(small.strongly_connected(graph.columns_of_rows), np.int32)
    return scipy.sparse.csgraph.connected_components(graph.matrix, directed=True, connection="strong")[1]


def levels(graph: Incidence, limit: int) -> Array | None:
    """The level of each node of an acyclic graph, all it needs being on lower ones; None beyond `limit` levels."""
    count = graph.shape[0]
    level = np.zeros(count, np.int64)
    waiting = np.diff(graph.indptr).astype(np.int64)
    users = graph.transposed
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

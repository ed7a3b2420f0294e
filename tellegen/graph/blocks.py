"""Block lower triangular form of a matrix with a complete assignment of columns to rows.

Rows that need each other's columns form a block: the strong components of the graph "row i needs the column assigned to
row j" (Tarjan, "Depth-first search and linear graph algorithms", 1972; the fine part of Dulmage and Mendelsohn, 1958).
The blocks do not depend on which complete assignment is used. A block's level is the length of the longest chain of
blocks before it: all blocks of a level can be evaluated together.
"""

from __future__ import annotations

import numpy as np

from tellegen.graph import small
from tellegen.graph.arrays import Array, distinct
from tellegen.graph.incidence import Incidence, incidence
from tellegen.start.on_use import scipy

_WIDE_LEVELS = 50
"""So many levels are found with all their nodes at once, the others node by node."""


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
    if small.is_small(graph.shape[0]):
        return np.array(small.strongly_connected(graph.columns_of_rows), np.int32)
    return scipy.sparse.csgraph.connected_components(graph.matrix, directed=True, connection="strong")[1]


def levels(graph: Incidence) -> Array:
    """The level of each node of an acyclic graph, all it needs being on lower ones."""
    count = graph.shape[0]
    level = np.zeros(count, np.int64)
    waiting = np.diff(graph.indptr).astype(np.int64)
    users = graph.transposed
    frontier = np.flatnonzero(waiting == 0)
    number = 0
    while len(frontier) and number < _WIDE_LEVELS:
        number += 1
        lengths = np.diff(users.indptr)[frontier]
        begin = np.repeat(users.indptr[frontier] - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths)
        reached = users.indices[begin + np.arange(lengths.sum())]
        np.subtract.at(waiting, reached, 1)
        frontier = distinct(reached[waiting[reached] == 0])
        level[frontier] = number
    if len(frontier):
        _narrow_levels(users, level, waiting.tolist(), frontier.tolist())
    return level


def _narrow_levels(users: Incidence, level: Array, waiting: list[int], frontier: list[int]) -> None:
    """The levels that follow, node by node: a long graph has few nodes on each level."""
    users_of = users.columns_of_rows
    found: list[list[int]] = [frontier]
    while found[-1]:
        following: list[int] = []
        for node in found[-1]:
            for user in users_of[node]:
                waiting[user] -= 1
                if not waiting[user]:
                    following.append(user)
        found.append(following)
    begin = int(level[frontier[0]])
    number = np.repeat(begin + np.arange(len(found)), [len(nodes) for nodes in found])
    level[np.array([node for nodes in found for node in nodes])] = number

"""Incidence, fundamental cut-set and fundamental circuit matrices of a graph with a forest, as sparse integer arrays.

    A[v, e] = +1 where edge e leaves vertex v, -1 where it enters
    Q f == 0, a row per branch: the cut-set of the branch, +1 for itself
    B v == 0, a row per chord: the circuit of the chord, +1 for itself;   Q = [1 Qc], B = [-Qc' 1],  A B' = Q B' = 0

The circuit of a chord is found by climbing from both of its ends to where the paths meet, all chords at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tellegen.ir.model import Array
from tellegen.start.on_use import scipy
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class Rooted:
    """The forest seen from one root per part: the parent of each vertex, the branch to it and its sign there.

    sign is +1 where the branch leaves the vertex for its parent.
    """

    parent: Any
    branch: Any
    sign: Any
    depth: Any


def incidence(tail: Array, head: Array, vertices: int) -> Any:
    """The augmented incidence matrix; an edge that begins where it ends has none."""
    count = len(tail)
    rows = np.concatenate([tail, head])
    columns = np.tile(np.arange(count), 2)
    signs = np.repeat(np.array([1, -1], np.int8), count)
    return scipy.sparse.coo_matrix((signs, (rows, columns)), shape=(vertices, count)).tocsr()


def rooted(tail: Array, head: Array, vertices: int, branches: Array, roots: Array | Sequence[int]) -> Rooted:
    """The forest from the given roots; parts without one from their first vertex."""
    parent = np.full(vertices, -1)
    branch = np.full(vertices, -1)
    sign = np.zeros(vertices, np.int8)
    depth = np.zeros(vertices, np.int64)
    t = tail[branches]
    h = head[branches]
    ones = np.ones(len(branches), np.int8)
    tree = scipy.sparse.coo_matrix((ones, (t, h)), shape=(vertices, vertices)).tocsr()
    number = scipy.sparse.coo_matrix((np.arange(1, len(branches) + 1), (t, h)), shape=(vertices, vertices)).tocsr()
    number = (number + number.T).tocsr()
    labels = scipy.sparse.csgraph.connected_components(tree, directed=False)[1]
    first: dict[int, int] = {}
    for vertex in [*np.asarray(roots).tolist(), *range(vertices)]:
        first.setdefault(int(labels[vertex]), vertex)
    for root in first.values():
        order, before = scipy.sparse.csgraph.breadth_first_order(tree, root, directed=False)
        below = order[1:]
        if not len(below):
            continue
        parent[below] = before[below]
        branch[below] = branches[np.asarray(number[below, before[below]]).ravel() - 1]
        sign[below] = np.where(tail[branch[below]] == below, 1, -1)
        for vertex in below.tolist():
            depth[vertex] = depth[parent[vertex]] + 1
    return Rooted(parent, branch, sign, depth)


def circuits(tail: Array, head: Array, chords: Array, tree: Rooted, edges: int) -> Any:
    """B, a row per chord in the order given, columns in the order of the edges."""
    rows = [np.arange(len(chords))]
    columns = [np.asarray(chords)]
    signs = [np.ones(len(chords), np.int8)]
    # chord from a to b, back over the tree from b up to the meeting point and down to a
    a = tail[chords].copy()
    b = head[chords].copy()
    going = np.flatnonzero(a != b)
    while len(going):
        x = a[going]
        y = b[going]
        deeper = tree.depth[x] >= tree.depth[y]
        other = tree.depth[y] >= tree.depth[x]
        for ends, moving, direction in ((a, deeper, -1), (b, other, 1)):
            which = going[moving]
            at = ends[which]
            rows.append(which)
            columns.append(tree.branch[at])
            signs.append((direction * tree.sign[at]).astype(np.int8))
            ends[which] = tree.parent[at]
        going = going[a[going] != b[going]]
    data = np.concatenate(signs), (np.concatenate(rows), np.concatenate(columns))
    return scipy.sparse.coo_matrix(data, shape=(len(chords), edges)).tocsr()


def cut_sets(circuit_matrix: Any, branches: Array, chords: Array, edges: int) -> Any:
    """Q, a row per branch in the order given: Qc = -B_T'."""
    crossing = (-circuit_matrix[:, branches].T).tocoo()
    rows = np.concatenate([np.arange(len(branches)), crossing.row])
    columns = np.concatenate([branches, np.asarray(chords)[crossing.col]])
    signs = np.concatenate([np.ones(len(branches), np.int8), crossing.data.astype(np.int8)])
    return scipy.sparse.coo_matrix((signs, (rows, columns)), shape=(len(branches), edges)).tocsr()

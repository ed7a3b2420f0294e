"""Conflicts that the graph of a network shows before any equation is solved, with their fixes.

loop of across drivers             two sources fix the same potential          a resistance in series
cut-set of through drivers         two sources fix the same flow               a resistance in parallel
loop of accumulators               capacitors in parallel, rigid shafts        they share a state: one start value, or a
cut-set of delays                  inductors in series                         small resistance between them
part without reference             only differences of potential               a ground
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

if TYPE_CHECKING:
    from tellegen.analyses.explanation.system_graph import SystemGraph

_SERIES = "put a resistance (a spring, a conductor, ...) in series with one of them, or remove it"
_PARALLEL = "connect a resistance (a damper, a capacity, ...) in parallel to one of them, or remove it"


def conflict_texts(graph: SystemGraph) -> Iterator[str]:
    """Conflicts of drivers, and parts without a reference; storage without states is reported by normal_tree().lost."""
    tree = graph.normal_tree()
    forest = graph.forest
    chords = tree.chords.tolist()
    branches = tree.branches.tolist()
    for edge in forest.loops:
        members = _names(graph, tree.B, chords.index(edge))
        yield f"{members} form a loop of across drivers: they fix the same potentials more than once; {_SERIES}"
    for edge in forest.cuts:
        members = _names(graph, tree.Q, branches.index(edge))
        yield f"{members} form a cut-set of through drivers: they fix the same flow more than once; {_PARALLEL}"
    for label, members in _floating(graph):
        yield f"{members} float: no path leads to the {label} reference; connect one of their terminals to it"


def _names(graph: SystemGraph, matrix: Any, row: int) -> str:
    columns = sorted(matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]].tolist())
    return ", ".join(graph.labels[k] for k in columns)


def _floating(graph: SystemGraph) -> Iterator[tuple[str, str]]:
    """Connected parts that do not contain the reference of their domain, with their components."""
    network = graph.network
    count = len(network.vertex_domain)
    ones = np.ones(network.edge_count, np.int8)
    joined = coo_matrix((ones, (network.tail, network.head)), shape=(count, count))
    part = connected_components(joined, directed=False)[1]
    with_reference = set(part[network.references[network.references >= 0]].tolist())
    for number in sorted(set(part.tolist()) - with_reference):
        edges = np.flatnonzero(part[network.tail] == number).tolist()
        domain = graph.domains[int(network.vertex_domain[np.flatnonzero(part == number)[0]])]
        if edges:
            yield domain, ", ".join(graph.labels[k] for k in edges[:8]) + (" and more" if len(edges) > 8 else "")

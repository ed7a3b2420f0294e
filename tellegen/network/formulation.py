"""The equations of connections by circuits and cut-sets of the normal tree, in the place of equal potentials and sums.

    default     potentials of connected terminals are equal; the flows of a connection add up to zero
    graph       the across variables of the circuit of a chord add up to zero; so do the flows of a branch's cut-set

Both say the same. A cut-set takes the place of the sum at one vertex; a circuit takes the place of the equality that
ties a terminal of the chord. Sums at references stay, because they give the flows of Ground and its like, and so do
equalities of terminals that nothing else ties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from tellegen.graph.sets import connected_sets, grouped
from tellegen.ir.flat import FlatModel, Sums
from tellegen.ir.model import Array
from tellegen.network.forest import Forest, normal_forest
from tellegen.network.matrices import circuits, cut_sets, rooted
from tellegen.network.system import Network, network_of
from tellegen.network.terminals import terminals_of

Terms = list[tuple[int, int]]
"""Variables and signs of a sum that is zero."""


def by_graph(flat: FlatModel) -> FlatModel:
    """The model with connections written by the normal tree; one with conflicts of drivers as it is."""
    network = network_of(flat)
    forest = normal_forest(network)
    if not network.edge_count or forest.loops or forest.cuts:
        return flat  # the default reports what is wrong with it
    references = network.references[network.references >= 0]
    tree = rooted(network.tail, network.head, len(network.vertex_domain), forest.branches, references)
    loops = circuits(network.tail, network.head, forest.chords, tree, network.edge_count)
    cuts = cut_sets(loops, forest.branches, forest.chords, network.edge_count)
    points = _Points(network, forest)
    rows = [_terms(cuts, row, points.flows) for row in range(cuts.shape[0])]
    for row, chord in enumerate(forest.chords.tolist()):
        if points.untie(chord):
            rows.append(_terms(loops, row, points.potentials))
    kept = _kept_sums(network, points.labels, tree.parent)
    return replace(flat, equalities=points.equalities(), sums=_sums(flat.sums, kept, rows))


def _terms(matrix: Any, row: int, of_edge: Callable[[int], Terms]) -> Terms:
    """A row of a matrix over edges as a sum over variables."""
    total: dict[int, int] = {}
    span = slice(matrix.indptr[row], matrix.indptr[row + 1])
    for edge, sign in zip(matrix.indices[span].tolist(), matrix.data[span].tolist(), strict=True):
        for variable, own in of_edge(edge):
            total[variable] = total.get(variable, 0) + own * sign
    return [(variable, weight) for variable, weight in total.items() if weight]


class _Points:
    """Potentials of connected terminals: stars of equalities, from which the rays of chords are taken."""

    def __init__(self, network: Network, forest: Forest) -> None:
        self.network = network
        self.flat = network.flat
        pairs = self.flat.equalities
        self.labels = connected_sets(self.flat.variables.count, pairs[:, 0], pairs[:, 1])
        tails = (self._tails(k) for k in forest.chords.tolist())
        alone = {inside[0] for inside in tails if len(inside) == 1}  # more hold points together: they stay tied
        physical = np.unique(self.labels[network.vertex_of >= 0])
        self.is_physical = np.zeros(self.labels.max(initial=-1) + 1, bool)
        self.is_physical[physical] = True
        order, begins = grouped(self.labels)
        self.members = {
            int(self.labels[order[a]]): order[a:b].tolist()
            for a, b in pairwise(begins.tolist())
            if self.is_physical[self.labels[order[a]]]
        }
        self.hub = {
            label: next((x for x in inside if x not in alone), inside[0]) for label, inside in self.members.items()
        }
        self.untied: set[int] = set()

    def _terminals(self, edge: int) -> tuple[list[Any], Any, int]:
        part = self.network.parts[int(self.network.part[edge])]
        local = part.edges[int(self.network.local[edge])]
        head = part.terminals[local.head] if local.head >= 0 else None
        return [part.terminals[tail] for tail in local.tails], head, int(self.network.instance[edge])

    def _tails(self, edge: int) -> list[int]:
        tails, _, instance = self._terminals(edge)
        return [tail.across + tail.strides[0] * instance for tail in tails]

    def flows(self, edge: int) -> Terms:
        """The flow of an edge: what goes in through its tails."""
        tails, _, instance = self._terminals(edge)
        return [(tail.through + tail.strides[1] * instance, 1) for tail in tails]

    def potentials(self, edge: int) -> Terms:
        """The across variable of an edge: the potential of its tail less that of its head."""
        _, head, instance = self._terminals(edge)
        tail = (self._tails(edge)[0], 1)
        return [tail] if head is None else [tail, (head.across + head.strides[0] * instance, -1)]

    def untie(self, chord: int) -> bool:
        """Whether the tail of the chord can do without its equality; then it has none from now on."""
        first, *more = self._tails(chord)
        if more or first == self.hub[int(self.labels[first])]:
            return False
        self.untied.add(first)
        return True

    def equalities(self) -> Any:
        """Those of signals as they were, and the stars."""
        pairs = self.flat.equalities
        others = pairs[~self.is_physical[self.labels[pairs[:, 0]]]] if len(pairs) else pairs
        rays = [
            (self.hub[label], variable)
            for label, inside in self.members.items()
            for variable in inside
            if variable != self.hub[label] and variable not in self.untied
        ]
        return np.concatenate([others, np.array(rays, np.int32).reshape(-1, 2)]).astype(np.int32)


def _kept_sums(network: Network, labels: Array, parent: Array) -> Any:
    """The sums that stay: all but one at every vertex that is not a root of the forest."""
    flat = network.flat
    vertex_of_label = np.full(labels.max(initial=-1) + 1, -1)
    known = network.vertex_of >= 0
    vertex_of_label[labels[known]] = network.vertex_of[known]
    vertex_of_flow = np.full(flat.variables.count, -1)
    for node in flat.tree.nodes:
        instances = np.arange(node.count)
        for terminal in terminals_of(node):
            across = terminal.across + terminal.strides[0] * instances
            vertex_of_flow[terminal.through + terminal.strides[1] * instances] = vertex_of_label[labels[across]]
    at = vertex_of_flow[flat.sums.indices[flat.sums.indptr[:-1]]]
    inner = (at >= 0) & (parent[at] >= 0)
    _, first = np.unique(np.where(inner, at, -1 - np.arange(len(at))), return_index=True)
    replaced = np.zeros(len(at), bool)
    replaced[first] = True
    return np.flatnonzero(~(replaced & inner))


def _sums(old: Sums, kept: Array, rows: Iterable[Terms]) -> Sums:
    """The sums that stay, and new ones."""
    indices = []
    signs = []
    lengths = []
    for row in kept.tolist():
        span = slice(int(old.indptr[row]), int(old.indptr[row + 1]))
        indices += old.indices[span].tolist()
        signs += old.signs[span].tolist()
        lengths.append(span.stop - span.start)
    for terms in rows:
        indices += [variable for variable, _ in terms]
        signs += [sign for _, sign in terms]
        lengths.append(len(terms))
    return Sums(np.cumsum([0, *lengths]), np.array(indices, np.int32), np.array(signs, np.int8))

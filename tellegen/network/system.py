"""The system graph: the terminal graphs of all components of a flat model, merged where they are connected.

Vertices are points of one potential: sets of connected terminals, terminals that a component holds together, and for
each domain the reference, which is where Ground, Fixed and all else of potential zero is. Edges keep the direction they
have in the component. Everything about instances is an array over edges, so a ladder of 20 000 cells costs little more
than its parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from tellegen.graph.sets import connected_sets
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import Array
from tellegen.network.classes import ACROSS, Alternative, EdgeClass
from tellegen.network.component import ComponentGraph, component_graph
from tellegen.start.records import dataclass

Ints = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, eq=False)
class Network:
    """Edges from vertex `tail` to vertex `head`; edge k is edge local[k] of instance[k] of parts[part[k]]."""

    flat: FlatModel
    parts: tuple[ComponentGraph, ...]
    domains: tuple[str, ...]
    part: Ints
    instance: Ints
    local: Ints
    tail: Ints
    head: Ints
    domain: Ints  # of each edge
    vertex_domain: Ints
    vertex_of: Ints  # per variable of the flat model, -1 for those that are not potentials of terminals
    references: Ints  # per domain the reference vertex, -1 where nothing needs one
    left_out: tuple[tuple[int, int, int], ...]  # part, instance, local: edges that only hold a vertex at the reference

    @property
    def edge_count(self) -> int:
        """Number of edges."""
        return len(self.tail)

    @cached_property
    def couplers(self) -> dict[tuple[int, int], Ints]:
        """Edges of instances whose classes are not settled by the component alone, by part and instance."""
        found: dict[tuple[int, int], list[int]] = {}
        for k in np.flatnonzero(np.array([len(part.ways) > 1 for part in self.parts])[self.part]).tolist():
            found.setdefault((int(self.part[k]), int(self.instance[k])), []).append(k)
        return {key: np.array(edges) for key, edges in found.items()}

    def way(self, edge: int, chosen: dict[tuple[int, int], int]) -> Alternative:
        """The classes of the component that an edge belongs to."""
        part = int(self.part[edge])
        return self.parts[part].ways[chosen.get((part, int(self.instance[edge])), 0)]

    def edge_class(self, edge: int, chosen: dict[tuple[int, int], int]) -> EdgeClass:
        """The class of an edge, given which way the couplers go."""
        return self.way(edge, chosen)[int(self.local[edge])]

    def ranks(self, chosen: dict[tuple[int, int], int]) -> Ints:
        """The cost of every edge in the tree."""
        out = np.zeros(self.edge_count, np.int64)
        for number, part in enumerate(self.parts):
            ranks = np.array([each.rank for each in part.ways[0]])
            mine = self.part == number
            out[mine] = ranks[self.local[mine]]
        for edges in self.couplers.values():
            out[edges] = [self.edge_class(int(edge), chosen).rank for edge in edges]
        return out


@lru_cache(maxsize=1)
def network_of(flat: FlatModel) -> Network:
    """The system graph of a flat model; several questions about one model follow one another."""
    handed_on = frozenset(flat.sums.indices[flat.sums.signs < 0].tolist())
    found = (component_graph(flat, k, handed_on) for k in range(len(flat.tree.nodes)))
    return _Merge(flat, tuple(part for part in found if part is not None)).network()


class _Merge:
    """Potentials of terminals and of references, joined where they are equal, as vertices."""

    def __init__(self, flat: FlatModel, parts: tuple[ComponentGraph, ...]) -> None:
        self.flat = flat
        self.parts = parts
        self.domains = tuple(dict.fromkeys(terminal.domain for part in parts for terminal in part.terminals))
        self.number = {domain: k for k, domain in enumerate(self.domains)}
        self.reference = flat.variables.count + np.arange(len(self.domains))  # places after the variables
        self.needed = np.zeros(len(self.domains), bool)
        self.joined: list[tuple[Any, Any]] = [(flat.equalities[:, 0], flat.equalities[:, 1])]
        self.left_out: list[tuple[int, int, int]] = []
        self.edges: list[tuple[Any, ...]] = [(np.zeros(0, np.int64),) * 6]  # part, instance, local, domain, tail, head

    def network(self) -> Network:
        """All of it."""
        for number in range(len(self.parts)):
            self._add(number)
        part, instance, local, domain, tail, head = (np.concatenate(c) for c in zip(*self.edges, strict=True))
        a, b = (np.concatenate(side) for side in zip(*self.joined, strict=True))
        labels = connected_sets(self.flat.variables.count + len(self.domains), a, b)
        vertex, vertex_domain = self._vertices(labels)
        of_terminals = np.full(self.flat.variables.count, -1)
        for positions, _ in self._points():
            of_terminals[positions] = vertex[labels[positions]]
        return Network(
            flat=self.flat,
            parts=self.parts,
            domains=self.domains,
            part=part,
            instance=instance,
            local=local,
            tail=vertex[labels[tail]],
            head=vertex[labels[head]],
            domain=domain,
            vertex_domain=vertex_domain,
            vertex_of=of_terminals,
            references=np.where(self.needed, vertex[labels[self.reference]], -1),
            left_out=tuple(self.left_out),
        )

    def _add(self, number: int) -> None:
        """The edges of all instances of a part."""
        part = self.parts[number]
        instances = np.arange(self.flat.tree.nodes[part.node].count)
        same = np.ones(len(instances), np.int64)
        for k, edge in enumerate(part.edges):
            at = [_potential(part, terminal, instances) for terminal in edge.tails]
            self.joined += [(at[0], other) for other in at[1:]]
            domain = self.number[edge.domain]
            if edge.head >= 0:
                end = _potential(part, edge.head, instances)
            else:
                end = self.reference[domain] * same
                self.needed[domain] = True
            if _holds_at_reference(part, k):
                self.joined.append((at[0], end))
                self.left_out += [(number, int(instance), k) for instance in instances]
            else:
                self.edges.append((number * same, instances, k * same, domain * same, at[0], end))

    def _points(self) -> Iterator[tuple[Any, int]]:
        """The potentials of every terminal of every part, with their domain."""
        for part in self.parts:
            instances = np.arange(self.flat.tree.nodes[part.node].count)
            for k, terminal in enumerate(part.terminals):
                yield _potential(part, k, instances), self.number[terminal.domain]

    def _vertices(self, labels: Array) -> tuple[Any, Any]:
        """The vertex of every label that has one, domain by domain as they appear, and the domains of vertices."""
        points = [*self._points(), *((self.reference[k : k + 1], int(k)) for k in np.flatnonzero(self.needed))]
        vertex = np.full(labels.max(initial=-1) + 1, -1)
        if not points:
            return vertex, np.zeros(0, np.int64)
        positions = np.concatenate([positions for positions, _ in points])
        domains = np.concatenate([np.full(len(positions), domain) for positions, domain in points])
        found, first = np.unique(labels[positions], return_index=True)
        order = np.lexsort((first, domains[first]))
        vertex[found[order]] = np.arange(len(found))
        return vertex, domains[first][order]


def _potential(part: ComponentGraph, terminal: int, instances: Array) -> Any:
    """The across variables of a terminal, for all instances."""
    chosen = part.terminals[terminal]
    return chosen.across + chosen.strides[0] * instances


def _holds_at_reference(part: ComponentGraph, edge: int) -> bool:
    """Ground and its like: a driver of potential zero against the reference. It is where the reference is."""
    only = part.ways[0][edge]
    return len(part.ways) == 1 and part.edges[edge].head < 0 and only.name == ACROSS and only.zero

"""Connections become equations: potentials are equal, flows sum to zero, inputs take the value of an output.

    connect(r.n, c.p, g.p)  ->  r.n.v = c.p.v, c.p.v = g.p.v, r.n.i + c.p.i + g.p.i = 0

A port of a composite component is seen from two sides: from outside like any other (flow counts +), from inside as
the way out (flow counts -). Each side is in its own connection set. Flows of ports nobody connects are zero.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from tellegen.errors import LanguageError
from tellegen.flatten.layout import Layout
from tellegen.graph.sets import connected_sets, grouped
from tellegen.ir.flat import Sums
from tellegen.ir.model import Connection, End, Kind, Port
from tellegen.start.records import dataclass


@dataclass
class Block:
    """The connectors of one port over all instances of a node, seen from one side."""

    first: int  # number of the first connector on this side
    length: int
    node: int
    port: int
    inner: bool  # seen from inside the component


@dataclass
class Sets:
    """Connectors of one family in the order of their sets; `begins` marks the first of each."""

    members: Any  # connector numbers, as positions in the family's columns
    begins: Any
    inner: Any  # bool per member
    columns: list[Any]  # per physical variable: number of its first scalar, per member
    sizes: list[int]  # scalars of each variable in one connector
    roles: list[str]
    labels: Any  # set number per member
    driven: Any  # bool per member: connectors of the model itself that surroundings drive
    blocks: list[Block] = field(default_factory=list)


class FamilyNames:
    """Families of connectors that were connected with each other: front ends name the same family differently."""

    def __init__(self) -> None:
        self._other: dict[str, str] = {}

    def join(self, first: str, second: str) -> None:
        """Both names mean one family."""
        if first != second and self.find(first) != self.find(second):
            self._other[self.find(first)] = self.find(second)

    def find(self, name: str) -> str:
        """The name that stands for all names of a family."""
        while name in self._other:
            name = self._other[name]
        return name


class Joined:
    """All connectors of a model, joined."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.blocks: list[Block] = []
        self.inner_base: dict[tuple[int, int], int] = {}
        nodes = layout.tree.nodes
        for n, node in enumerate(nodes):
            for q, port in enumerate(node.kind.ports):
                self.blocks.append(Block(node.port_base[q], node.count * port.count, n, q, False))
        self.count = layout.port_count
        self.same_family = FamilyNames()
        left = []
        right = []
        for n, node in enumerate(nodes):
            for connection in node.kind.connections:
                a, b = self._edges(n, connection)
                left.append(a)
                right.append(b)
        empty = np.zeros(0, np.int64)
        self.a = np.concatenate(left) if left else empty
        self.b = np.concatenate(right) if right else empty
        self.labels = connected_sets(self.count, self.a, self.b)

    def _edges(self, n: int, connection: Connection) -> tuple[Any, Any]:
        self.same_family.join(self._end_port(n, connection.a).family, self._end_port(n, connection.b).family)
        return self._end(n, connection.a), self._end(n, connection.b)

    def _end_port(self, n: int, end: End) -> Port:
        nodes = self.layout.tree.nodes
        if end.outer:
            kind = nodes[self.layout.outer(n, end.outer)[0]].kind
            return kind.ports[kind.port_index[end.outer_port]]
        kind = nodes[n].kind if end.group < 0 else nodes[n].kind.groups[end.group].kind
        return kind.ports[end.port]

    def _end(self, n: int, end: End) -> Any:
        nodes = self.layout.tree.nodes
        node = nodes[n]
        if end.outer:
            target, instances, _ = self.layout.outer(n, end.outer)
            q = nodes[target].kind.port_index[end.outer_port]
            port = nodes[target].kind.ports[q]
            base = nodes[target].port_base[q]
            return (base + instances[:, None] * port.count + end.elements[None, :]).ravel()
        instances = np.arange(node.count, dtype=np.int64)[:, None]
        if end.group < 0:
            port = node.kind.ports[end.port]
            base = self._inner(n, end.port, port.count)
            return (base + instances * port.count + end.elements[None, :]).ravel()
        child = nodes[self.layout.tree.children[n, end.group]]
        port = child.kind.ports[end.port]
        return (child.port_base[end.port] + instances * (child.size * port.count) + end.elements[None, :]).ravel()

    def _inner(self, n: int, q: int, per_instance: int) -> int:
        """The numbers of a port's connectors seen from inside; given out on first use."""
        if (n, q) not in self.inner_base:
            self.inner_base[n, q] = self.count
            length = self.layout.tree.nodes[n].count * per_instance
            self.blocks.append(Block(self.count, length, n, q, True))
            self.count += length
        return self.inner_base[n, q]

    def families(self) -> dict[str, Sets]:
        """The connection sets of each family of connectors."""
        by_family: dict[str, list[Block]] = {}
        for block in self.blocks:
            port = self._port(block)
            if block.length:
                by_family.setdefault(self.same_family.find(port.family), []).append(block)
        return {family: self._sets(blocks) for family, blocks in by_family.items()}

    def _port(self, block: Block) -> Port:
        return self.layout.tree.nodes[block.node].kind.ports[block.port]

    def _sets(self, blocks: list[Block]) -> Sets:
        first = self._port(blocks[0])
        kind = self.layout.tree.nodes[blocks[0].node].kind
        signal = first.family == "signal"
        sizes = [1 if signal else kind.variables[v].size // first.count for v in first.variables]
        names = _local_names(kind, first)
        ids = np.concatenate([np.arange(b.first, b.first + b.length) for b in blocks])
        columns = []
        for k, size in enumerate(sizes):
            parts = []
            for block in blocks:
                node = self.layout.tree.nodes[block.node]
                port = self._port(block)
                own = names if signal else _local_names(node.kind, port)
                if not signal and names[k] not in own:
                    raise _different_variables(kind, first, node.kind, port)
                number = port.variables[k if signal else own.index(names[k])]
                base = node.variable_base[number]
                parts.append(base + size * np.arange(block.length, dtype=np.int64))
            columns.append(np.concatenate(parts))
        inner = np.repeat([b.inner for b in blocks], [b.length for b in blocks])
        labels = self.labels[ids]
        order, begins = grouped(labels)
        roles = [kind.variables[v].role for v in first.variables]
        driven = np.repeat([self._is_driven(b) for b in blocks], [b.length for b in blocks])[order]
        columns = [column[order] for column in columns]
        return Sets(order, begins, inner[order], columns, sizes, roles, labels[order], driven, blocks)

    def _is_driven(self, block: Block) -> bool:
        return block.node == 0 and not block.inner and bool(self._port(block).driven)


def _different_variables(kind: Kind, port: Port, other_kind: Kind, other: Port) -> LanguageError:
    """Connectors of one family that do not have the same variables: only a document can say so."""
    names = ", ".join(_local_names(kind, port))
    other_names = ", ".join(_local_names(other_kind, other))
    return LanguageError(
        "E130",
        f"'{port.name}' of {kind.name} and '{other.name}' of {other_kind.name} are connectors of one family, "
        f"'{port.family}', with different variables: {names} and {other_names}",
        location=other.location,
        advice="give connectors of one family the same variables, or other families",
    )


def _local_names(kind: Kind, port: Port) -> list[str]:
    """The names of a connector's variables inside of it."""
    whole = len(port.name) + 1
    return [kind.variables[v].name[whole:] for v in port.variables]


def across_equalities(sets: Sets, k: int) -> Any:
    """Pairs of equal variables: neighbours in every set."""
    together = np.ones(len(sets.members), dtype=bool)
    together[sets.begins[:-1]] = False
    later = np.flatnonzero(together)
    column = sets.columns[k]
    pairs = np.stack([column[later - 1], column[later]], axis=1)
    if sets.sizes[k] == 1:
        return pairs
    return (pairs[:, None, :] + np.arange(sets.sizes[k])[None, :, None]).reshape(-1, 2)


def through_sums(sets: Sets, k: int) -> list[tuple[Any, Any, Any]]:
    """Kirchhoff's sums of one flow variable: lengths, variables, signs; one item for each scalar of it.

    The flow of a driven connector is that of the surroundings: nothing sets it to zero."""
    lengths = np.diff(sets.begins)
    signs = np.where(sets.inner, -1, 1).astype(np.int8)
    lengths = lengths[~sets.driven[sets.begins[:-1]]]  # such a connector has a set of its own
    signs = signs[~sets.driven]
    column = sets.columns[k][~sets.driven]
    return [(lengths, column + e, signs) for e in range(sets.sizes[k])]


def as_sums(parts: list[tuple[Any, Any, Any]]) -> Sums:
    """All sums as one sparse matrix of ones and minus ones."""
    if not parts:
        return Sums(np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int8))
    lengths = np.concatenate([part[0] for part in parts])
    indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    indices = np.concatenate([part[1] for part in parts]).astype(np.int32)
    return Sums(indptr, indices, np.concatenate([part[2] for part in parts]))

"""The mechanical graph as written (Algorithm A): which frames coincide, and what components say about them.

connections of frames                  ->  vertices: sets of frames that are one
statements of components (Mechanical)  ->  edges: rigid, joint; masses and world at vertices
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tellegen.flatten.connect import Joined
from tellegen.flatten.layout import Layout
from tellegen.flatten.mechanics.strip import frame_families, read_quantities
from tellegen.graph.sets import connected_sets
from tellegen.ir.flat import Tree
from tellegen.ir.model import Array, Mechanical
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class Said:
    """A statement of one component instance, and the vertices its frames belong to."""

    what: Mechanical
    node: int
    instance: int
    vertices: tuple[int, ...]

    def path(self, tree: Tree) -> str:
        """The name of the component."""
        return tree.path(self.node, self.instance)


@dataclass(frozen=True, eq=False)
class Reader:
    """A frame whose quantities the equations of its component mention."""

    node: int
    instance: int
    port: int
    vertex: int

    def acts(self, layout: Layout) -> bool:
        """Whether the component says what acts at the frame."""
        kind = layout.tree.nodes[self.node].kind
        return not read_quantities(kind, kind.ports[self.port]).isdisjoint(("f", "t"))


@dataclass(frozen=True, eq=False)
class Frames:
    """All frames of a model."""

    layout: Layout
    families: frozenset[str]  # of connectors that are frames
    said: dict[str, list[Said]]  # by verb
    readers: list[Reader]
    vertex: Array  # of every connector

    def named(self) -> Iterator[tuple[str, int]]:
        """The path of every frame, and its vertex."""
        tree = self.layout.tree
        for n, node in enumerate(tree.nodes):
            for q, port in enumerate(node.kind.ports):
                if port.family in self.families:
                    base = node.port_base[q]
                    for k in range(node.count * port.count):
                        path = tree.path(n, k // port.count)
                        name = port.element_name(k % port.count)
                        yield f"{path}.{name}" if path else name, int(self.vertex[base + k])


def gather_frames(layout: Layout) -> Frames:
    """See the top of this file."""
    nodes = layout.tree.nodes
    families = frame_families([node.kind for node in nodes])
    vertex = _vertices(layout, families)
    said: dict[str, list[Said]] = {}
    readers: list[Reader] = []
    for n, node in enumerate(nodes):
        for what in node.kind.mechanics:
            bases = [node.port_base[q] for q in what.ports]
            for k in range(node.count):
                found = Said(what, n, k, tuple(int(vertex[base + k]) for base in bases))
                said.setdefault(what.verb, []).append(found)
        for q, port in enumerate(node.kind.ports):
            if port.family not in families or not read_quantities(node.kind, port):
                continue
            base = node.port_base[q]
            readers += [Reader(n, k, q, int(vertex[base + k])) for k in range(node.count)]
    return Frames(layout, families, said, readers, vertex)


def _vertices(layout: Layout, families: frozenset[str]) -> Array:
    """The vertex of every connector: connected ones are one, and a frame of a composite seen from both sides."""
    joined = Joined(layout)
    outside = []
    inside = []
    for (n, q), base in joined.inner_base.items():
        node = layout.tree.nodes[n]
        if node.kind.ports[q].family in families:
            count = node.count * node.kind.ports[q].count
            outside.append(np.arange(node.port_base[q], node.port_base[q] + count))
            inside.append(np.arange(base, base + count))
    a = np.concatenate([joined.a, *outside])
    b = np.concatenate([joined.b, *inside])
    return connected_sets(joined.count, a, b)

"""Rooted spanning forests: branches that must be in a tree, edges that may be, and which vertices are roots.

Modelica's graph of overconstrained connections (MLS 9.4.1): every tree gets exactly one root; optional edges that
would close a circle or join two roots are cut. Roots that are certain come first, then potential ones by priority.
"""

from __future__ import annotations

from collections.abc import Sequence

from tellegen.start.records import dataclass

Edge = tuple[int, int]


class Union:
    """Sets that grow together."""

    def __init__(self) -> None:
        self.above: dict[int, int] = {}

    def find(self, x: int) -> int:
        """The representative of x."""
        root = x
        while self.above.get(root, root) != root:
            root = self.above[root]
        while self.above.get(x, x) != root:
            self.above[x], x = root, self.above[x]
        return root

    def join(self, a: int, b: int) -> bool:
        """Make the sets of a and b one; False where they are already."""
        a = self.find(a)
        b = self.find(b)
        self.above[b] = a
        return a != b


@dataclass(frozen=True)
class ForestTask:
    """Vertices 0 ... count-1; `potential_roots` are pairs (priority, vertex), the smallest priority first."""

    count: int
    branches: Sequence[Edge]
    edges: Sequence[Edge]
    roots: Sequence[int]
    potential_roots: Sequence[tuple[int, int]]


@dataclass(frozen=True)
class RootedForest:
    """The roots, how far every vertex is from its root, and which of the optional edges are cut."""

    roots: frozenset[int]
    depth: tuple[int, ...]
    cut: tuple[bool, ...]
    conflicts: tuple[int, ...]  # roots that share a tree with another one, which nothing can separate
    loops: tuple[int, ...]  # branches that close a circle, which nothing can cut


def rooted_forest(task: ForestTask) -> RootedForest:
    """The forest of a task."""
    sets = Union()
    neighbours: list[list[int]] = [[] for _ in range(task.count)]
    loops = []
    for k, (a, b) in enumerate(task.branches):
        if sets.join(a, b):
            _link(neighbours, a, b)
        else:
            loops.append(k)
    root_of: dict[int, int] = {}  # by representative
    conflicts = []
    for root in dict.fromkeys(task.roots):
        if root_of.setdefault(sets.find(root), root) != root:
            conflicts.append(root)
    cut = tuple(_is_cut(edge, sets, root_of, neighbours) for edge in task.edges)
    ordered = sorted(range(len(task.potential_roots)), key=lambda k: (task.potential_roots[k][0], k))
    candidates = [task.potential_roots[k][1] for k in ordered]
    for vertex in (*candidates, *range(task.count)):
        root_of.setdefault(sets.find(vertex), vertex)
    roots = frozenset(root_of.values())
    return RootedForest(roots, _depths(neighbours, roots), cut, tuple(conflicts), tuple(loops))


def _is_cut(edge: Edge, sets: Union, root_of: dict[int, int], neighbours: list[list[int]]) -> bool:
    """Take an optional edge into the forest, unless it closes a circle or joins two trees with roots."""
    a = sets.find(edge[0])
    b = sets.find(edge[1])
    if a == b or (a in root_of and b in root_of):
        return True
    root = root_of.pop(a, root_of.pop(b, -1)) if a in root_of or b in root_of else -1
    sets.join(a, b)
    if root >= 0:
        root_of[sets.find(a)] = root
    _link(neighbours, *edge)
    return False


def _link(neighbours: list[list[int]], a: int, b: int) -> None:
    neighbours[a].append(b)
    neighbours[b].append(a)


def _depths(neighbours: list[list[int]], roots: frozenset[int]) -> tuple[int, ...]:
    depth = [-1] * len(neighbours)
    waiting = list(roots)
    for root in waiting:
        depth[root] = 0
    for vertex in waiting:  # grows while it is walked: breadth first
        for other in neighbours[vertex]:
            if depth[other] < 0:
                depth[other] = depth[vertex] + 1
                waiting.append(other)
    return tuple(depth)

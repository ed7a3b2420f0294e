"""Graph algorithms in plain Python, for graphs too small to load SciPy for.

They visit nodes in the order in which SciPy's compiled routines do, so that the results are the same to the last label
(tests/graph/test_small.py): the size of a graph decides about speed alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import field

from tellegen.start.records import dataclass

_SMALL = 500
_SMALL_AT_FIRST = 6000
"""Nodes up to which a graph is small: 1500 take 10 ms here, SciPy's routines a quarter of a second to load."""

_SCIPY = "scipy.sparse.csgraph"

Adjacency = Sequence[list[int]]
"""The neighbours of each node."""


def is_small(nodes: int) -> bool:
    """Whether plain Python is done sooner."""
    return nodes <= (_SMALL if _SCIPY in sys.modules else _SMALL_AT_FIRST)


def connected(neighbours: Adjacency) -> list[int]:
    """The component of each node of an undirected graph, given by the pairs in either direction."""
    leader = list(range(len(neighbours)))

    def find(node: int) -> int:
        while leader[node] != node:
            leader[node] = leader[leader[node]]
            node = leader[node]
        return node

    for node, others in enumerate(neighbours):
        for other in others:
            a = find(node)
            b = find(other)
            leader[max(a, b)] = min(a, b)
    label: dict[int, int] = {}
    return [label.setdefault(find(node), len(label)) for node in range(len(leader))]


def reachable(successors: Adjacency, start: list[int]) -> list[bool]:
    """Per node whether it is one of the start or can be reached from these."""
    found = [False] * len(successors)
    waiting = start
    while waiting:
        node = waiting.pop()
        if not found[node]:
            found[node] = True
            waiting += successors[node]
    return found


def strongly_connected(successors: Adjacency) -> list[int]:
    """The strong component of each node, a component before those that lead to it (Tarjan 1972)."""
    return _Tarjan(successors).labels()


@dataclass
class _Tarjan:
    """Depth-first search with an explicit path, so that Python's limit of recursion does not matter."""

    successors: Adjacency
    number: dict[int, int] = field(default_factory=dict)  # of each node seen, in the order of discovery
    lowest: dict[int, int] = field(default_factory=dict)  # the earliest open node that is reachable
    open: list[int] = field(default_factory=list)  # seen, but not yet in a component
    label: dict[int, int] = field(default_factory=dict)
    count: int = 0

    def labels(self) -> list[int]:
        for node in range(len(self.successors)):
            if node not in self.number:
                self._explore(node)
        return [self.label[node] for node in range(len(self.successors))]

    def _explore(self, root: int) -> None:
        path = [(root, self._enter(root))]
        while path:
            node, waiting = path[-1]
            if waiting:
                successor = waiting.pop()
                if successor not in self.number:
                    path.append((successor, self._enter(successor)))
                elif successor not in self.label:
                    self.lowest[node] = min(self.lowest[node], self.number[successor])
                continue
            path.pop()
            if path:
                before = path[-1][0]
                self.lowest[before] = min(self.lowest[before], self.lowest[node])
            if self.lowest[node] == self.number[node]:
                self._close(node)

    def _enter(self, node: int) -> list[int]:
        self.number[node] = self.lowest[node] = len(self.number)
        self.open.append(node)
        return list(self.successors[node])

    def _close(self, root: int) -> None:
        """The nodes opened since the root are its component."""
        node = -1
        while node != root:
            node = self.open.pop()
            self.label[node] = self.count
        self.count += 1

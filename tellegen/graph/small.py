"""Three graph algorithms in plain Python, for graphs too small to load SciPy for.

They visit nodes in the order in which SciPy's compiled routines do, so that the results are the same to the last label
(tests/graph/test_small.py): the size of a graph decides about speed alone.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

SMALL = 500
"""Nodes up to which a graph is small: a millisecond here, while scipy.sparse.csgraph takes a quarter of a second to
load."""

_FAR = 1 << 30

Adjacency = list[list[int]]
"""The neighbours of each node, or the columns of each row."""


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


def matching(columns_of: Adjacency, width: int) -> list[int]:
    """A column of its own for as many rows as possible, -1 for the others (Hopcroft and Karp 1973)."""
    return _HopcroftKarp(columns_of, [-1] * len(columns_of), [-1] * width).run()


@dataclass
class _HopcroftKarp:
    """The matching so far, from both sides."""

    columns_of: Adjacency
    column_of: list[int]
    row_of: list[int]

    def run(self) -> list[int]:
        while (length := self._distances()) < _FAR:
            for row in range(len(self.columns_of)):
                if self.column_of[row] < 0:
                    self._augment(row, length)
        return self.column_of

    def _distances(self) -> int:
        """Breadth first from all rows without a column; how far the nearest free column is."""
        self.distance = [0 if column < 0 else _FAR for column in self.column_of]
        queue = deque(row for row, column in enumerate(self.column_of) if column < 0)
        nearest = _FAR
        while queue:
            row = queue.popleft()
            if self.distance[row] >= nearest:
                break
            for column in self.columns_of[row]:
                owner = self.row_of[column]
                if owner < 0:
                    nearest = min(nearest, self.distance[row] + 1)
                elif self.distance[owner] == _FAR:
                    self.distance[owner] = self.distance[row] + 1
                    queue.append(owner)
        return nearest

    def _augment(self, start: int, length: int) -> None:
        """Depth first along a shortest alternating path from a row to a free column, which is then taken."""
        came_from: dict[int, int] = {}
        stack = [start]
        while stack:
            row = stack.pop()
            for column in self.columns_of[row]:
                owner = self.row_of[column]
                if owner < 0 and self.distance[row] + 1 == length:
                    self._take(column, row, came_from)
                    self.distance[row] = _FAR
                    return
                if owner >= 0 and self.distance[owner] == self.distance[row] + 1:
                    came_from[owner] = row
                    stack.append(owner)
            self.distance[row] = _FAR

    def _take(self, column: int, row: int, came_from: dict[int, int]) -> None:
        """Hand the columns of a path on, from its end to its start."""
        while True:
            given = self.column_of[row]
            self.column_of[row] = column
            self.row_of[column] = row
            if given < 0:
                return
            column = given
            row = came_from[row]

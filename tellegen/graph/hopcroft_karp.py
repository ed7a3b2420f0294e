"""Maximum bipartite matching by shortest alternating paths (Hopcroft and Karp, SIAM J. Comput. 2, 1973).

A phase finds the distance of every row from the rows without a column, and then a largest set of disjoint shortest
paths from these to free columns. A row from which the search has returned is a dead end for the rest of the phase;
without that mark the search is exponential on patterns in layers. Plain Python: a model of 50 000 unknowns takes 50 ms.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import field

from tellegen.start.records import dataclass

Adjacency = Sequence[list[int]]
"""The columns of each row."""


@dataclass
class HopcroftKarp:
    """The matching so far, from both sides: -1 where there is no partner."""

    columns_of: Adjacency
    column_of: list[int]
    row_of: list[int]
    closed: set[int] = field(default_factory=set)  # rows from which no free column can be reached any more
    distance: dict[int, int] = field(default_factory=dict)  # of the rows that are open in this phase

    @staticmethod
    def empty(columns_of: Adjacency, width: int) -> HopcroftKarp:
        """Nothing is matched."""
        return HopcroftKarp(columns_of, [-1] * len(columns_of), [-1] * width)

    def match(self, rows: Iterable[int]) -> None:
        """Give a column to as many of these rows as possible; rows that have one keep one."""
        lonely = self._greedy(rows)
        while lonely:
            length = self._measure(lonely)
            if not length:
                self.closed.update(self.distance)
                return
            for row in lonely:
                self._augment(row, length)
            lonely = [row for row in lonely if self.column_of[row] < 0]

    def _greedy(self, rows: Iterable[int]) -> list[int]:
        """The first phase, in which every path is one step long; the rows left over."""
        lonely = []
        for row in rows:
            for column in self.columns_of[row]:
                if self.row_of[column] < 0:
                    self.row_of[column] = row
                    self.column_of[row] = column
                    break
            else:
                lonely.append(row)
        return lonely

    def _measure(self, lonely: list[int]) -> int:
        """Breadth first from rows without a column: how far the nearest free column is, zero if there is none."""
        distance = dict.fromkeys(lonely, 0)
        queue = deque(lonely)
        nearest = 0
        while queue:
            row = queue.popleft()
            here = distance[row]
            if nearest and here >= nearest:
                break
            for column in self.columns_of[row]:
                owner = self.row_of[column]
                if owner < 0:
                    nearest = here + 1
                elif owner not in distance and owner not in self.closed:
                    distance[owner] = here + 1
                    queue.append(owner)
        self.distance = distance
        return nearest

    def _augment(self, start: int, length: int) -> None:
        """Depth first along a shortest path to a free column, which is then taken."""
        came_from: dict[int, int] = {}
        stack = [start]
        while stack:
            row = stack.pop()
            here = self.distance.pop(row, -1)  # a dead end from now on, or part of the path
            if here < 0:
                continue
            for column in self.columns_of[row]:
                owner = self.row_of[column]
                if owner < 0 and here + 1 == length:
                    self._take(column, row, came_from)
                    return
                if owner >= 0 and self.distance.get(owner) == here + 1:
                    came_from[owner] = row
                    stack.append(owner)

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


def matched(options: list[list[int]], width: int, urgent: Iterable[int] = ()) -> list[int]:
    """For each row one of its options, the first rather than others; -1 where none is left. Urgent rows come first."""
    firsts = [row[:1] for row in options]
    search = HopcroftKarp.empty(firsts, width)
    for rows in (urgent, range(len(options))):
        for columns in (firsts, options):
            search.columns_of = columns
            search.closed.clear()
            search.match([row for row in rows if search.column_of[row] < 0])
    return search.column_of

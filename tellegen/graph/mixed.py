"""Rows that depend on each other although their pattern says otherwise, and the sums of them that show it.

    v1 - (a - b) == 0,  v2 - (b - c) == 0,  v3 - (c - a) == 0      unknowns a, b, c: the pattern has a complete matching
    v1 + v2 + v3 == 0                                              no unknown is left in the sum

Some rows of a *mixed matrix* hold exact integers, which may cancel; of the other entries only the places are known, and
they are as good as any numbers (Murota, "Matrices and Matroids for Systems Analysis", 2000). The matrix is regular if
it has an independent matching: a complete one in which the exact rows are independent in the columns they are assigned
to. Where a given matching is not independent, the block of the matrix is searched for another. There the exact rows
are kept reduced to their pivots. A row without a pivot gets one along a shortest alternating path, and every exact row
on the path is pivoted on its new column. Rows that have no such path and the exact rows they reach are wanted: as sums
they hold fewer columns than there are rows, so that the pattern says what the numbers say.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import field
from math import gcd

import numpy as np

from tellegen.graph.arrays import Array
from tellegen.graph.blocks import strong_blocks
from tellegen.graph.incidence import Incidence, incidence
from tellegen.graph.sets import grouped
from tellegen.start.records import dataclass

_MOST_STAY = 0.9  # of the entries, for another round over all of them

Row = dict[int, int]
"""Integers by column; what is at ~r says how often row r is in it."""


@dataclass(frozen=True, eq=False)
class ExactEntries:
    """The entries of the rows that are known as integers."""

    row: Array
    column: Array
    weight: Array

    def where(self, chosen: Array) -> ExactEntries:
        """Some of the entries."""
        return ExactEntries(self.row[chosen], self.column[chosen], self.weight[chosen])

    def rows(self, wanted: Collection[int]) -> dict[int, Row]:
        """Some rows; those without any entry are there as well."""
        out: dict[int, Row] = {row: {~row: 1} for row in wanted}
        inside = np.isin(self.row, np.array([*wanted], np.int64), kind="table")
        triples = (part[inside].tolist() for part in (self.row, self.column, self.weight))
        for row, column, weight in zip(*triples, strict=True):
            out[row][column] = out[row].get(column, 0) + weight
        return {row: {column: weight for column, weight in entries.items() if weight} for row, entries in out.items()}


@dataclass(frozen=True)
class RowSum:
    """Weights of rows, and which of these rows their sum can replace."""

    replaces: int
    weights: dict[int, int]


def vanishing_sums(exact: ExactEntries) -> list[RowSum]:
    """Sums of exact rows in which all columns cancel, one for each row that depends on others."""
    reduced = ReducedRows(exact.rows(_rows_without_own_column(exact)))
    return [RowSum(row, _weights(reduced.rows[row])) for row in reduced.dependent()]


def _rows_without_own_column(exact: ExactEntries) -> list[int]:
    """What is left of the rows when those with a column that no other row has are taken away, again and again.

    A row with such a column is in no sum in which everything cancels. Of most networks nothing is left.
    """
    while len(exact.row):
        users = np.bincount(exact.column)
        has_own = np.zeros(int(exact.row.max()) + 1, bool)
        has_own[exact.row[users[exact.column] == 1]] = True
        stays = ~has_own[exact.row]
        if np.count_nonzero(stays) > _MOST_STAY * len(stays):
            return _rows_left_of_chains(exact)
        exact = exact.where(stays)
    return []


def _rows_left_of_chains(exact: ExactEntries) -> list[int]:
    """The same row by row, for chains of which each round takes the ends alone."""
    columns_of: dict[int, set[int]] = {}
    for row, column in zip(exact.row.tolist(), exact.column.tolist(), strict=True):
        columns_of.setdefault(row, set()).add(column)
    size = int(exact.column.max()) + 1
    users = [0] * size
    total = [0] * size  # of the users' numbers: the user's own where there is one
    for row, columns in columns_of.items():
        for column in columns:
            users[column] += 1
            total[column] += row
    waiting = [total[column] for column in range(size) if users[column] == 1]
    while waiting:
        row = waiting.pop()
        for column in columns_of.pop(row, ()):
            users[column] -= 1
            total[column] -= row
            if users[column] == 1:
                waiting.append(total[column])
    return list(columns_of)


def dependent_sums(pattern: Incidence, assigned: Array, exact: ExactEntries) -> list[RowSum]:
    """The sums that show why a square matrix with a complete matching is singular; none where it is regular."""
    suspects = _dependent_rows(pattern, assigned, exact)
    if not suspects:
        return []
    row_of = np.empty(len(assigned), np.int64)
    row_of[assigned] = np.arange(len(assigned))
    label, _ = strong_blocks(pattern, assigned)
    blocks = np.unique(label[suspects])
    own = np.unique(exact.row[np.isin(label[exact.row], blocks)]).tolist()
    exact_rows = exact.where(label[exact.row] == label[row_of[exact.column]]).rows(own)
    order, begins = grouped(label)
    columns_of_rows = pattern.columns_of_rows
    out: list[RowSum] = []
    for block in blocks.tolist():
        rows = order[begins[block] : begins[block + 1]].tolist()
        reduced = ReducedRows({row: exact_rows[row] for row in rows if row in exact_rows})
        others = {row: columns_of_rows[row] for row in rows if row not in exact_rows}
        out += _replacements(_Matching(reduced, others, {row: int(assigned[row]) for row in rows}))
    return out


def _dependent_rows(pattern: Incidence, assigned: Array, exact: ExactEntries) -> list[int]:
    """A row of each set of exact rows that need each other's columns and are dependent in these."""
    own, row = np.unique(exact.row, return_inverse=True)
    owner = np.full(pattern.shape[1], -1)
    owner[assigned[own]] = np.arange(len(own))
    needed = owner[exact.column]
    both = needed >= 0
    label, _ = strong_blocks(incidence(row[both], needed[both], (len(own), len(own))), np.arange(len(own)))
    several = np.bincount(label, minlength=1)[label] > 1
    together = both & several[row] & (label[row] == label[needed])
    sets: dict[int, dict[int, Row]] = {}
    among = ExactEntries(row, needed, exact.weight).where(together)
    for k, entries in among.rows(np.flatnonzero(several).tolist()).items():
        sets.setdefault(int(label[k]), {})[k] = entries
    return [int(own[next(iter(rows))]) for rows in sets.values() if any(True for _ in ReducedRows(rows).dependent())]


class ReducedRows:
    """Exact rows of which some have a pivot: a column that no other row has any more."""

    def __init__(self, rows: dict[int, Row]) -> None:
        self.rows = rows
        self.users: dict[int, set[int]] = {}
        for row in rows:
            for column in self.columns(row):
                self.users.setdefault(column, set()).add(row)

    def columns(self, row: int) -> list[int]:
        return [column for column in self.rows[row] if column >= 0]

    def dependent(self) -> Iterator[int]:
        """The rows that get no pivot where every row takes one, whatever the column."""
        for row in self.rows:
            free = self.columns(row)
            if free:
                self.pivot(row, min(free, key=lambda column: len(self.users[column])))
            else:
                yield row

    def pivot(self, row: int, column: int) -> None:
        """Take the column out of all other rows."""
        for other in self.users[column] - {row}:
            self._subtract(other, row, column)

    def _subtract(self, row: int, by: int, column: int) -> None:
        target = self.rows[row]
        source = self.rows[by]
        common = gcd(target[column], source[column])
        up = source[column] // common
        down = target[column] // common
        if up != 1:
            for key in target:
                target[key] *= up
        for key, value in source.items():
            changed = target.get(key, 0) - down * value
            if changed:
                target[key] = changed
                if key >= 0:
                    self.users[key].add(row)
            elif key in target:
                del target[key]
                if key >= 0:
                    self.users[key].discard(row)


@dataclass
class _Matching:
    """A matching of a block that is made independent, as far as it goes."""

    reduced: ReducedRows
    others: dict[int, list[int]]  # the columns of rows that are not exact
    column_of: dict[int, int]
    row_of: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Rows that are not exact keep their columns; the exact ones get pivots elsewhere, if they can."""
        wished = self.column_of
        inside = set(wished.values())
        self.others = {row: [column for column in columns if column in inside] for row, columns in self.others.items()}
        self.column_of = {}
        for row in self.others:
            self._assign(row, wished[row])
        for row in self.reduced.rows:
            free = [column for column in self.reduced.columns(row) if column not in self.row_of]
            if free:
                column = wished[row] if wished[row] in free else free[0]
                self.reduced.pivot(row, column)
                self._assign(row, column)

    def _assign(self, row: int, column: int) -> None:
        self.column_of[row] = column
        self.row_of[column] = row

    def deficient(self) -> list[int]:
        """The exact rows that share too few columns, when no more can be assigned."""
        lonely = [row for row in self.reduced.rows if row not in self.column_of]
        left = [row for row in lonely if self._augment(row)]
        reached = {row for start in left for row in self._augment(start)}
        return sorted(row for row in reached if row in self.reduced.rows)

    def _augment(self, start: int) -> set[int]:
        """Give a row a column along a shortest alternating path; the rows it reaches where there is none."""
        came_from: dict[int, int] = {}  # the row from which each column was reached
        queue = deque([start])
        reached = {start}
        while queue:
            row = queue.popleft()
            for column in self.others.get(row) or self.reduced.columns(row):
                if column in came_from:
                    continue
                came_from[column] = row
                owner = self.row_of.get(column)
                if owner is None:
                    self._take(column, start, came_from)
                    return set()
                reached.add(owner)
                queue.append(owner)
        return reached

    def _take(self, column: int, start: int, came_from: dict[int, int]) -> None:
        """Hand the columns of a path on, from its end: earlier rows of a shortest path do not have later columns."""
        while True:
            row = came_from[column]
            given = self.column_of.get(row, -1)
            if row in self.reduced.rows:
                self.reduced.pivot(row, column)
            self._assign(row, column)
            if row == start:
                return
            column = given


def _replacements(matching: _Matching) -> list[RowSum]:
    """The deficient rows as sums, each with a row that it can replace, so that no equation is lost."""
    sums = [_weights(matching.reduced.rows[row]) for row in matching.deficient()]
    sums.sort(key=len)  # rows that are as they were come first and stay
    eliminated: list[tuple[int, Row]] = []
    out = []
    for weights in sums:
        rest = dict(weights)
        for replaced, known in eliminated:
            rest = _without(rest, known, replaced)
        replaced = max(rest)
        eliminated.append((replaced, rest))
        if len(weights) > 1:
            out.append(RowSum(replaced, weights))
    return out


def _weights(row: Row) -> dict[int, int]:
    """How often each row is in a sum, in lowest terms and with the sign of the last one positive."""
    found = {~key: value for key, value in row.items() if key < 0}
    common = gcd(*found.values())
    sign = 1 if found[max(found)] > 0 else -1
    return {key: sign * value // common for key, value in sorted(found.items())}


def _without(a: Row, b: Row, key: int) -> Row:
    """The combination of a and b in which the key is not."""
    if key not in a:
        return a
    keys: Iterable[int] = {**a, **b}
    out = {k: a.get(k, 0) * b[key] - b.get(k, 0) * a[key] for k in keys}
    return {k: value for k, value in out.items() if value}

"""Statements that recur along chains and trees, as loops whose iterations run in order.

    rows     a0 = f(u0)      b0 = g(a0)                  shape a: reads b of the cell before
             a1 = f(b0)      b1 = g(a1)                  shape b: reads a of its own cell
             a2 = f(b1)      b2 = g(a2)                  cells 0, 1, 2
    sweep    for cell in (0, 1, 2):  a = f(..);  b = g(a)

Rows of one shape differ only in what they read. Shapes that need each other are the smallest pieces a loop can have
(Allen and Kennedy, "Automatic translation of Fortran programs to vector form", 1987); pieces are joined greedily as
long as the iterations of the common loop have an order (Kennedy and McKinley, "Maximizing loop parallelism and
improving data locality via loop fusion and distribution", 1993). An iteration is a cell: rows that belong together,
at most one of each shape. Iterations of different composition are different kinds; runs of one kind are one loop.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field
from heapq import heapify, heappop, heappush

import numpy as np

from tellegen.graph.arrays import Array, IntArray, distinct, missing
from tellegen.graph.blocks import strong_components
from tellegen.graph.incidence import incidence
from tellegen.graph.sets import distinct_rows, grouped
from tellegen.start.records import dataclass

LONGEST_PERIOD = 8
"""Up to so many cells that follow each other again and again become one iteration."""


@dataclass(frozen=True, eq=False)
class Statements:
    """Rows to be put in order: row reader[k] reads what row read[k] computes, which is on a lower level.

    Rows that are `loose` fit no loop; their shape is one for each level.
    """

    shape: IntArray
    cell: IntArray
    level: IntArray
    loose: Array
    reader: IntArray
    read: IntArray


@dataclass(frozen=True, eq=False)
class Sweep:
    """Iterations in order: run (kind, begin, end) is iterations begin..end of kinds[kind], which has the rows of an
    iteration in each of its rows."""

    kinds: list[IntArray]
    runs: list[tuple[int, int, int]]

    def of_rows(self, number: IntArray) -> Sweep:
        """The same with these numbers of rows."""
        return Sweep([number[kind] for kind in self.kinds], self.runs)


@dataclass(frozen=True, eq=False)
class Loose:
    """Rows to be computed level by level."""

    rows: IntArray

    def of_rows(self, number: IntArray) -> Loose:
        """The same with these numbers of rows."""
        return Loose(number[self.rows])


def sweeps(rows: Statements) -> list[Sweep | Loose]:
    """All rows in parts to be computed one after the other."""
    pieces = _Pieces.of(rows)
    out: list[Sweep | Loose] = []
    ready = [(pieces.last_level[k], k) for k in np.flatnonzero(pieces.waiting == 0).tolist()]
    heapify(ready)
    while ready:
        loop = _Fusion(pieces)
        left: list[tuple[int, int]] = []
        while ready:
            entry = heappop(ready)
            if loop.admits(entry[1]):
                for new in pieces.done(entry[1]):
                    heappush(ready, new)
            else:
                left.append(entry)
        if loop.members:
            out.append(_swept(pieces, loop))
        else:
            out.append(Loose(np.concatenate([pieces.rows(k) for _, k in left])))
            left = [new for _, k in left for new in pieces.done(k)]
        ready = left
        heapify(ready)
    return out


@dataclass(eq=False)
class _Pieces:
    """Sets of shapes that need each other, and what they read of other cells."""

    statements: Statements
    of_row: IntArray
    order: IntArray  # rows piece by piece
    begin: IntArray
    last_level: list[int]
    loose: list[bool]
    users: list[list[int]]
    waiting: IntArray  # per piece: how many pieces it needs are not done
    crossing: _Crossings

    @staticmethod
    def of(rows: Statements) -> _Pieces:
        shapes = int(rows.shape.max(initial=-1)) + 1
        needs = incidence(rows.shape[rows.reader], rows.shape[rows.read], (shapes, shapes))
        label = strong_components(needs)
        count = int(label.max(initial=-1)) + 1
        of_row = label[rows.shape].astype(np.int64)
        order, begin = grouped(of_row)
        first = label[needs.row_of_entry]
        second = label[needs.indices]
        apart = first != second
        graph = incidence(first[apart], second[apart], (count, count))
        loose = np.zeros(count, bool)
        loose[of_row[rows.loose]] = True
        loose[_tangled(rows, of_row)] = True
        return _Pieces(
            statements=rows,
            of_row=of_row,
            order=order,
            begin=begin,
            last_level=np.maximum.reduceat(rows.level[order], begin[:-1]).tolist(),
            loose=loose.tolist(),
            users=list(graph.transposed.columns_of_rows),
            waiting=np.diff(graph.indptr).astype(np.int64),
            crossing=_Crossings.of(rows, of_row, count),
        )

    def rows(self, piece: int) -> IntArray:
        return self.order[self.begin[piece] : self.begin[piece + 1]]

    def done(self, piece: int) -> list[tuple[int, int]]:
        """The pieces that waited for this one alone."""
        found = []
        for user in self.users[piece]:
            self.waiting[user] -= 1
            if not self.waiting[user]:
                found.append((self.last_level[user], user))
        return found


def _tangled(rows: Statements, of_row: IntArray) -> IntArray:
    """Pieces whose shapes need each other within one cell, in no order that holds for all cells."""
    inside = (rows.cell[rows.reader] == rows.cell[rows.read]) & (of_row[rows.reader] == of_row[rows.read])
    reader = rows.shape[rows.reader[inside]]
    read = rows.shape[rows.read[inside]]
    shapes = int(rows.shape.max(initial=-1)) + 1
    label = strong_components(incidence(reader, read, (shapes, shapes)))
    together = (label[reader] == label[read]) if len(reader) else np.zeros(0, bool)
    return distinct(of_row[rows.reader[inside][together]])


@dataclass(frozen=True, eq=False)
class _Crossings:
    """What rows read of other cells: of each piece the cell pairs reader * cells + read, with the piece read."""

    cells: int
    pair: IntArray
    piece_read: IntArray
    begin: IntArray  # per piece that reads, and the end

    @staticmethod
    def of(rows: Statements, of_row: IntArray, pieces: int) -> _Crossings:
        cells = int(rows.cell.max(initial=-1)) + 1
        across = rows.cell[rows.reader] != rows.cell[rows.read]
        reader = rows.reader[across]
        read = rows.read[across]
        pair = rows.cell[reader].astype(np.int64) * cells + rows.cell[read]
        between = of_row[reader] * pieces + of_row[read]
        order = np.lexsort((pair, between))
        kept = np.ones(len(order), bool)
        kept[1:] = (np.diff(pair[order]) != 0) | (np.diff(between[order]) != 0)
        order = order[kept]
        begin = np.searchsorted(of_row[reader[order]], np.arange(pieces + 1))
        return _Crossings(cells, pair[order], of_row[read[order]], begin)


@dataclass(eq=False)
class _Fusion:
    """Pieces in one loop; `pairs` are the cells that have to wait for another, reader * cells + read, sorted."""

    pieces: _Pieces
    members: list[int] = field(default_factory=list)
    pairs: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))

    def __post_init__(self) -> None:
        self.inside = np.zeros(len(self.pieces.loose), bool)

    def admits(self, piece: int) -> bool:
        """Whether the piece can join the loop; then it has."""
        if self.pieces.loose[piece]:
            return False
        crossing = self.pieces.crossing
        mine = slice(crossing.begin[piece], crossing.begin[piece + 1])
        self.inside[piece] = True
        pair = crossing.pair[mine][self.inside[crossing.piece_read[mine]]]
        new = missing(pair, self.pairs)
        if len(new):
            pairs = np.sort(np.concatenate([self.pairs, new]))
            if not _has_order(pairs, new, crossing.cells):
                self.inside[piece] = False
                self.pieces.loose[piece] |= not self.members
                return False
            self.pairs = pairs
        self.members.append(piece)
        return True


def _has_order(pairs: IntArray, new: IntArray, cells: int) -> bool:
    """Whether cells that wait for each other like this can come one after the other."""
    turned = (new % cells) * cells + new // cells
    at = np.minimum(np.searchsorted(pairs, turned), len(pairs) - 1)
    if (pairs[at] == turned).any():
        return False
    names, number = np.unique(np.concatenate([pairs // cells, pairs % cells]), return_inverse=True)
    graph = incidence(number[: len(pairs)], number[len(pairs) :], (len(names), len(names)))
    return int(strong_components(graph).max()) + 1 == len(names)


def _swept(pieces: _Pieces, loop: _Fusion) -> Sweep:
    """The rows of a loop: cells in order, and in each of them the rows."""
    rows = np.concatenate([pieces.rows(k) for k in loop.members])
    position = _positions(pieces.statements, rows)
    cell = pieces.statements.cell
    width = int(position.max(initial=0)) + 1
    rows = rows[np.argsort(cell[rows].astype(np.int64) * width + position[rows], kind="stable")]
    begin = np.flatnonzero(np.concatenate([[True], np.diff(cell[rows]) != 0]))
    kind = _kinds(pieces.statements.shape[rows], begin)
    order = _ordered(kind, cell[rows[begin]], loop.pairs, pieces.crossing.cells)
    end = np.append(begin[1:], len(rows))
    patterns: dict[tuple[int, ...], _Iterations] = {}
    runs: list[tuple[int, int, int]] = []
    for first, period, count in _repeats(kind[order]):
        cells = order[first : first + period * count].reshape(count, period)
        width = (end - begin)[cells[0]]
        before = np.cumsum(width) - width
        inside = np.arange(width.sum()) - np.repeat(before, width)
        mine = patterns.setdefault(tuple(kind[cells[0]].tolist()), _Iterations(len(patterns)))
        runs.append((mine.number, mine.count, mine.count + count))
        mine.parts.append(rows[np.repeat(begin[cells], width, axis=1) + inside])
        mine.count += count
    return Sweep([np.concatenate(mine.parts) for mine in patterns.values()], runs)


@dataclass(eq=False)
class _Iterations:
    """Iterations of one kind: the rows of each."""

    number: int
    count: int = 0
    parts: list[IntArray] = field(default_factory=list)


def _repeats(kind: IntArray) -> list[tuple[int, int, int]]:
    """The sequence in parts (first, period, count): as often as possible the same few kinds again and again."""
    count = len(kind)
    periods = range(1, min(LONGEST_PERIOD, count) + 1)
    equal = np.zeros((len(periods), count + 1), np.int64)  # how many elements from here on equal that one period later
    for p in periods:
        alike = np.append(kind[p:] == kind[:-p], np.zeros(p, bool))
        ends = np.where(alike, count, np.arange(count))
        equal[p - 1, :-1] = np.minimum.accumulate(ends[::-1])[::-1] - np.arange(count)
    repeats = 1 + equal[:, :-1] // np.arange(1, len(periods) + 1)[:, None]
    covered = np.where(repeats > 1, repeats * np.arange(1, len(periods) + 1)[:, None], 0)
    best = covered.argmax(axis=0)
    out: list[tuple[int, int, int]] = []
    at = 0
    while at < count:
        period = int(best[at]) + 1
        out.append((at, period, int(repeats[period - 1, at])))
        at += period * out[-1][2]
    return out


def _positions(statements: Statements, rows: IntArray) -> IntArray:
    """Per row of the model its place in an iteration: what it reads of its own cell before it, else as written."""
    inside = np.zeros(len(statements.shape), bool)
    inside[rows] = True
    mine = inside[statements.reader] & inside[statements.read]
    mine &= statements.cell[statements.reader] == statements.cell[statements.read]
    shapes = distinct(statements.shape[rows])
    reader = np.searchsorted(shapes, statements.shape[statements.reader[mine]])
    read = np.searchsorted(shapes, statements.shape[statements.read[mine]])
    graph = incidence(reader, read, (len(shapes), len(shapes)))
    waiting = np.diff(graph.indptr).tolist()
    users = graph.transposed.columns_of_rows
    ready = [k for k, count in enumerate(waiting) if not count]
    place = np.zeros(int(statements.shape.max()) + 1, np.int64)
    done = 0
    while ready:
        shape = heappop(ready)
        place[shapes[shape]] = done
        done += 1
        for user in users[shape]:
            waiting[user] -= 1
            if not waiting[user]:
                heappush(ready, user)
    return place[statements.shape]


def _kinds(shape: IntArray, begin: IntArray) -> IntArray:
    """A number for each cell, equal for cells with equal sequences of shapes; `begin` is where cells begin."""
    width = np.diff(np.append(begin, len(shape)))
    found = np.empty(len(begin), np.int64)
    for size in distinct(width).tolist():
        cells = np.flatnonzero(width == size)
        for _, members in distinct_rows(shape[begin[cells][:, None] + np.arange(size)]):
            found[cells[members]] = cells[members[0]]
    first = distinct(found)
    return np.searchsorted(first, found)


def _ordered(kinds: IntArray, cell: IntArray, pairs: IntArray, cells: int) -> IntArray:
    """The iterations in an order in which those that others wait for come first, equal kinds in long runs."""
    count = len(kinds)
    kind = kinds.tolist()
    number = np.full(cells, -1, np.int64)
    number[cell] = np.arange(count)
    graph = incidence(number[pairs // cells], number[pairs % cells], (count, count))
    waiting = np.diff(graph.indptr).tolist()
    users = graph.transposed
    user = users.indices.tolist()
    starts = users.indptr.tolist()
    ready: dict[int, list[int]] = defaultdict(list)
    for k in range(count - 1, -1, -1):
        if not waiting[k]:
            ready[kind[k]].append(k)
    order: list[int] = []
    while ready:
        mine = next(iter(ready))
        stack = ready[mine]
        while stack:
            k = stack.pop()
            order.append(k)
            for later in user[starts[k] : starts[k + 1]]:
                waiting[later] -= 1
                if not waiting[later]:
                    ready[kind[later]].append(later)
        del ready[mine]
    return np.array(order, np.int64)

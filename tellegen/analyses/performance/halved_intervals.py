"""A formula along a run, bounded over intervals that are halved until nothing is open (between_points.py)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.interpolate import BSpline

from tellegen.analyses.performance.formulas_of_signals import Formula
from tellegen.analyses.performance.pieces import Piece, shortest
from tellegen.analyses.performance.splines import spline_through
from tellegen.engine.results.solution import Solution
from tellegen.ir.expressions.expr import Call, Expr
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import BoolArray
from tellegen.symbolic.bounds.bounded import bounded, constant
from tellegen.symbolic.bounds.operations import Bounds
from tellegen.symbolic.bounds.pairs import Pair

_SEEN = 1e-3  # of its range: a signal may vary so much in an interval
_EXACT = 1e-6  # of its range: how exactly its extremes and its sign are known
_ROUNDING = 1e-12  # of its size
_SEEN_OF_LOOPS = 1e-2  # of the terms whose sum is zero
_PARTS = 16  # of an interval, at most
_AT_ONCE = 1_000  # intervals that take hardly longer than one
_MANY = 4_000  # intervals that are open at a time: of more those that leave most open


class Curves(Protocol):
    """A run as smooth pieces (response.py)."""

    solution: Solution
    pieces: list[Piece]
    tolerance: float

    def given(self, piece: Piece, unknowns: IntArray) -> FloatArray: ...


@dataclass(frozen=True, eq=False)
class Intervals:
    """Parts of the intervals between points: where they are, and in which interval of which piece."""

    begin: FloatArray
    end: FloatArray
    piece: IntArray
    base: IntArray

    @property
    def middle(self) -> FloatArray:
        """The instants in the middle."""
        return 0.5 * (self.begin + self.end)

    def some(self, which: IntArray) -> Intervals:
        """A part of them."""
        return Intervals(self.begin[which], self.end[which], self.piece[which], self.base[which])

    def parts(self) -> Intervals:
        """Halves; of few the halves of these, and so on: hundreds of intervals take the time of one."""
        count = 2
        while count < _PARTS and 2 * count * len(self.begin) <= _AT_ONCE:
            count *= 2
        edges = self.begin + np.linspace(0.0, 1.0, count + 1)[:, None] * (self.end - self.begin)
        edges[-1] = self.end
        return Intervals(edges[:-1].ravel(), edges[1:].ravel(), np.tile(self.piece, count), np.tile(self.base, count))


@dataclass(frozen=True, eq=False)
class Leaves:
    """Intervals in which nothing is open any more, the values in their middles, and the intervals that hold a jump."""

    intervals: Intervals
    values: FloatArray
    jumps: Intervals


class Search:
    """The halving of intervals, for all pieces at once."""

    def __init__(self, curves: Curves, formula: Formula, *, is_zero: bool = False) -> None:
        self.curves = curves
        self.formula = formula
        first = formula.rows.cells.first_unknown
        self.numbers = [cell for cell in formula.given if cell < first]
        self.unknowns = [cell - first for cell in formula.given if cell >= first]
        self._splines = [self._spline(piece) for piece in curves.pieces] if self.unknowns else []
        self.numbers_of_pieces = self._numbers_of_pieces()
        self.is_zero = is_zero
        self.range = self._size_of_terms(self._base()) if is_zero else 0.0

    def leaves(self) -> Leaves:
        """Intervals in which nothing is open; `range` is that of the values in their middles."""
        open_ = self._base()
        closed: list[Intervals] = []
        seen: list[FloatArray] = []
        jumps: list[Intervals] = []
        instant = shortest(self.curves.solution)
        lowest, highest = np.inf, -np.inf
        while len(open_.begin):
            bounds = self.bounds(open_)
            values = bounds.middle[np.isfinite(bounds.middle)]
            lowest, highest = min(lowest, values.min(initial=np.inf)), max(highest, values.max(initial=-np.inf))
            if not self.is_zero:
                self.range = max(highest - lowest, _ROUNDING * max(abs(lowest), abs(highest)), 0.0)
            is_open = self._is_open(bounds, lowest, highest)
            is_short = open_.end - open_.begin < instant
            jumps.append(open_.some(np.flatnonzero(is_open & is_short)))
            is_open &= ~is_short & self._is_worst(bounds, is_open)
            closed.append(open_.some(np.flatnonzero(~is_open)))
            seen.append(bounds.middle[~is_open])
            open_ = open_.some(np.flatnonzero(is_open)).parts()
        return Leaves(_all(closed), np.concatenate(seen), self._real(_all(jumps)))

    def _real(self, jumps: Intervals) -> Intervals:
        """Those with other values on both sides: where branches meet that agree, bounds are open as well."""
        sides = [Intervals(t, t, jumps.piece, jumps.base) for t in (jumps.begin, jumps.end)]
        before, after = (self.bounds(side).middle for side in sides)
        return jumps.some(np.flatnonzero(~(np.abs(after - before) <= _EXACT * self.range)))

    def _is_open(self, bounds: Bounds, lowest: float, highest: float) -> BoolArray:
        """Where the signal may vary by much, pass its extremes, or change its sign."""
        low, high = bounds.value
        reach = _reach(bounds)
        beyond = np.maximum(lowest - low, high - highest)
        sign_open = (low < 0.0) & (high > 0.0)
        exact = _EXACT * self.range
        seen = _SEEN_OF_LOOPS if self.is_zero else _SEEN
        open_ = (reach > seen * self.range) | ((beyond > exact) | sign_open) & (reach > exact)
        return np.asarray(open_ & np.isfinite(bounds.middle))

    def _is_worst(self, bounds: Bounds, is_open: BoolArray) -> BoolArray:
        """Which intervals leave most open, where there are more than can be looked into."""
        if int(is_open.sum()) <= _MANY:
            return is_open
        reach = np.where(is_open, _reach(bounds), -1.0)
        return np.asarray(reach > np.partition(reach, -_MANY)[-_MANY])

    def bounds(self, intervals: Intervals) -> Bounds:
        """Of the formula over intervals."""
        half = 0.5 * (intervals.end - intervals.begin)
        time, cells = self._cells(intervals, half)
        found = bounded(self.formula.value, cells, time, half)
        low, high, middle = (np.broadcast_to(part, half.shape) for part in (*found.value, found.middle))
        return Bounds(Pair(low, high), middle, found.slope)

    def _cells(self, intervals: Intervals, half: FloatArray) -> tuple[Bounds, dict[int, Bounds]]:
        """The time, and all that the formula reads."""
        ones = np.ones_like(half)
        time = Bounds(Pair(intervals.begin, intervals.end), intervals.middle, Pair(ones, ones))
        cells = self._given(intervals, half)
        for cell in self.formula.order:
            cells[cell] = bounded(self.formula.rows.formulas[cell], cells, time, half)
        return time, cells

    def _size_of_terms(self, intervals: Intervals) -> float:
        """The largest of what is added and subtracted in the formula itself."""
        half = 0.5 * (intervals.end - intervals.begin)
        time, cells = self._cells(intervals, half)
        terms = list(_terms(self.formula.value))
        sizes = [np.abs(bounded(term, cells, time, half).middle) for term in terms]
        return max(float(np.max(size[np.isfinite(size)], initial=0.0)) for size in map(np.atleast_1d, sizes))

    def _base(self) -> Intervals:
        """The intervals between points."""
        pieces = self.curves.pieces
        begin = np.concatenate([piece.times[:-1] for piece in pieces])
        end = np.concatenate([piece.times[1:] for piece in pieces])
        number = np.concatenate([np.full(len(piece.times) - 1, k) for k, piece in enumerate(pieces)])
        return Intervals(begin, end, number, np.arange(len(begin)))

    def _given(self, intervals: Intervals, half: FloatArray) -> dict[int, Bounds]:
        """Numbers of the segment, and the states along their splines."""
        cells: dict[int, Bounds] = {}
        for k, cell in enumerate(self.numbers):
            column = self.numbers_of_pieces[:, k]
            cells[cell] = constant(column[0] if (column == column[0]).all() else column[intervals.piece])
        if not self.unknowns:
            return cells
        shape = (len(half), len(self.unknowns))
        value, slope, bend = np.empty(shape), np.empty(shape), np.empty(shape)
        for k in np.unique(intervals.piece):
            mine = np.flatnonzero(intervals.piece == k)
            spline, rate, second = self._splines[k]
            value[mine], slope[mine] = spline(intervals.middle[mine]), rate(intervals.middle[mine])
            bend[mine] = _largest_near(second, intervals.middle[mine])
        reach = bend * half[:, None]
        far = (np.abs(slope) + reach) * half[:, None]
        first = self.formula.rows.cells.first_unknown
        for k, place in enumerate(self.unknowns):
            inside = Pair(value[:, k] - far[:, k], value[:, k] + far[:, k])
            rates = Pair(slope[:, k] - reach[:, k], slope[:, k] + reach[:, k])
            cells[first + place] = Bounds(inside, value[:, k], rates)
        return cells

    def _spline(self, piece: Piece) -> tuple[BSpline, BSpline, BSpline]:
        spline = spline_through(piece.times, self.curves.given(piece, np.array(self.unknowns, int)))
        rate = spline.derivative()
        return spline, rate, rate.derivative() if rate.k else BSpline(rate.t, 0.0 * rate.c, rate.k)

    def _numbers_of_pieces(self) -> FloatArray:
        """Parameters, discrete values and flags, a row for each piece."""
        solution, pieces = self.curves.solution, self.curves.pieces
        if solution.history is None or not self.numbers:
            return np.tile(solution._p[self.numbers], (len(pieces), 1))
        middles = np.array([0.5 * (piece.times[0] + piece.times[-1]) for piece in pieces])
        segments = np.asarray(solution.history.segment)[np.searchsorted(solution.time, middles, "right") - 1]
        different, which = np.unique(segments, return_inverse=True)
        return np.array([solution.history.numbers(int(k))[self.numbers] for k in different])[which]


def _reach(bounds: Bounds) -> FloatArray:
    """How far the values may be from those in the middle."""
    low, high = bounds.value
    return np.asarray(np.maximum(high - bounds.middle, bounds.middle - low))


def _terms(expr: Expr) -> Iterator[Expr]:
    """What an expression is a sum of."""
    if isinstance(expr, Call) and expr.op in ("add", "sub", "neg"):
        for arg in expr.args:
            yield from _terms(arg)
    else:
        yield expr


def _all(parts: list[Intervals]) -> Intervals:
    columns = [[part.begin, part.end, part.piece, part.base] for part in parts]
    return Intervals(*(np.concatenate(column) for column in zip(*columns, strict=True)))


def _largest_near(spline: BSpline, times: FloatArray) -> FloatArray:
    """A bound of absolute values in the knot spans of times: a spline is among its coefficients."""
    span = np.clip(np.searchsorted(spline.t, times, "right") - 1, spline.k, len(spline.c) - 1)
    size = np.abs(spline.c)
    found = size[span]
    for k in range(1, spline.k + 1):
        found = np.maximum(found, size[span - k])
    return found

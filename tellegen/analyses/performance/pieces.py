"""A run cut at its events: smooth pieces, each with points enough for a spline of degree five."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.performance.splines import graded
from tellegen.engine.results.solution import Solution
from tellegen.ir.model import FloatArray

FEW = 9
"""Points of a piece, below which more are computed."""
_CROWDED = 0.1  # of the next distance: a point so near an event only spoils derivatives
_ALONE = 64.0  # so many times further away from the points on both sides: one point would do
_INSTANT = 1e-12  # of the run: pieces so short are the steps of one event
_PARTS = 3  # of the distance of two points, where kinks, peaks and crossings are looked for


@dataclass(frozen=True, eq=False)
class Piece:
    """A smooth part of a run: its points (rows of all values), and how its ends move with the design variables."""

    number: int
    times: FloatArray
    rows: Any
    moves: tuple[FloatArray, FloatArray]

    @property
    def samples(self) -> FloatArray:
        """The points, and some between them."""
        steps = np.arange(_PARTS * (len(self.times) - 1) + 1) / _PARTS
        return np.interp(steps, np.arange(len(self.times)), self.times)


@dataclass(frozen=True, eq=False)
class Pieces:
    """All pieces of a run, and times filled in where one has too few points: their rows follow those of the run."""

    pieces: list[Piece]
    filled: FloatArray


def shortest(solution: Solution) -> float:
    """What is shorter is an instant."""
    return _INSTANT * float(solution.time[-1] - solution.time[0])


def cut_at_events(solution: Solution, moves: Callable[[float], FloatArray], more: FloatArray) -> Pieces:
    """The pieces between events, with more points; `moves` says how an instant moves with the design variables.

    Two points of `more` at one instant are the sides of a jump: they end a piece and begin another one.
    """
    filler = _Filler(len(solution.time))
    instant = shortest(solution)
    pieces: list[Piece] = []
    for rows in _rows_between_events(solution):
        times = solution.time[rows]
        new = more[(more > times[0]) & (more < times[-1])]
        for part in filler.with_more(_Points(times, rows), new).cut(instant if len(new) else 0.0):
            points = filler.with_more(part, graded(part.times)) if len(new) else part
            if len(points.times) < FEW and solution.compiled is not None:
                points = filler.with_more(points, _between(points.times))
            ends = moves(float(points.times[0])), moves(float(points.times[-1]))
            pieces.append(Piece(len(pieces), points.times, points.rows, ends))
    return Pieces(pieces, np.array(filler.times))


@dataclass(frozen=True, eq=False)
class _Points:
    """Times, and the rows of their values."""

    times: FloatArray
    rows: Any

    def cut(self, instant: float) -> list[_Points]:
        """The parts between points at one instant."""
        cuts = np.flatnonzero(np.diff(self.times) < instant) + 1
        parts = zip(np.split(self.times, cuts), np.split(self.rows, cuts), strict=True)
        return [_Points(times, rows) for times, rows in parts if len(times) > 1 and times[-1] - times[0] > instant]


class _Filler:
    """The times filled in so far: their rows follow those of the run."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.times: list[float] = []

    def with_more(self, points: _Points, more: FloatArray) -> _Points:
        """Points with those added that are new."""
        new = np.setdiff1d(more, points.times)
        if not len(new):
            return points
        added = self.rows + len(self.times) + np.arange(len(new))
        self.times += new.tolist()
        times = np.concatenate([points.times, new])
        order = np.argsort(times, kind="stable")
        return _Points(times[order], np.concatenate([points.rows, added])[order])


def _rows_between_events(solution: Solution) -> list[Any]:
    time = solution.time
    history = solution.history
    number = np.zeros(len(time), int) if history is None else np.asarray(history.segment)
    between = np.split(np.arange(len(time)), np.flatnonzero(np.diff(number)) + 1)
    least = shortest(solution)
    return [apart(time, rows) for rows in between if time[rows[-1]] - time[rows[0]] > least]


def apart(time: FloatArray, rows: Any) -> Any:
    """Rows without those that crowd against others: splines amplify the errors of values that lie close together."""
    rows = _without_crowded_ends(time, rows)
    return rows[distinct(time[rows])]


def distinct(times: FloatArray) -> Any:
    """The indices of times that do not (almost) coincide with the one before, alone among times far apart."""
    kept = np.arange(len(times))
    for more in (2, 1):
        at = times[kept]
        width = at[1 + more : -1] - at[1 : -1 - more]
        before = at[1 : -1 - more] - at[: -2 - more]
        after = at[2 + more :] - at[1 + more : -1]
        crowded = np.flatnonzero(width < np.minimum(before, after) / _ALONE)
        kept = np.delete(kept, (crowded[:, None] + 2 + np.arange(more)).ravel())
    return kept


def _without_crowded_ends(time: FloatArray, rows: Any) -> Any:
    """Rows without the one next to an end that is crowded against it."""
    for _ in range(2):  # one end, then the other
        rows = rows[::-1]
        if len(rows) > 2 and abs(time[rows[1]] - time[rows[0]]) < _CROWDED * abs(time[rows[2]] - time[rows[1]]):
            rows = np.delete(rows, 1)
    return rows


def _between(times: FloatArray) -> FloatArray:
    """More times for a short piece, evenly between those there are."""
    each = -(-(FEW - 1) // (len(times) - 1))
    steps = np.arange(each * (len(times) - 1) + 1) / each
    more = np.interp(steps, np.arange(len(times)), times)
    return np.delete(more, np.arange(0, len(more), each))

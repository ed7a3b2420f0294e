"""A run cut at its events: smooth pieces, each with points enough for a spline of degree five."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

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


def cut_at_events(solution: Solution, moves: Callable[[float], FloatArray]) -> Pieces:
    """The pieces between events; `moves` says how an instant moves with the design variables."""
    time = solution.time
    filled: list[float] = []
    pieces: list[Piece] = []
    for rows in _rows_between_events(solution):
        times = time[rows]
        if len(rows) < FEW and solution.compiled is not None:
            more = _between(times)
            added = len(time) + len(filled) + np.arange(len(more))
            filled += more.tolist()
            order = np.argsort(np.concatenate([times, more]), kind="stable")
            rows = np.concatenate([rows, added])[order]
            times = np.concatenate([times, more])[order]
        ends = moves(float(times[0])), moves(float(times[-1]))
        pieces.append(Piece(len(pieces), times, rows, ends))
    return Pieces(pieces, np.array(filled))


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

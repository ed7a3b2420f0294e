"""Instants and values at them: tg.time_when, tg.event_time, tg.value, tg.final.

Where a curve g(t, p) passes a level the instant moves by -g_p / g_t; an event by what its run has noted. The value of
a curve at an instant that moves changes by x_p + x_t t_p.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import brentq

from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.expression import Performance, number, performances, value_of
from tellegen.analyses.performance.measured import Asked, Measured
from tellegen.analyses.performance.pieces import Piece
from tellegen.analyses.performance.response import Response
from tellegen.analyses.performance.signal_expressions import Signal, condition, signal
from tellegen.errors import DesignError, LanguageError, RunFailedError, users_call
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here

_AT_END = 1e-7  # of the size of a curve: an event stands at its zero only up to rounding


def roots(response: Response, curve: Signal, level: float, piece: Piece) -> list[float]:
    """Where a curve passes a level inside a piece, in the order of time."""
    times = piece.samples
    values = response.at(curve, piece, times).value - level
    found = []

    def height(t: float) -> float:
        return float(response.at(curve, piece, t).value[0]) - level

    for k in np.flatnonzero(np.signbit(values[1:]) != np.signbit(values[:-1])):
        if values[k] == 0.0 and k == 0:
            continue  # it starts there
        found.append(float(brentq(height, times[k], times[k + 1], xtol=1e-15)))  # type: ignore[arg-type]
    return found


class Crossing(Performance):
    """The time at which a curve passes a level, upwards (1), downwards (-1) or either way (0)."""

    def __init__(self, curve: Signal, level: Any, way: int, which: int, text: str) -> None:
        self.curve = curve
        self.level = level
        self.way = way
        self.which = which
        self.text = text

    @property
    def members(self) -> tuple[Performance, ...]:
        """See Performance."""
        return performances(self.level)

    def signals(self, model: ReducedModel) -> tuple[Signal, ...]:
        """See Performance."""
        return (self.curve, *super().signals(model))

    def evaluate(self, response: Response) -> Dual:
        """The instant of the crossing asked for."""
        level = value_of(self.level, response)
        found = crossings(response, self.curve, level, self.way)
        return chosen(found, self.which, self.text)


def crossings(response: Response, curve: Signal, level: Any, way: int) -> list[Dual]:
    """All instants at which a curve passes a level, with how they move."""
    at, moves = (level.value, level.slope) if isinstance(level, Dual) else (float(level), 0.0)
    found: list[Dual] = []
    before = None  # the sign at the end of the last piece
    for piece in response.pieces:
        ends = response.at(curve, piece, piece.times[[0, -1]])
        heights = response.at(curve, piece, piece.samples).value - at
        size = _AT_END * float(np.abs(heights + at).max() + abs(at))
        first, last = np.where(np.abs(ends.value - at) <= size, 0.0, np.sign(ends.value - at))
        inside = [t for t in roots(response, curve, at, piece) if piece.times[0] < t < piece.times[-1]]
        first = first or _leaves(heights, size, piece, inside)
        if before is not None and first and first == -before and way in (0, first):
            found.append(Dual(float(piece.times[0]), piece.moves[0]))  # it jumps across
        if last == 0.0 and not (inside and _close(response, curve, piece, inside[-1], at, size)):
            inside.append(float(piece.times[-1]))
        for t in inside:
            there = response.at(curve, piece, t)
            speed = there.slope[0, -1]
            if speed and way in (0, np.sign(speed)):
                found.append(Dual(float(t), (moves - there.slope[0, :-1]) / speed))
        before = last if last else before if not len(inside) else None
    return found


def _leaves(heights: FloatArray, size: float, piece: Piece, inside: list[float]) -> float:
    """To which side a curve goes that begins at the level; zero where it stays there or crosses it first."""
    away = np.flatnonzero(np.abs(heights) > size)
    if not len(away) or (inside and inside[0] <= piece.samples[away[0]]):
        return 0.0
    return float(np.sign(heights[away[0]]))


def _close(response: Response, curve: Signal, piece: Piece, t: float, level: float, size: float) -> bool:
    """Whether the curve stays at the level from t to the end of the piece: a root found twice."""
    middle = 0.5 * (t + piece.times[-1])
    return bool(abs(response.at(curve, piece, middle).value[0] - level) <= size)


def chosen(found: list[Dual], which: int, text: str) -> Dual:
    """One of the instants, counted from 1, or from the end by -1."""
    if isinstance(which, bool) or not isinstance(which, int) or which == 0:
        raise DesignError(
            "E646",
            f"{text}: the number of an instant is an integer, not {which!r}",
            location=here(),
            advice="1 is the first, 2 the second, -1 the last",
        )
    position = which - 1 if which > 0 else which
    if not -len(found) <= position < len(found):
        times = "never" if not found else f"only {len(found)} times"
        raise RunFailedError(
            "E321",
            f"{text} happens {times} in this run",
            location=here(),
            advice="simulate longer, or plot the signal: solution.plot(...)",
        )
    return found[position]


class EventTime(Performance):
    """The time of an event of the model's log."""

    def __init__(self, containing: str, which: int) -> None:
        self.containing = containing
        self.which = which
        self.text = f"event_time({containing!r}, {which})" if which != 1 else f"event_time({containing!r})"

    def evaluate(self, response: Response) -> Dual:
        """Its instant, as the run has noted how it moves."""
        log = response.solution.events
        times = [event.time for event in log if any(self.containing in text for text in event.what)]
        return chosen([Dual(t, response.moves(t)) for t in times], self.which, self.text)


class Value(Performance):
    """A curve at an instant; at an event after it, or before it."""

    def __init__(self, curve: Signal, at: Any, before: bool, text: str) -> None:
        self.curve = curve
        self.at = at
        self.before = before
        self.text = text

    @property
    def members(self) -> tuple[Performance, ...]:
        """See Performance."""
        return performances(self.at)

    def signals(self, model: ReducedModel) -> tuple[Signal, ...]:
        """See Performance; at the end of a run there is a point."""
        return () if self.at is None else (self.curve, *super().signals(model))

    def evaluate(self, response: Response) -> Dual:
        """x_p + x_t t_p."""
        instant = response.stop if self.at is None else value_of(self.at, response)
        if not isinstance(instant, Dual):
            instant = Dual(instant, np.zeros(len(response.wrt)))
        t = instant.value
        moves = instant.slope
        first = response.start.value
        last = response.stop.value
        if not first <= t <= last:
            what = f"{self.text}: t = {t:g} is outside the run from {first:g} to {last:g}"
            raise LanguageError("E186", what, location=here(), advice="simulate to a later time")
        if t in (first, last) and not moves.any() and not self.before:
            return self._at_row(response, int(np.searchsorted(response.solution.time, t, "right")) - 1)
        found = response.at(self.curve, response.piece_at(t, self.before or t == last), t)
        return Dual(found.value[0], found.slope[0, :-1] + found.slope[0, -1] * moves)

    def of_runs(self, runs: Measured) -> Any:
        """At the end; other instants need curves."""
        if self.at is not None or self.before:
            return super().of_runs(runs)
        return runs.value(Asked(self.curve, "last", self))

    def _at_row(self, response: Response, row: int) -> Dual:
        """As the run has it: what happens at its very end stands in no piece."""

        def read(path: str) -> Dual:
            if path == "time":
                return Dual(float(response.solution.time[row]), np.zeros(len(response.wrt)))
            return Dual(*response.number(path, row))

        found = self.curve.evaluate(read)
        return found if isinstance(found, Dual) else Dual(found, np.zeros(len(response.wrt)))


@users_call
def final(curve: str) -> Performance:
    """The value of a curve at the end of the run; tg.final("time") is when a model ends by itself."""
    return Value(signal(curve), None, False, f"final({curve})")


@users_call
def value(curve: str, at: Any, side: str = "after") -> Performance:
    """The value of a curve at a time: a number, or an instant such as tg.time_when(...) or tg.event_time(...).

    At an event, "after" it or "before" it.
    """
    if side not in ("after", "before"):
        raise DesignError("E646", f"side is 'after' or 'before', not {side!r}", location=here(), advice="side='before'")
    at = number(at)
    shown = f"{at:g}" if isinstance(at, float) else str(at)
    return Value(signal(curve), at, side == "before", f"value({curve}, at {shown})")


@users_call
def time_when(text: str, number: int = 1) -> Performance:
    """The time at which a condition becomes true: tg.time_when("load.phi > 1.0"); -1 is the last time."""
    return Crossing(condition(text), 0.0, 1, number, f"time_when({text!r})")


@users_call
def event_time(containing: str = "", number: int = 1) -> Performance:
    """The time of an event whose text in solution.events contains these words; -1 is the last one."""
    return EventTime(containing, number)

"""The instant and the condition that decide over a formula, and the margin there with its derivatives.

A margin is the value of one condition at one instant t. How it changes with the design variables depends on what t is:

    an end of a window        t stays
    an event                  t moves as the run has noted
    a turning point           f_t = 0: how t moves does not matter (envelope theorem)
    where two curves cross    f(t) = g(t): t moves by (g_p - f_p) / (f_t - g_t); a kink is such a place with itself
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq

from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.pieces import Piece
from tellegen.analyses.performance.response import Response
from tellegen.analyses.performance.signal_expressions import Signal
from tellegen.analyses.requirements.curve import ANY, Curve
from tellegen.ir.model import FloatArray

_SMOOTH = 1e-3  # of the slopes beside a turning point: its own is smaller
_BESIDE = 1e-6  # of the distance of two points: so far from a kink its sides are looked at
ROUNDING = 1e-15  # of the times of a curve: so much a sum of two of them is beside a third
_TIED = 1e-9  # of the size of the values: they are equal


@dataclass(frozen=True, eq=False)
class Instant:
    """A time at which a formula is judged, and how it moves with the design variables; None: it is free to move."""

    t: float
    moves: FloatArray | None
    before: bool = False  # at an event: the values before it


@dataclass(frozen=True, eq=False)
class Deciding:
    """A condition at an instant; with the sign -1 under a `not`."""

    condition: Signal
    text: str
    instant: Instant
    sign: float = 1.0

    def negated(self) -> Deciding:
        """The same under one more `not`."""
        return replace(self, sign=-self.sign)


@dataclass(frozen=True, eq=False)
class Span:
    """A window from one instant to another; `before`: as it is just before the instant at which it is judged."""

    begin: float
    end: float
    before: bool = False


@dataclass(frozen=True, eq=False)
class Place:
    """Where a curve is highest in a window: at an end of this (then it moves with the window), or in between."""

    t: float
    before: bool
    at_end: bool


def at_break(curve: Curve, t: float) -> float:
    """An instant as the break that it is meant to be: t + 0.1 where a break is at 0.3 and t is 0.3 - 0.1."""
    k = int(np.searchsorted(curve.breaks, t))
    near = curve.breaks[max(k - 1, 0) : k + 1]
    there = float(near[np.argmin(np.abs(near - t))])
    return there if abs(there - t) <= ROUNDING * max(abs(t), abs(curve.begin), abs(curve.end)) else t


def value_beside(curve: Curve, instant: Instant) -> float:
    """The value at an instant, on the side that is meant."""
    t = at_break(curve, instant.t)
    if instant.before:
        k = int(np.searchsorted(curve.breaks, t))
        if 0 < k < len(curve.breaks) and curve.breaks[k] == t:
            return float(curve.before[k - 1])
    return curve.at(t)


def _jumps(curve: Curve, t: float) -> bool:
    """Whether a curve has two values at an instant."""
    sides = [value_beside(curve, Instant(t, None, before)) for before in (True, False)]
    return abs(sides[0] - sides[1]) > rounding(curve)


def highest_place(curve: Curve, window: Span) -> list[Place]:
    """Where a curve is highest within a window; both ends where they tie, or the first place between."""
    candidates = _candidates(curve, window)
    places = _with_value(candidates, max(value for value, _ in candidates), curve)
    between = [place for place in places if not place.at_end]
    return between[:1] or places


def places_with(curve: Curve, level: float, window: Span) -> list[Place]:
    """The breaks and ends of a window at which a curve has a value, in the order of time."""
    return _with_value(_candidates(curve, window, level), level, curve)


def _with_value(candidates: list[tuple[float, Place]], level: float, curve: Curve) -> list[Place]:
    near = rounding(curve)
    return sorted((place for value, place in candidates if abs(value - level) <= near), key=lambda place: place.t)


def _candidates(curve: Curve, window: Span, level: float | None = None) -> list[tuple[float, Place]]:
    """The values at the ends of a window and on both sides of the breaks in it: all of `level`, or the highest.

    A window that is judged just before an instant begins just before its begin and ends just before its end.
    """
    begin = at_break(curve, window.begin)
    end = at_break(curve, min(window.end, curve.end))
    found: list[tuple[float, Place]] = []

    def add(t: float, before: bool, at_end: bool) -> None:
        found.append((value_beside(curve, Instant(t, None, before)), Place(t, before, at_end)))

    add(begin, window.before, at_end=True)
    add(end, window.before, at_end=True)
    if end > begin:
        if window.before and _jumps(curve, begin):
            add(begin, before=False, at_end=False)
        if end == curve.end or _jumps(curve, end):
            add(end, before=True, at_end=end == curve.end)
        inner = np.flatnonzero((curve.breaks > begin) & (curve.breaks < end))
        for before, values in ((True, curve.before[inner - 1]), (False, curve.after[inner])):
            wanted = np.max(values, initial=-np.inf) if level is None else level
            near = inner[np.abs(values - wanted) <= rounding(curve)]
            found += [(float(value), Place(float(t), before, False))
                      for value, t in zip(values[np.isin(inner, near)], curve.breaks[near], strict=True)]  # fmt: skip
    return found


def rounding(*curves: Curve) -> float:
    """By how much values of curves may differ that are meant to be equal."""
    values = np.abs(np.concatenate([np.append(curve.after, curve.last) for curve in curves]))
    return _TIED * float(values[values < 0.5 * ANY].max(initial=0.0))


def margin_with_slope(response: Response, deciding: list[Deciding]) -> tuple[Dual, Deciding]:
    """The margin at the deciding instant, found exactly on the curves of the run; and which of several it is."""
    places = [_Located(response, each) for each in deciding]
    first = places[0]
    if first.moves is not None:
        return first.dual(0.0), first.deciding
    for other in places[1:]:
        if other.rate(0.0) != first.rate(0.0):
            shift = _root(lambda x, other=other: first.value(x) - other.value(x), first.reach)
            return _crossing(first.at(shift), other.at(shift), other.instant_moves), first.shifted(shift)
    shift = _root(first.rate, first.reach)
    beside = _BESIDE * first.reach
    left = first.at(shift - beside)
    right = first.at(shift + beside)
    steepest = abs(first.rate(-first.reach)) + abs(first.rate(first.reach))
    if abs(left.slope[-1]) + abs(right.slope[-1]) <= _SMOOTH * steepest:
        return first.dual(shift), first.shifted(shift)
    there = first.at(shift)
    return Dual(there.value, _crossing(left, right, None).slope), first.shifted(shift)


def _root(function: object, reach: float) -> float:
    """Where a function of the shift passes zero within reach; zero where it does not."""
    if reach <= 0.0 or function(-reach) * function(reach) >= 0.0:  # type: ignore[operator]
        return 0.0
    return float(brentq(function, -reach, reach, xtol=1e-15 + 1e-13 * reach))  # type: ignore[arg-type]


def _crossing(one: Dual, other: Dual, others_moves: FloatArray | None) -> Dual:
    """The value where two curves meet; slopes have a last column for time."""
    if others_moves is not None:  # what it meets is a number that time does not change
        return Dual(one.value, other.slope[:-1] + other.slope[-1] * others_moves)
    gap = one.slope[-1] - other.slope[-1]
    if gap == 0.0:
        return Dual(one.value, one.slope[:-1])
    shift = (other.slope[:-1] - one.slope[:-1]) / gap
    return Dual(one.value, one.slope[:-1] + one.slope[-1] * shift)


class _Located:
    """A deciding condition on its smooth piece of the run."""

    def __init__(self, response: Response, deciding: Deciding) -> None:
        self.response = response
        self.deciding = deciding
        instant = deciding.instant
        self.t = instant.t
        self.piece: Piece = response.piece_at(instant.t, instant.before or instant.t >= response.stop.value)
        times = self.piece.times
        at_edge = [edge for edge in (0, -1) if abs(times[edge] - instant.t) <= 1e-12 * np.ptp(times)]
        self.instant_moves = instant.moves
        self.moves = self.piece.moves[at_edge[0]] if at_edge and instant.moves is None else instant.moves
        self.reach = 0.0
        if self.moves is None:
            k = int(np.clip(np.searchsorted(times, instant.t), 1, len(times) - 1))
            near = (times[k] - times[k - 1]) / 3.0
            self.reach = float(min(near, instant.t - times[0], times[-1] - instant.t))

    def at(self, shift: float) -> Dual:
        """Value and slopes, so much later; the last slope is that by time."""
        found = self.response.at(self.deciding.condition, self.piece, self.t + shift)
        return Dual(self.deciding.sign * float(found.value[0]), self.deciding.sign * found.slope[0])

    def value(self, shift: float) -> float:
        return float(self.at(shift).value)

    def rate(self, shift: float) -> float:
        return float(self.at(shift).slope[-1])

    def dual(self, shift: float) -> Dual:
        """The value, which moves with its instant."""
        there = self.at(shift)
        moved = 0.0 if self.moves is None else there.slope[-1] * self.moves
        return Dual(there.value, there.slope[:-1] + moved)

    def shifted(self, shift: float) -> Deciding:
        instant = replace(self.deciding.instant, t=self.t + shift)
        return replace(self.deciding, instant=instant)

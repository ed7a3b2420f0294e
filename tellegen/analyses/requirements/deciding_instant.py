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
from tellegen.analyses.requirements.curve import ANY, Curve, highest_between
from tellegen.ir.model import FloatArray

_SMOOTH = 1e-3  # of the slopes beside a turning point: its own is smaller
_BESIDE = 1e-6  # of the distance of two points: so far from a kink its sides are looked at
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
class Place:
    """Where a curve is highest in a window: at an end of this (then it moves with the window), or in between."""

    t: float
    before: bool
    at_end: bool


def value_beside(curve: Curve, instant: Instant) -> float:
    """The value at an instant, on the side that is meant."""
    if instant.before:
        k = int(np.searchsorted(curve.breaks, instant.t))
        if 0 < k < len(curve.breaks) and curve.breaks[k] == instant.t:
            return float(curve.before[k - 1])
    return curve.at(instant.t)


def highest_place(curve: Curve, begin: float, end: float) -> list[Place]:
    """Where a curve is highest from one instant to another; both ends where they tie, or the first place between."""
    places = places_with(curve, highest_between(curve, begin, end), begin, end)
    between = [place for place in places if not place.at_end]
    return between[:1] or places


def places_with(curve: Curve, level: float, begin: float, end: float) -> list[Place]:
    """The breaks and ends of a window at which a curve has a value, in the order of time."""
    end = min(end, curve.end)
    near = rounding(curve)
    found = [Place(t, False, True) for t in (begin, end) if abs(curve.at(t) - level) <= near]
    inner = np.flatnonzero((curve.breaks > begin) & (curve.breaks < end))
    for before, values in ((True, curve.before[inner - 1]), (False, curve.after[inner])):
        found += [Place(float(t), before, False) for t in curve.breaks[inner[np.abs(values - level) <= near]]]
    k = int(np.searchsorted(curve.breaks, end))
    is_jump = 0 < k < len(curve.after) and curve.breaks[k] == end and abs(curve.before[k - 1] - curve.after[k]) > near
    if is_jump and end > begin and abs(curve.before[k - 1] - level) <= near:
        found.append(Place(end, True, False))  # before a jump at the very end
    if end == curve.end and len(curve.before) and abs(curve.before[-1] - level) <= near:
        found.append(Place(end, True, True))
    return sorted(found, key=lambda place: place.t)


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

"""Curves made of straight lines and jumps, and what temporal logic does with them, exactly.

A curve is right-continuous: at a jump it has the value after it. All operations insert the instants at which lines
cross, so their results are curves of the same kind.

    lower(a, b), higher(a, b)          the smaller, the larger of two, instant by instant
    highest_within(a, begin, end)      the largest value from t + begin to t + end (both included), for every t
    until(a, b)                        sup over t' >= t of min(b(t'), inf of a over [t, t'])

A window that does not end is one to the end of the curve; one that does must end before that, so the result is shorter
than the curve. Algorithms: Donzé, Ferrère, Maler, Efficient Robust
Monitoring for STL, CAV 2013; the sweeps are done for all lines at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from tellegen.ir.model import FloatArray, IntArray

ANY = 1e100
"""The margin of what nothing speaks against: no event is there to judge, or it is not known yet."""


class TooShortError(ValueError):
    """A curve that ends before the first window over it does."""

    def __init__(self, needed: float, end: float) -> None:
        super().__init__(f"needed until {needed:g}, known until {end:g}")
        self.needed = needed
        self.end = end


@dataclass(frozen=True, eq=False)
class Curve:
    """Lines between breaks: each from `after` its first break to `before` the next one; `last` is the final value.

    A curve of one instant has no lines.
    """

    breaks: FloatArray
    after: FloatArray
    before: FloatArray
    last: float

    @property
    def begin(self) -> float:
        """The first instant."""
        return float(self.breaks[0])

    @property
    def end(self) -> float:
        """The last instant."""
        return float(self.breaks[-1])

    def line_of(self, times: FloatArray) -> IntArray:
        """The number of the line at each instant; at a break the one after it."""
        return np.clip(np.searchsorted(self.breaks, times, "right") - 1, 0, len(self.after) - 1)

    def along(self, lines: IntArray, times: FloatArray) -> FloatArray:
        """The values of lines at instants, which lie on them up to rounding."""
        start = self.breaks[lines]
        part = np.clip((times - start) / (self.breaks[lines + 1] - start), 0.0, 1.0)
        return self.after[lines] + part * (self.before[lines] - self.after[lines])

    def at(self, t: float) -> float:
        """The value at an instant."""
        if t >= self.end:
            return self.last
        line = self.line_of(np.array([t]))
        return float(self.along(line, np.array([t]))[0])

    def cut(self, breaks: FloatArray) -> Curve:
        """The same with more breaks; where these end earlier, the curve up to there."""
        lines = self.line_of(0.5 * (breaks[1:] + breaks[:-1]))
        last = self.last if breaks[-1] >= self.end else self.at(float(breaks[-1]))
        return Curve(breaks, self.along(lines, breaks[:-1]), self.along(lines, breaks[1:]), last)

    def __neg__(self) -> Curve:
        return Curve(self.breaks, -self.after, -self.before, -self.last)


def lower(a: Curve, b: Curve) -> Curve:
    """The smaller of two curves, as long as both last."""
    a, b = crossed(a, b)
    return Curve(a.breaks, np.minimum(a.after, b.after), np.minimum(a.before, b.before), min(a.last, b.last))


def higher(a: Curve, b: Curve) -> Curve:
    """The larger of two curves, as long as both last."""
    return -lower(-a, -b)


def crossed(a: Curve, b: Curve) -> tuple[Curve, Curve]:
    """Two curves with the same breaks, between which they do not cross."""
    breaks = np.union1d(a.breaks, b.breaks)
    breaks = breaks[breaks <= min(a.end, b.end)]
    a = a.cut(breaks)
    b = b.cut(breaks)
    meeting = _meeting(breaks, a.after - b.after, a.before - b.before)
    if not len(meeting):
        return a, b
    breaks = np.union1d(breaks, meeting)
    return a.cut(breaks), b.cut(breaks)


def _meeting(breaks: FloatArray, first: FloatArray, second: FloatArray) -> FloatArray:
    """Where lines with these values at their ends pass zero in between."""
    cross = np.flatnonzero(first * second < 0.0)
    part = first[cross] / (first[cross] - second[cross])
    return breaks[cross] + part * (breaks[cross + 1] - breaks[cross])


def lowest_within(curve: Curve, begin: float, end: float) -> Curve:
    """The smallest value from t + begin to t + end, for every t."""
    return -highest_within(-curve, begin, end)


def highest_within(curve: Curve, begin: float, end: float) -> Curve:
    """The largest value from t + begin to t + end, for every t for which this is on the curve.

    Between two instants at which an end of the window passes a break, the values inside are constant and those at both
    ends are lines: the result is the upper envelope of three lines.
    """
    last = curve.end - (end if end < inf else begin)
    passing = np.concatenate([curve.breaks - begin, curve.breaks - end if end < inf else [], [curve.begin, last]])
    breaks = np.unique(passing[(passing >= curve.begin) & (passing <= last)])
    if not len(breaks):
        raise TooShortError(curve.begin + (end if end < inf else begin), curve.end)
    if len(breaks) == 1:
        return Curve(breaks, np.zeros(0), np.zeros(0), highest_between(curve, last + begin, curve.end))
    windows = _Windows.over(curve, breaks, begin, end)
    cuts = windows.cuts(breaks)
    before = windows.highest(cuts[:, 1:])
    after = windows.highest(cuts[:, :-1])
    real = cuts[:, 1:] > cuts[:, :-1]
    times = np.append(cuts[:, :-1][real], last)
    return simplified(Curve(times, after[real], before[real], highest_between(curve, last + begin, curve.end)))


@dataclass(frozen=True, eq=False)
class _Windows:
    """Moving windows over a curve, one for each interval of time in which both ends stay on their lines."""

    curve: Curve
    first: IntArray  # lines on which windows begin and end
    final: IntArray
    inside: FloatArray  # the largest value at breaks inside
    begin: float
    end: float

    @classmethod
    def over(cls, curve: Curve, breaks: FloatArray, begin: float, end: float) -> _Windows:
        middle = 0.5 * (breaks[1:] + breaks[:-1])
        is_cut = middle + end > curve.end
        first = curve.line_of(middle + begin)
        final = curve.line_of(np.minimum(middle + end, curve.end))
        joints = np.append(np.maximum(curve.before[:-1], curve.after[1:]), max(curve.before[-1], curve.last))
        inside = _highest_of_ranges(joints, first, final + is_cut)
        return cls(curve, first, final, inside, begin, end)

    def at_begin(self, times: FloatArray) -> FloatArray:
        return self.curve.along(self.first[:, None], times + self.begin)

    def at_end(self, times: FloatArray) -> FloatArray:
        return self.curve.along(self.final[:, None], np.minimum(times + self.end, self.curve.end))

    def highest(self, times: FloatArray) -> FloatArray:
        """The result at instants of each interval (rows)."""
        return np.maximum(np.maximum(self.at_begin(times), self.at_end(times)), self.inside[:, None])

    def cuts(self, breaks: FloatArray) -> FloatArray:
        """Each interval (rows) cut where two of its three lines cross."""
        ends = np.stack([breaks[:-1], breaks[1:]], axis=1)
        lines = (self.at_begin(ends), self.at_end(ends), np.repeat(self.inside[:, None], 2, axis=1))
        cuts = [ends[:, 0], ends[:, 1]]
        for k, m in ((0, 1), (0, 2), (1, 2)):
            with np.errstate(invalid="ignore", divide="ignore"):
                gap = lines[k] - lines[m]
                cross = (gap[:, 0] * gap[:, 1] < 0.0) & np.isfinite(gap).all(axis=1)
                part = np.where(cross, gap[:, 0] / (gap[:, 0] - gap[:, 1]), 0.0)
            cuts.append(ends[:, 0] + part * (ends[:, 1] - ends[:, 0]))
        return np.sort(np.stack(cuts, axis=1), axis=1)


def _highest_of_ranges(values: FloatArray, first: IntArray, stop: IntArray) -> FloatArray:
    """The largest of values[first:stop] for each pair, -inf where there is none; by a table of powers of two."""
    table = [values]
    width = 1
    while 2 * width <= len(values):
        table.append(np.maximum(table[-1][:-width], table[-1][width:]))
        width *= 2
    count = stop - first
    level = np.log2(np.maximum(count, 1)).astype(int)
    found = np.full(len(first), -inf)
    for k, row in enumerate(table):
        mine = np.flatnonzero((level == k) & (count > 0))
        found[mine] = np.maximum(row[first[mine]], row[stop[mine] - 2**k])
    return found


def simplified(curve: Curve) -> Curve:
    """The same without breaks at which a constant stays what it is: windows leave many of them."""
    flat = curve.after == curve.before
    same = flat[1:] & flat[:-1] & (curve.after[1:] == curve.after[:-1])
    kept = np.append(True, ~same)
    lasts = np.append(kept[1:], True)
    return Curve(np.append(curve.breaks[:-1][kept], curve.end), curve.after[kept], curve.before[lasts], curve.last)


def highest_between(curve: Curve, begin: float, end: float) -> float:
    """The largest value from one instant to another."""
    inner = np.flatnonzero((curve.breaks > begin) & (curve.breaks <= end))
    befores = curve.before[inner - 1]
    afters = curve.after[inner[inner < len(curve.after)]]
    sides = np.concatenate([[curve.at(begin), curve.at(min(end, curve.end))], befores, afters])
    return float(sides.max())


def until(a: Curve, b: Curve) -> Curve:
    """sup over t' >= t of min(b(t'), inf of a over [t, t']), from the last line to the first.

    Where `a` rises, its smallest value since t is that at t: min(a(t), max(sup of b from t on, what comes later)).
    Where it falls, it is that at t': max(sup of min(a, b) from t on, min(a at the end of the line, what comes later)).
    """
    a, b = crossed(a, b)
    later = min(a.last, b.last)
    pieces: list[tuple[float, float, float]] = []  # first instant, value after it, value before the next; backwards
    for k in reversed(range(len(a.after))):
        numbers = (a.breaks[k], a.breaks[k + 1], a.after[k], a.before[k], b.after[k], b.before[k], later)
        line = _Lines(*map(float, numbers))
        cuts = line.cuts()
        values = [line.value(t) for t in cuts]
        pieces += reversed(list(zip(cuts[:-1], values[:-1], values[1:], strict=True)))
        later = values[0]
    if not pieces:
        return Curve(a.breaks, a.after, a.before, later)
    pieces.reverse()
    starts, after, before = (np.array(column) for column in zip(*pieces, strict=True))
    return simplified(Curve(np.append(starts, a.end), after, before, min(a.last, b.last)))


@dataclass(frozen=True)
class _Lines:
    """One line of each of two curves, and the value of their `until` at its end."""

    start: float
    end: float
    a_start: float
    a_end: float
    b_start: float
    b_end: float
    later: float

    def value(self, t: float) -> float:
        part = (t - self.start) / (self.end - self.start)
        a = self.a_start + part * (self.a_end - self.a_start)
        b = self.b_start + part * (self.b_end - self.b_start)
        if self.a_end >= self.a_start:
            return min(a, max(b, self.b_end, self.later))
        return max(min(a, b), min(self.a_end, self.b_end), min(self.a_end, self.later))

    def cuts(self) -> list[float]:
        """The instants at which one of the lines passes a constant that it is compared with."""
        levels = (self.later, self.b_end, self.a_end, min(self.a_end, self.b_end))
        cuts = {self.start, self.end}
        for first, second in ((self.a_start, self.a_end), (self.b_start, self.b_end)):
            for level in levels:
                if (first - level) * (second - level) < 0.0:
                    cuts.add(self.start + (first - level) / (first - second) * (self.end - self.start))
        return sorted(cuts)

"""Performance functions on the way: integrals and extremes of curves between events, exact between output points.

Every good step is measured on its dense output, in panels of seven points: Kronrod's extension of Lobatto's rule with
four (Gander and Gautschi, BIT 40, 2000). Where the two rules differ the panel is halved, so that kinks (abs, min, max)
cost short panels and nothing else. At the highest point of a panel, golden sections find the top beside it.
"""

from __future__ import annotations

import math

from tellegen.ensembles.kernels.bounded_panels import PER_STATE, bound_states, is_below, is_shown, with_rounding
from tellegen.ensembles.kernels.events.locate import interpolate
from tellegen.ensembles.kernels.job import Job, Status, curves, inverse, write_lane
from tellegen.ensembles.kernels.sizes import (
    ACTIVE,
    BOUND,
    CURVE,
    CURVES,
    HAS_BOUNDS,
    MEASURED,
    MEASURES,
    PANEL,
    REACHED,
    SQUARED,
    STAGE,
    STATES,
    STATUS,
    TIME,
    TRIED,
    WINDOWS,
    Q,
    X,
)
from tellegen.procedures.language import Array, any_lane, f64, i64, procedure

AMOUNT, EXTENT, WHEN = 0, 1, 2
"""Numbers of a measure: what it is, how large its curve is (integrals: of its absolute value), and when."""
_NUMBERS = 3

MEASURE_CURVE = (0,)
MEASURE_WINDOW = (0,)
MEASURE_BOUNDED = (0,)
MEASURE_DRIVES = (0,)
MEASURE_FLOOR = (0.0,)
MEASURE_SIGN = (0,)
"""1 for a largest, -1 for a smallest value, else 0."""
MEASURE_INSTANT = (0,)
"""-1 for the value at the start, 1 for that at the end, else 0."""
WINDOW_START = (0.0,)
WINDOW_STOP = (0.0,)
"""Put in with the sizes."""

_OUTER = 0.5 * math.sqrt(2.0 / 3.0)
_INNER = 0.5 / math.sqrt(5.0)
_NODES = (0.0, 0.5 - _OUTER, 0.5 - _INNER, 0.5, 0.5 + _INNER, 0.5 + _OUTER, 1.0)
_NEXT = (*_NODES[1:], 1.0)
_FINE = tuple(weight / 2940.0 for weight in (77.0, 432.0, 625.0, 672.0, 625.0, 432.0, 77.0))
_COARSE = tuple(weight / 12.0 for weight in (1.0, 0.0, 5.0, 0.0, 5.0, 0.0, 1.0))
_POINTS = 7
_GAPS = tuple(_NODES[n + 1] - _NODES[n] for n in range(6))
_FIRST_GAP = _NODES[1]
_SECOND_GAP = _NODES[2] - _NODES[1]
_BOTH_GAPS = _NODES[2]
_OF_ALL = 0.01  # of the tolerance, of all that was integrated before
_SHORTEST = 1.0 / 4096.0  # of a step
_INSTANT = 1e-9  # of a step: what a curve does within it is a jump
_ULPS = 1e-14
_NARROW = 1.0 / 16.0  # of a step
_MOST_PANELS = 300
_MOST_BOUNDED_PANELS = 1500
_MARGIN = 0.1  # of the range of a panel, by which its curve may exceed its points
_GOLDEN = 0.6180339887498949
_SECTIONS = 24


@procedure(inline=True)
def begin_measures(job: Job, work: Array[f64]) -> None:
    """Nothing is measured yet, but for first values."""
    if MEASURES > 0:
        curve = work[CURVE:]
        measured = work[MEASURED:]
        curves(job.start, job.common, work[Q:], work[X:], curve)
        for m in range(MEASURES):
            empty = -math.inf if MEASURE_SIGN[m] != 0 else 0.0
            measured[_NUMBERS * m + AMOUNT] = curve[MEASURE_CURVE[m]] if MEASURE_INSTANT[m] < 0 else empty
            measured[_NUMBERS * m + EXTENT] = abs(curve[MEASURE_CURVE[m]])
            measured[_NUMBERS * m + EXTENT] = measured[_NUMBERS * m + EXTENT] if MEASURE_SIGN[m] != 0 else 0.0
            measured[_NUMBERS * m + WHEN] = job.start


@procedure(inline=True)
def write_measures(job: Job, work: Array[f64], first: i64) -> None:
    """Final values, and everything to where the host finds it."""
    if MEASURES > 0:
        curve = work[CURVE:]
        measured = work[MEASURED:]
        curves(work[TIME], job.common, work[Q:], work[X:], curve)
        for m in range(MEASURES):
            value = measured[_NUMBERS * m + AMOUNT]
            value = curve[MEASURE_CURVE[m]] if MEASURE_INSTANT[m] > 0 else value
            value = -value if MEASURE_SIGN[m] < 0 else value
            at = _NUMBERS * m * job.stride + first
            write_lane(job.measured, at, value)
            size = max(measured[_NUMBERS * m + EXTENT], abs(value)) if MEASURE_INSTANT[m] != 0 else 0.0
            write_lane(job.measured, job.stride + at, max(size, measured[_NUMBERS * m + EXTENT]))
            write_lane(job.measured, 2 * job.stride + at, measured[_NUMBERS * m + WHEN])


@procedure(inline=True)
def curves_at(job: Job, work: Array[f64], t: f64) -> None:
    """All curves at a time in the step just made."""
    stage = work[STAGE:]
    interpolate(work, (t - work[TIME]) * inverse(work[TRIED]), stage)
    curves(t, job.common, work[Q:], stage, work[CURVE:])


@procedure(inline=True)
def sample(job: Job, work: Array[f64], begin: f64, end: f64) -> None:
    """All curves at the points of a panel."""
    curve = work[CURVE:]
    panel = work[PANEL:]
    for n in range(_POINTS):
        curves_at(job, work, begin + _NODES[n] * (end - begin))
        for c in range(CURVES):
            panel[_POINTS * c + n] = curve[c]


@procedure(inline=True)
def is_resolved(job: Job, work: Array[f64], length: f64, w: i64) -> bool:
    """Whether both rules agree for all curves that are measured in this window."""
    panel = work[PANEL:]
    measured = work[MEASURED:]
    fine = True
    for m in range(MEASURES):
        points = panel[_POINTS * MEASURE_CURVE[m] :]
        difference = 0.0
        size = 0.0
        for n in range(_POINTS):
            difference += (_FINE[n] - _COARSE[n]) * points[n]
            size += _FINE[n] * abs(points[n])
        before = measured[_NUMBERS * m + EXTENT] * (length if MEASURE_SIGN[m] != 0 else 1.0)
        allowed = job.rtol * (length * size + _OF_ALL * before) + length * MEASURE_FLOOR[m]
        is_fine = length * abs(difference) <= allowed
        is_here = MEASURE_WINDOW[m] == w and MEASURE_INSTANT[m] == 0 and MEASURE_DRIVES[m] == 0
        is_short = length <= _SHORTEST * work[TRIED] and MEASURE_BOUNDED[m] == 0
        fine = fine and (is_fine or is_short or not is_here)
    return fine


@procedure(inline=True)
def shows_all(work: Array[f64], m: i64, length: f64) -> bool:
    """Whether the points of a panel show what the curve of a measure does there, as far as that counts."""
    points = work[PANEL + _POINTS * MEASURE_CURVE[m] :]
    kept = work[MEASURED + _NUMBERS * m :]
    found = work[BOUND + 1 + PER_STATE * STATES + PER_STATE * MEASURE_CURVE[m] :]
    sign = float(MEASURE_SIGN[m])
    least = points[0]
    most = points[0]
    falls = (points[1] - points[0]) / (_GAPS[0] * length)
    rises = falls
    area = 0.0
    for n in range(_POINTS):
        least = min(least, points[n])
        most = max(most, points[n])
        area += _FINE[n] * abs(points[n])
    for n in range(_POINTS - 1):
        slope = (points[n + 1] - points[n]) / (_GAPS[n] * length)
        falls = min(falls, slope)
        rises = max(rises, slope)
    best = max(kept[AMOUNT], most if sign > 0.0 else -least)
    size = best + (-least if sign > 0.0 else most) if sign != 0.0 else area + kept[EXTENT] / length
    size = with_rounding(size, max(abs(least), abs(most)), MEASURE_FLOOR[m])
    is_known = is_shown(found, rises - falls, length, size)
    return is_known or (sign != 0.0 and is_below(found, sign, best, size))


@procedure(inline=True)
def is_seen(work: Array[f64], length: f64, w: i64) -> bool:
    """Whether the points of a panel show all that is measured in a window."""
    seen = True
    for m in range(MEASURES):
        if MEASURE_BOUNDED[m] > 0 and MEASURE_INSTANT[m] == 0:
            seen = seen and (shows_all(work, m, length) or MEASURE_WINDOW[m] != w)
    return seen


@procedure(inline=True)
def has_missed(work: Array[f64], length: f64, w: i64) -> bool:
    """Whether a drive may do in a small part of a step what its points do not show: no stage has seen it either."""
    missed = False
    for m in range(MEASURES):
        if MEASURE_DRIVES[m] > 0:
            missed = missed or (not shows_all(work, m, length) and MEASURE_WINDOW[m] == w)
    return missed and length <= _NARROW * work[TRIED]


@procedure(inline=True)
def slope_at_end(near: f64, middle: f64, far: f64) -> f64:
    """Of the parabola through the last three points of a panel, from its inside to its end `near`."""
    last = (near - middle) * (1.0 / _FIRST_GAP)
    before = (middle - far) * (1.0 / _SECOND_GAP)
    return last + _FIRST_GAP * (last - before) * (1.0 / _BOTH_GAPS)


@procedure(inline=True)
def keep_top(work: Array[f64], m: i64, high: f64, when: f64, size: f64, is_due: bool) -> None:
    """The highest of all so far, and how large the curve has been."""
    kept = work[MEASURED + _NUMBERS * m :]
    is_best = is_due and high > kept[AMOUNT]
    kept[WHEN] = when if is_best else kept[WHEN]
    kept[AMOUNT] = high if is_best else kept[AMOUNT]
    kept[EXTENT] = max(kept[EXTENT], size) if is_due else kept[EXTENT]


@procedure(inline=True)
def take_top(job: Job, work: Array[f64], m: i64, begin: f64, end: f64, is_due: bool) -> None:
    """The highest point of a panel, and what is above it between its neighbours, if that may be the highest of all."""
    measured = work[MEASURED:]
    points = work[PANEL + _POINTS * MEASURE_CURVE[m] :]
    curve = work[CURVE:]
    sign = float(MEASURE_SIGN[m])
    top = sign * points[0]
    least = top
    where = 0.0
    left = 0.0
    right = _NODES[1]
    size = abs(points[0])
    for n in range(1, _POINTS):
        value = sign * points[n]
        is_higher = value > top
        left = _NODES[n - 1] if is_higher else left
        right = _NEXT[n] if is_higher else right
        where = _NODES[n] if is_higher else where
        top = value if is_higher else top
        least = min(least, value)
        size = max(size, abs(value))
    at_start = where == 0.0 and sign * slope_at_end(points[0], points[1], points[2]) >= 0.0
    at_end = where == 1.0 and sign * slope_at_end(points[6], points[5], points[4]) >= 0.0
    best = measured[_NUMBERS * m + AMOUNT]
    is_candidate = is_due and top + _MARGIN * (top - least) > best
    high = top
    when = begin + where * (end - begin)
    is_open = is_candidate and not at_start and not at_end and top > least
    if any_lane(is_open):
        low = begin + left * (end - begin)
        far = begin + right * (end - begin)
        a = far - _GOLDEN * (far - low)
        b = low + _GOLDEN * (far - low)
        curves_at(job, work, a)
        at_a = sign * curve[MEASURE_CURVE[m]]
        curves_at(job, work, b)
        at_b = sign * curve[MEASURE_CURVE[m]]
        sections = 0
        while any_lane(is_open) and sections < _SECTIONS:
            sections += 1
            is_left = at_a > at_b
            far = b if is_left else far
            low = low if is_left else a
            new = far - _GOLDEN * (far - low) if is_left else low + _GOLDEN * (far - low)
            curves_at(job, work, new)
            found = sign * curve[MEASURE_CURVE[m]]
            kept = at_a if is_left else at_b
            stays = a if is_left else b
            a = new if is_left else stays
            b = stays if is_left else new
            at_a = found if is_left else kept
            at_b = kept if is_left else found
        inner = max(at_a, at_b)
        is_above = is_open and inner >= high
        when = (a if at_a > at_b else b) if is_above else when
        high = inner if is_above else high
    keep_top(work, m, high, when, max(size, abs(high)), is_due)


@procedure(inline=True)
def keep_panel(job: Job, work: Array[f64], begin: f64, end: f64, w: i64, is_due: bool) -> None:
    """What a panel adds to the measures of its window."""
    panel = work[PANEL:]
    measured = work[MEASURED:]
    length = end - begin
    for m in range(MEASURES):
        if MEASURE_WINDOW[m] == w and MEASURE_INSTANT[m] == 0:
            if MEASURE_SIGN[m] != 0:
                take_top(job, work, m, begin, end, is_due)
            else:
                points = panel[_POINTS * MEASURE_CURVE[m] :]
                total = 0.0
                size = 0.0
                for n in range(_POINTS):
                    total += _FINE[n] * points[n]
                    size += _FINE[n] * abs(points[n])
                old = measured[_NUMBERS * m + AMOUNT]
                before = measured[_NUMBERS * m + EXTENT]
                measured[_NUMBERS * m + AMOUNT] = old + length * total if is_due else old
                measured[_NUMBERS * m + EXTENT] = before + length * size if is_due else before


@procedure
def measure_window(job: Job, work: Array[f64], w: i64, is_good: bool) -> None:
    """The part of a step that lies in a window, panel by panel."""
    at = max(work[TIME], WINDOW_START[w])
    last = min(work[REACHED], WINDOW_STOP[w])
    width = last - at
    is_open = is_good and width > 0.0
    panels = 0
    while any_lane(is_open) and panels < (_MOST_BOUNDED_PANELS if HAS_BOUNDS > 0 else _MOST_PANELS):
        panels += 1
        is_whole = at + 1.01 * width >= last
        to = last if is_whole else at + width
        sample(job, work, at, to)
        is_instant = to - at <= _INSTANT * work[TRIED] + _ULPS * abs(at)
        is_fine = is_resolved(job, work, to - at, w) or is_instant
        if HAS_BOUNDS > 0:
            bound_states(job, work, at, to)
            is_fine = is_fine and (is_seen(work, to - at, w) or is_instant)
            missed = is_open and has_missed(work, to - at, w)
            work[STATUS] = Status.EVENT if missed else work[STATUS]
            is_open = is_open and not missed
        keep_panel(job, work, at, to, w, is_open and is_fine)
        width = 2.0 * width if is_fine else 0.5 * (to - at)
        at = to if is_fine else at
        is_open = is_open and at < last
    work[STATUS] = Status.EVENT if is_open else work[STATUS]


@procedure(inline=True)
def measure(job: Job, work: Array[f64]) -> None:
    """A step that was good, up to where it leads; its polynomial is there."""
    is_good = work[ACTIVE] > 0.5 and work[SQUARED] <= 1.0
    if any_lane(is_good):
        for w in range(WINDOWS):
            measure_window(job, work, w, is_good)

"""Where in a step the first root lies, by its dense output; see engine/runtime/one_step/rk_root_search.py."""

from __future__ import annotations

from tellegen.engine.runtime.coefficients.dormand_prince_tableau import NODES
from tellegen.engine.runtime.events.bracket import (
    LINE,
    NARROW,
    halves_at_once,
    halves_left,
    next_way,
    part_of_bracket,
)
from tellegen.ensembles.kernels.events.watch import is_above, watch_roots
from tellegen.ensembles.kernels.job import Job, inverse
from tellegen.ensembles.kernels.sizes import DENSE, PASSED, RELATIONS, ROOTS, STAGE, STATES
from tellegen.procedures.language import Array, any_lane, f64, i64, procedure

_POINTS = tuple(sorted({*NODES[1:], 0.45, 0.55, 0.65}))
_POINT_COUNT = len(_POINTS)
LOW, HIGH, NEW = 7, 8, 9
NONE = 2.0
_ROUNDING = 4.0 * 2.220446049250313e-16
_MOST_POINTS = 200


@procedure(inline=True)
def interpolate(work: Array[f64], part: f64, out: Array[f64]) -> None:
    """The states at a part of the step just made."""
    dense = work[DENSE:]
    rest = 1.0 - part
    for i in range(STATES):
        inner = dense[2 * STATES + i] + part * (dense[3 * STATES + i] + rest * dense[4 * STATES + i])
        out[i] = dense[i] + part * (dense[STATES + i] + rest * inner)


@procedure(inline=True)
def wrong_at(job: Job, work: Array[f64], t: f64, h: f64, part: f64, departed: f64) -> bool:
    """Whether a root function is wrong at a part of the step."""
    stage = work[STAGE:]
    interpolate(work, part, stage)
    return watch_roots(job, work, t + part * h, stage, departed, NEW)


@procedure(inline=True)
def copy_roots(work: Array[f64], target: i64, is_due: bool) -> None:
    """Keep the newest root functions as those of an end of the bracket."""
    new = work[ROOTS + NEW * RELATIONS :]
    kept = work[ROOTS + target * RELATIONS :]
    for k in range(RELATIONS):
        kept[k] = new[k] if is_due else kept[k]


@procedure(inline=True)
def straight_line(work: Array[f64]) -> f64:
    """At which part of the bracket the first root lies, by straight lines."""
    near = work[ROOTS + LOW * RELATIONS :]
    far = work[ROOTS + HIGH * RELATIONS :]
    least = 1.0
    for k in range(RELATIONS):
        is_wrong = far[k] < 0.0 if is_above(work, k) else far[k] > 0.0
        part = abs(near[k]) * inverse(abs(near[k]) + abs(far[k]))
        least = part if is_wrong and part < least else least
    return least


@procedure(inline=True)
def start_of_search(t: f64, h: f64, departed: f64, margin: f64) -> f64:
    """The part of the step until which relations at zero have been looked at; before it they count as right."""
    first = (departed - t) / h
    return first + margin if first > 0.0 and first < 0.1 else 0.0


@procedure
def locate(job: Job, work: Array[f64], t: f64, h: f64, departed: f64, is_suspect: bool) -> f64:
    """The part of the step at which the first root lies, just after it; 2 where there is none. Marks what passes."""
    sharp = _ROUNDING * (abs(t) + h) / h
    margin = 0.5 * sharp
    low = start_of_search(t, h, departed, margin)
    high = NONE
    is_wrong = wrong_at(job, work, t, h, low, departed)
    high = low if is_wrong else high
    copy_roots(work, LOW, True)
    copy_roots(work, HIGH, True)
    for number in range(_POINT_COUNT):
        point = _POINTS[number]
        is_wrong = wrong_at(job, work, t, h, point, departed)
        is_open = high == NONE
        copy_roots(work, HIGH, is_open and is_wrong)
        copy_roots(work, LOW, is_open and not is_wrong)
        low = point if is_open and not is_wrong else low
        high = point if is_open and is_wrong else high
    before = 4.0
    way = LINE
    left = 0.0
    halves = 1.0
    tries = 0
    is_open = is_suspect and high < NONE and high - low > sharp
    while any_lane(is_open) and tries < _MOST_POINTS:
        tries += 1
        width = high - low
        is_narrow = width <= NARROW * before
        last = way
        halves = halves_at_once(last, is_narrow, left, halves)
        way = next_way(last, is_narrow, left)
        left = halves_left(last, way, left, halves)
        before = width if way == LINE else before
        ahead = part_of_bracket(way, straight_line(work)) * width
        point = low + min(max(ahead, margin), width - margin)
        is_wrong = wrong_at(job, work, t, h, point, departed)
        copy_roots(work, HIGH, is_open and is_wrong)
        copy_roots(work, LOW, is_open and not is_wrong)
        high = point if is_open and is_wrong else high
        low = point if is_open and not is_wrong else low
        is_open = is_open and high - low > sharp
    passed = work[PASSED:]
    far = work[ROOTS + HIGH * RELATIONS :]
    for k in range(RELATIONS):
        above = is_above(work, k)
        goes = far[k] < 0.0 if above else far[k] > 0.0
        sign = (-1.0 if above else 1.0) if goes and high < NONE else 0.0
        passed[k] = sign if is_suspect else passed[k]
    return high if is_suspect else NONE

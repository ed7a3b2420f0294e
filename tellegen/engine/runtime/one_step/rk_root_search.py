"""Events in native Runge-Kutta steps: root functions are watched at every stage and located on the dense output.

Stages come for free: the model has just been evaluated there. One of them on the wrong side, or the end of the step, is
a suspicion; it is looked into with the dense output, which is more accurate than stages are. The root is bracketed by
points of the step and drawn in by straight lines (bracket.py) down to the rounding of time. Only runs with events need
the search, so it is compiled with their code; steps only know its address.
"""

from __future__ import annotations

import math

from tellegen.engine.native.flags import Flag
from tellegen.engine.runtime.coefficients.dormand_prince_tableau import NODES
from tellegen.engine.runtime.events.bracket import (
    LINE,
    NARROW,
    halves_at_once,
    halves_left,
    next_way,
    part_of_bracket,
)
from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.past.delay_lines import longest_step
from tellegen.engine.runtime.events.past.notes import (
    NOTES_PER_PIECE,
    event_note,
    is_piece,
    lacks_room,
    separate,
)
from tellegen.engine.runtime.events.root_functions import event_line, event_mark, event_watch
from tellegen.engine.runtime.one_step.one_step import interpolate, note_past
from tellegen.engine.runtime.one_step.rk_record import RkRun
from tellegen.procedures.language import f64, i32, i64, procedure

_POINTS = tuple(sorted({*NODES[1:], 0.45, 0.55, 0.65}))  # stages leave out the middle of a step
_POINT_COUNT = len(_POINTS)
# where root functions are kept, after those of the stages
_LOW = 7
_HIGH = 8
_NEW = 9
_MOST_POINTS = 200
_ROUNDING = 4.0 * 2.220446049250313e-16
_NONE = 2.0  # the part of a step that stands for no root


@procedure
def note_points(run: RkRun, past: EventRun, h: f64, begin: f64, end: f64) -> None:
    """Note delayed signals between two parts of a step."""
    for number in range(1, NOTES_PER_PIECE + 1):
        here = begin + number / NOTES_PER_PIECE * (end - begin)
        t = run.t + here * h
        interpolate(run, here)
        if run.ode_rates(t, run.ode, run.stage, run.rates) == 0:
            event_note(past, t)


@procedure
def rk_note(run: RkRun, past: EventRun, h: f64, part: f64) -> None:
    """Note delayed signals at points of a step, in pieces where they bend more than its polynomial or have corners.

    A step may be as long as the shortest delay; its ends alone would say nothing of what is between.
    """
    run.rk_dense(run, h)
    begin = 0.0
    width = part
    trials = 0
    while begin < part:
        end = part if begin + width >= (1.0 - _ROUNDING) * part else begin + width
        first = past.note_count
        note_points(run, past, h, begin, end)
        trials += 1
        if is_piece(past, first, run.t + begin * h, run.t + end * h, trials):
            begin = end
            width = 2.0 * width
        else:
            past.note_count = first
            width = 0.5 * (end - begin)
        if begin < part:
            separate(past)
    if lacks_room(past, run.most_steps - run.steps):
        run.most_steps = run.steps
    run.h_seen = min(run.h_seen, longest_step(past))


@procedure
def wrong_at(run: RkRun, ev: EventRun, h: f64, part: f64, slot: i64) -> bool:
    """The model at a part of the step; whether a root function is wrong there, or nothing can be computed."""
    t = run.t + part * h
    interpolate(run, part)
    if run.ode_rates(t, run.ode, run.stage, run.rates) != 0:
        return True
    return event_watch(ev, t, slot) != 0


@procedure(inline=True)
def start_of_search(run: RkRun, ev: EventRun, h: f64, margin: f64) -> f64:
    """The part of the step until which relations at zero have been looked at; before it they count as right."""
    first = (ev.departed - run.t) / h
    return first + margin if 0.0 < first < 0.1 else 0.0


@procedure
def rk_locate(run: RkRun, ev: EventRun, h: f64) -> f64:
    """The part of the step at which the first root lies, just after it; 2 when it was a false alarm.

    What is wrong there is marked at once: computed again, an iterated unknown may differ by a rounding and lie before.
    """
    run.rk_dense(run, h)
    low_slot = _LOW
    high_slot = _HIGH
    new_slot = _NEW
    sharp = _ROUNDING * (abs(run.t) + h) / h  # as part of the step
    margin = 0.5 * sharp
    low = start_of_search(run, ev, h, margin)
    if wrong_at(run, ev, h, low, low_slot):
        event_mark(ev, low_slot)
        return low
    high = _NONE
    for k in range(_POINT_COUNT):
        if wrong_at(run, ev, h, _POINTS[k], new_slot):
            high = _POINTS[k]
            new_slot, high_slot = high_slot, new_slot
            break
        low = _POINTS[k]
        new_slot, low_slot = low_slot, new_slot
    if high == _NONE:
        return _NONE
    before = math.inf
    way = LINE
    left = 0.0
    halves = 1.0
    for _ in range(_MOST_POINTS):
        width = high - low
        if width <= sharp:
            break
        is_narrow = width <= NARROW * before
        last = way
        halves = halves_at_once(last, is_narrow, left, halves)
        way = next_way(last, is_narrow, left)
        left = halves_left(last, way, left, halves)
        before = width if way == LINE else before
        ahead = part_of_bracket(way, event_line(ev, low_slot, high_slot)) * width
        point = low + min(max(ahead, margin), width - margin)
        if wrong_at(run, ev, h, point, new_slot):
            high = point
            new_slot, high_slot = high_slot, new_slot
        else:
            low = point
            new_slot, low_slot = low_slot, new_slot
    event_mark(ev, high_slot)
    return high


@procedure
def rk_stop_at_root(run: RkRun, ev: EventRun, h: f64) -> i32:
    """Go back to the first root inside the step just made: t, x and all unknowns stand there. 0: there is none."""
    part = rk_locate(run, ev, h)
    if part > 1.0:
        return 0
    end = run.t + part * h
    status = run.rk_emit(run, h, end)
    if status < 0:
        return status
    note_past(run, h, part)
    wrong_at(run, ev, h, part, _HIGH)
    run.ode_outputs(end, run.ode)
    x = run.x
    stage = run.stage
    first = run.k
    rates = run.rates
    for i in range(run.count):
        x[i] = stage[i]
        first[i] = rates[i]  # the first stage, should the event change nothing
    run.t = end
    return Flag.ROOT

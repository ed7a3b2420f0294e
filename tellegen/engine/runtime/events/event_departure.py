"""Native: what follows the iteration at an event - how relations at zero leave it, and when the next known event is.

An integrator sees no root in a function that starts at zero, or that has the wrong sign by a rounding: a sine that
starts at zero opens a diode. So relations at zero are looked at a moment ahead and switch at once if they are about
to. So do relations that a jump of states sends back where they came from: a ball that bounced is below the floor by a
rounding, and a step longer than its flight would see it there at both ends. When the next look wants them back, there
is no way out: the model slides along the condition. Up to the time at which all relations were found as they should
be (`departed`), roots are roundings; up to `passed_until` those of relations that passed zero here and will be past it.
"""

from __future__ import annotations

import math

from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.past.jumps import next_jump
from tellegen.engine.runtime.events.relation_values import (
    compute,
    compute_differences,
    compute_relations,
    copy,
    differs,
    find_what_matters,
    is_above,
    is_reached,
)
from tellegen.procedures.language import f64, i64, procedure

_UNMARKED, _UNSEEN, _SWITCHED, _PASSED = range(4)
"""Relations whose root will be seen, or will not be; that switched in an event with a jump, or whose root led to it."""

_AT_ZERO = 1e-3  # part of the way of the moment ahead, at which a relation that switched passes back
_SHRUNK = 0.9
_ALIKE = 1.01
_IN_A_ROW = 6
_CLOSE = 2e-5
_CLOSE_WITH_JUMPS = 1e-8
"""Gaps between firings have no end if so many in a row are shorter than the one before by a factor that does not grow,
and the last is that small a part of the run."""

_SOON = 1e5  # moments
_PAST_ZERO = 2.0  # of the time to zero
_SHORTER = 0.999  # of the time of the last flight
_FLIGHT = 0.25  # of speed and time: how far a relation gets that is sent out, and turned round by a constant force
# of the time
_SAME_TIME = 4e-16
_SAME_JUMP = 1e-12
_LEAST_TIME = 1e-300


@procedure
def next_switch_of_time(ev: EventRun) -> f64:
    """The next time at which a relation of time switches, or infinity.

    Left - right is linear in time. Its value at zero gives the instant up to what cancels in the slope; its value
    there gives the rest.
    """
    if ev.instant_count == 0:
        return math.inf
    difference = ev.instant_differences
    slope = ev.instant_slopes
    later = ev.t + (_SAME_TIME * abs(ev.t) + _LEAST_TIME)
    compute(ev, ev.instant_entry, 0.0, difference)
    compute(ev, ev.instant_entry, 1.0, slope)
    estimate = math.inf
    for k in range(ev.instant_count):
        slope[k] -= difference[k]
        time = -difference[k] / slope[k]
        if time > later:
            estimate = min(estimate, time)
    if estimate == math.inf:
        return math.inf
    compute(ev, ev.instant_entry, estimate, difference)
    soonest = math.inf
    for k in range(ev.instant_count):
        time = estimate - difference[k] / slope[k]
        if time > later:
            soonest = min(soonest, time)
    return soonest


@procedure
def find_next_instant(ev: EventRun) -> None:
    """The next time at which a relation of time switches, a sample is due or a delayed jump comes; or infinity."""
    t = ev.t
    soonest = next_switch_of_time(ev)
    for k in range(ev.sample_count):
        soonest = min(soonest, ev.tick_time[k])
    jump = next_jump(ev, t + (_SAME_JUMP * abs(t) + _LEAST_TIME))
    ev.next_instant = min(soonest, jump)


@procedure
def mark_unseen(ev: EventRun) -> bool:
    """Mark the relations whose way through zero would not be seen, and those that a jump may send back; any?"""
    compute_differences(ev)
    find_what_matters(ev)
    found = False
    for k in range(ev.relation_count):
        is_unseen = ev.matters[k] != 0 and (ev.differences[k] == 0.0 or differs(ev, k))
        ev.mark[k] = _UNSEEN if is_unseen else _UNMARKED
        ev.differences_here[k] = ev.differences[k]
        ev.roots[k] = 0
        found = found or is_unseen
    if ev.jumped:
        for j in range(ev.switched_count):
            k = ev.switched[j]
            if ev.mark[k] == _UNMARKED and ev.matters[k] != 0:
                ev.mark[k] = _PASSED if ev.passed[k] != 0 else _SWITCHED
                found = True
    return found


@procedure(inline=True)
def step_ahead(ev: EventRun) -> bool:
    """The unknowns and differences a moment ahead, by a step of Euler's method; whether they could be computed."""
    for s in range(ev.state_count):
        position = ev.state_index[s]
        ev.y[position] += ev.lookahead * ev.yp[position]
    ahead = ev.t + ev.lookahead
    if ev.solve(ahead, ev.context) != 0:
        return False
    compute_relations(ev, ahead, ev.differences)
    return True


@procedure(inline=True)
def heads_on(ev: EventRun, k: i64, step: f64) -> bool:
    """Whether relation k, which passed zero here, will have passed it soon: it is `step` further a moment ahead.

    The unknowns at its root are as accurate as the integrator. Solved for again, they may leave it short of zero.
    """
    is_soon = abs(ev.differences_here[k]) < _SOON * abs(step)
    rises = step > 0.0
    has_switched = ev.passed[k] != 0 and (ev.passed[k] > 0) == is_above(ev, k)
    return is_soon and has_switched and rises == is_above(ev, k)


@procedure
def look_ahead(ev: EventRun) -> i64:
    """Mark in `roots` the relations that will have switched a moment ahead without a root to be seen; their number.

    Those at zero that are right a moment ahead are marked as well, but not counted: they stay as they are while others
    switch.
    """
    has_marks = mark_unseen(ev)
    ev.departed = ev.t
    ev.passed_until = ev.t
    is_costly = ev.rescue is None  # unknowns are solved for by Python
    if is_costly and not has_marks:
        return 0
    copy(ev.y, ev.y_saved, ev.size)
    copy(ev.yp, ev.yp_saved, ev.size)
    is_solved = step_ahead(ev)
    crossing = not is_solved
    found = 0
    for k in range(ev.relation_count):
        value = ev.differences[k]
        here = ev.differences_here[k]
        mark = ev.mark[k]
        way = abs(value - here)
        is_sent_back = mark == _PASSED or (mark == _SWITCHED and abs(here) <= _AT_ZERO * way)
        is_unseen = mark == _UNSEEN or is_sent_back
        will_switch = is_solved and value != 0.0 and ev.matters[k] != 0 and differs(ev, k)
        if will_switch and mark == _UNSEEN and heads_on(ev, k, value - here):
            will_switch = False
            ev.passed_until = max(ev.passed_until, ev.t + _PAST_ZERO * ev.lookahead * abs(here) / way)
        if will_switch and is_unseen:
            if is_sent_back:
                note_flight(ev, k, way / ev.lookahead)
            found += 1
        is_marked = is_unseen if will_switch else is_solved and mark == _UNSEEN and value != 0.0
        if is_marked:
            ev.roots[k] = 1 if value > 0.0 else -1
        if is_solved and mark == _UNSEEN and way == 0.0 and is_reached(ev, k, value):  # and it stays there
            ev.roots[k] = 1
            found += 1
        crossing = crossing or (will_switch and not is_unseen)
    copy(ev.y_saved, ev.y, ev.size)
    copy(ev.yp_saved, ev.yp, ev.size)
    ev.departed = ev.t if crossing else ev.t + ev.lookahead
    return found


@procedure
def note_flight(ev: EventRun, k: i64, speed: f64) -> None:
    """A relation is sent back through zero with a speed, sooner than last time: if it gets less far than the tolerance,
    there is no end to it.

    The tolerance is that of the unknowns it reads: a floor five metres up is known to a millionth of that.
    The impacts of a bouncing ball accumulate (Zeno), until the time between them is below the tolerance.
    """
    gap = ev.t - ev.last_return[k]
    if not (gap > 0.0):
        return
    size = ev.largest_difference[k]
    for j in range(ev.read_start[k], ev.read_start[k + 1]):
        size = max(size, abs(ev.y[ev.read_index[j]]))
    distance = _FLIGHT * (speed * gap)
    if gap < _SHORTER * ev.return_gap[k] and distance < ev.tolerance * size:
        ev.zeno = True
    ev.return_gap[k] = gap
    ev.last_return[k] = ev.t


@procedure
def note_gaps(ev: EventRun) -> None:
    """Watch the gaps between firings: where each is the same part of the one before, they have no end.

    Those of an encoder that speeds up get shorter by less and less. Where states jump, note_flight knows more, but for
    those that are put on the border itself; so gaps count there only when they are at the resolution of time.
    """
    close = _CLOSE_WITH_JUMPS if ev.jumped else _CLOSE
    for j in range(ev.fired_count):
        when = ev.condition_when[ev.fired[j]]
        gap = ev.t - ev.last_fired[when]
        if gap != 0.0:  # once for each instant; NaN at the first firing
            ratio = gap / ev.fired_gap[when]
            shrinks = ratio < _ALIKE * ev.gap_ratio[when] and ratio < _SHRUNK
            count = ev.shrinking[when] + 1 if shrinks else 0
            ev.shrinking[when] = count
            ev.fired_gap[when] = gap
            ev.last_fired[when] = ev.t
            ev.gap_ratio[when] = ratio
            if count >= _IN_A_ROW and gap < close * ev.run_length:
                ev.zeno = True

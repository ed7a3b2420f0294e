"""Native delays: what signals were some time ago, where the equations read it.

    event_fill       put it there, at a time
    event_refill     again, where the equations turn out to ask about another time

Of the two notes at an event the value before it counts until the run has an event of its own there (`segment_start`).
Before the start signals are what they were at the start. Steps are not longer than the shortest delay, so the past is
always known.

A delay whose time varies is read by the equations themselves, at the time they compute: they get the polynomial there.
It may be as short as nothing; then the time lies in the step being made, whose end is the present value of the signal,
and the polynomial goes through that too.
"""

from __future__ import annotations

from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.past.jumps import delay_of
from tellegen.engine.runtime.events.past.notes import (
    NEAR,
    are_apart,
    first_note,
    interpolated,
    last_note,
    last_of_window,
)
from tellegen.engine.runtime.events.past.transports import fill_transport, fill_transport_at_start, longest_step_of_flow
from tellegen.engine.runtime.events.past.windows import follow_reading, reading_of, within_window
from tellegen.engine.runtime.events.relation_values import compute
from tellegen.ir.events import (
    CONSTANT_DELAY,
    PAST_COEFFICIENTS,
    PAST_ENTRIES,
    PRESENT_COEFFICIENTS,
    TRANSPORT,
    VARYING_DELAY,
)
from tellegen.procedures.language import f64, i32, i64, procedure

_NEVER = float("inf")
_OF_DELAY = 0.5  # the longest step, for the delay may get shorter in it
_ROUNDING = 1e-12
_EXACT_ROUNDS = 3
_SAME = 1e-14  # of a reading


@procedure
def fill_at_start(ev: EventRun) -> bool:
    """Before anything is noted, delayed signals have their present values; whether one changed.

    After a few rounds changes that are roundings of the largest signal do not count: a system that is solved for again
    has other roundings.
    """
    if ev.delay_count == 0 or ev.note_count > 0:
        return False
    compute(ev, ev.delay_entry, ev.t, ev.delayed)
    least = 0.0
    if ev.rounds > _EXACT_ROUNDS:
        for k in range(ev.delay_count):
            least = max(least, _ROUNDING * abs(ev.delayed[ev.delay_number[k]]))
    changed = False
    for k in range(ev.delay_count):
        position = ev.delay_index[k]
        value = ev.delayed[ev.delay_number[k]]
        if ev.delay_kind[k] == TRANSPORT:
            changed = fill_transport_at_start(ev, k) or changed
            continue
        if ev.delay_kind[k] == VARYING_DELAY:  # the present value itself counts
            position += 1 + PAST_COEFFICIENTS
            value = 1.0
        if ev.p[position] != value:
            changed = changed or abs(ev.p[position] - value) > least
            ev.p[position] = value
    return changed


@procedure
def past_value(ev: EventRun, k: i64, t: f64, side: f64, after: bool) -> f64:
    """Signal k at a time in the past, from up to five notes of the segment that `side` is in."""
    here = last_note(ev, side, after)
    first = first_note(ev, here)
    column = ev.note_column[k]
    nearest = ev.note_value[here * ev.note_width + column]
    return interpolated(ev, column, first, last_of_window(ev, here, first), nearest, t)


@procedure
def fit_notes(ev: EventRun, k: i64, first: i64, last: i64, origin: f64) -> None:
    """The polynomial through the notes first..last of signal k, in the time after `origin`, into its entries.

    Divided differences, and then from Newton's form to powers, both in place.
    """
    position = ev.delay_index[k]
    c = ev.p[position + 1 :]
    times = ev.note_time
    for i in range(PAST_ENTRIES - 1):
        c[i] = 0.0
    degree = last - first
    for i in range(degree + 1):
        c[i] = ev.note_value[(first + i) * ev.note_width + ev.note_column[k]]
    for order in range(1, degree + 1):
        for back in range(degree - order + 1):
            at = degree - back
            c[at] = (c[at] - c[at - 1]) / (times[first + at] - times[first + at - order])
    for back in range(degree):
        node = degree - 1 - back
        for power in range(node, degree):
            c[power] = c[power] - (times[first + node] - origin) * c[power + 1]
    ev.p[position] = origin


@procedure
def fit_present(ev: EventRun, k: i64, t: f64) -> None:
    """The polynomial through the last notes and the present value, for times in the step that is being made.

    It is q + (u - q(t)) w/w(t), with q through the notes and w zero at them.
    """
    times = ev.note_time
    last = ev.note_count - 1
    first = last
    while last - first < PRESENT_COEFFICIENTS - 2 and first > 0 and are_apart(ev, first - 1):
        first -= 1
    fit_notes(ev, k, first, last, t)
    c = ev.p[ev.delay_index[k] + 1 :]
    w = c[PAST_COEFFICIENTS:]
    w[0] = 1.0
    for i in range(last - first + 1):
        node = times[first + i] - t
        for back in range(i + 1):
            power = i + 1 - back
            w[power] = w[power - 1] - node * w[power]
        w[0] = -node * w[0]
    at_present = w[0]
    here = c[0]
    for j in range(PRESENT_COEFFICIENTS):
        w[j] = w[j] / at_present
        c[j] = c[j] - here * w[j]


@procedure
def fill_polynomial(ev: EventRun, k: i64, t: f64) -> None:
    """What signal k was near the time that its equations ask about, between the jumps around it."""
    past = reading_of(ev, k, t)
    side = within_window(ev, k, past)
    start = ev.note_time[0]
    newest = ev.note_time[ev.note_count - 1]
    if side <= start:
        here = last_note(ev, start, True)
        fit_notes(ev, k, here, here, start)
    elif side <= newest or t - newest <= NEAR * abs(t):
        here = last_note(ev, side, False)
        first = first_note(ev, here)
        fit_notes(ev, k, first, last_of_window(ev, here, first), ev.note_time[here])
    else:
        fit_present(ev, k, t)


@procedure
def longest_step(ev: EventRun) -> f64:
    """The longest step from here on that leaves most of what varying delays read in the known past."""
    longest = _NEVER
    for k in range(ev.delay_count):
        if ev.delay_kind[k] == VARYING_DELAY:
            longest = min(longest, max(_OF_DELAY * delay_of(ev, k), ev.shortest_step))
        elif ev.delay_kind[k] == TRANSPORT:
            longest = min(longest, longest_step_of_flow(ev, k))
    return longest


@procedure
def fill_varying(ev: EventRun, k: i64, t: f64, begins: bool) -> None:
    """A delay whose time varies, or a transport."""
    if begins:
        follow_reading(ev, k, reading_of(ev, k, t))
    if ev.delay_kind[k] == TRANSPORT:
        fill_transport(ev, k, t)
    else:
        fill_polynomial(ev, k, t)


@procedure
def event_fill(ev: EventRun, t: f64) -> None:
    """What delayed signals were, as the equations read it at a time."""
    if ev.note_count == 0:
        return
    begins = t <= ev.segment_start
    near = NEAR * abs(t)
    start = ev.note_time[0]
    if ev.varying_count > 0:
        compute(ev, ev.delay_entry, t, ev.delayed)
    for k in range(ev.delay_count):
        if ev.delay_kind[k] != CONSTANT_DELAY:
            fill_varying(ev, k, t, begins)
        else:
            past = t - delay_of(ev, k)
            side = past + near if begins else past - near  # of an event, the one that counts
            ev.p[ev.delay_index[k]] = past_value(ev, k, max(past, start), max(side, start), begins)


@procedure
def event_refill(ev: EventRun, t: f64) -> i32:
    """The past again, where the equations have computed how long delays are; 1 if they ask about other notes."""
    if ev.note_count == 0:
        return 0
    begins = t <= ev.segment_start
    compute(ev, ev.delay_entry, t, ev.delayed)
    changed = 0
    for k in range(ev.delay_count):
        if ev.delay_kind[k] != CONSTANT_DELAY:
            position = ev.delay_index[k]
            before = ev.p[position]
            fill_varying(ev, k, t, begins)
            if abs(ev.p[position] - before) > _SAME * abs(before):
                changed = 1
    return changed

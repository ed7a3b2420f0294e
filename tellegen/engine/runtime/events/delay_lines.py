"""Native delays: past values of signals, noted at every step and event, read by interpolation.

    event_note       keep the delayed signals at this time; at an event once before and once after it
    event_fill       put what they were some time ago where the equations read it

Between notes the polynomial through five of them is followed, never across an event: there two notes have the same
time, and the value before it counts until the run has an event of its own there (`segment_start`). Before the start
signals are what they were at the start. Steps are not longer than the shortest delay, so the past is always known.
"""

from __future__ import annotations

from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.relation_values import compute
from tellegen.procedures.language import f64, i64, procedure

_OLDEST = 6.0  # delays after which no step notices a jump any more
_NEAR = 1e-12  # of the time: that close to an event counts as at it
_MOST_INTERVALS = 4  # between the notes of a polynomial
_NEVER = float("inf")
_NOTES_AT_AN_EVENT = 2  # before and after it

NOTES_PER_STEP = 4
"""As many as the dense output needs to be followed exactly."""


@procedure(inline=True)
def notes_of_steps(steps: i64) -> i64:
    """How many notes so many steps make at most, with the event at the end of them."""
    return NOTES_PER_STEP * steps + _NOTES_AT_AN_EVENT


@procedure(inline=True)
def delay_of(ev: EventRun, k: i64) -> f64:
    """How long signal k is delayed."""
    return ev.delayed[2 * k + 1]


@procedure
def event_note(ev: EventRun, t: f64) -> None:
    """Keep the delayed signals at this time, as long as there is room."""
    if ev.delay_count == 0 or ev.note_count >= ev.note_room:
        return
    compute(ev, ev.delay_entry, t, ev.delayed)
    count = ev.delay_count
    row = ev.note_value[ev.note_count * count :]
    ev.note_time[ev.note_count] = t
    for k in range(count):
        row[k] = ev.delayed[2 * k]
    ev.note_count += 1


@procedure
def fill_at_start(ev: EventRun) -> bool:
    """Before anything is noted, delayed signals have their present values; whether one changed."""
    if ev.delay_count == 0 or ev.note_count > 0:
        return False
    compute(ev, ev.delay_entry, ev.t, ev.delayed)
    changed = False
    for k in range(ev.delay_count):
        position = ev.delay_index[k]
        value = ev.delayed[2 * k]
        if ev.p[position] != value:
            ev.p[position] = value
            changed = True
    return changed


@procedure
def last_note(ev: EventRun, t: f64, after: bool) -> i64:
    """The last note at or before a time, by bisection; of two at an event the first unless `after`."""
    times = ev.note_time
    low = 0
    high = ev.note_count
    while high - low > 1:
        middle = (low + high) >> 1
        not_later = times[middle] <= t if after else times[middle] < t
        if not_later:
            low = middle
        else:
            high = middle
    return low


@procedure
def interpolated(ev: EventRun, k: i64, first: i64, last: i64, nearest: f64, t: f64) -> f64:
    """Signal k at a time: Lagrange's polynomial through the notes first..last.

    It is that of the differences from the nearest note: a constant is reproduced whatever the weights round to.
    """
    times = ev.note_time
    values = ev.note_value
    count = ev.delay_count
    total = nearest
    for i in range(first, last + 1):
        term = values[i * count + k] - nearest
        for j in range(first, last + 1):
            if i != j:
                term = term * ((t - times[j]) / (times[i] - times[j]))
        total += term
    return total


@procedure
def past_value(ev: EventRun, k: i64, t: f64, side: f64, after: bool) -> f64:
    """Signal k at a time in the past, from up to five notes of the segment that `side` is in."""
    times = ev.note_time
    here = last_note(ev, side, after)
    first = here
    last = here
    for _ in range(_MOST_INTERVALS):  # one more after it, one more before it: two notes of one time are an event
        if last - first < _MOST_INTERVALS and last + 1 < ev.note_count and times[last] < times[last + 1]:
            last += 1
        if last - first < _MOST_INTERVALS and first > 0 and times[first - 1] < times[first]:
            first -= 1
    nearest = ev.note_value[here * ev.delay_count + k]
    return interpolated(ev, k, first, last, nearest, t)


@procedure
def event_fill(ev: EventRun, t: f64) -> None:
    """What delayed signals were, as the equations read it at a time."""
    if ev.note_count == 0:
        return
    begins = t <= ev.segment_start
    near = _NEAR * abs(t)
    start = ev.note_time[0]
    for k in range(ev.delay_count):
        past = t - delay_of(ev, k)
        side = past + near if begins else past - near  # of an event, the one that counts
        ev.p[ev.delay_index[k]] = past_value(ev, k, max(past, start), max(side, start), begins)


@procedure
def have_jumped(ev: EventRun) -> bool:
    """Whether a delayed signal has another value after this event than before it, by the last two notes."""
    after = ev.note_count - 1
    if after < 1 or ev.note_time[after - 1] < ev.note_time[after]:
        return False
    count = ev.delay_count
    found = False
    for k in range(count):
        old = ev.note_value[(after - 1) * count + k]
        new = ev.note_value[after * count + k]
        found = found or abs(new - old) > ev.tolerance * max(abs(new), abs(old))
    return found


@procedure
def age_of_jump(ev: EventRun) -> f64:
    """How many delays ago the cause of this event happened; zero for an event of its own, and for a new jump."""
    if ev.switched_count + ev.fired_count > 0 or have_jumped(ev):
        return 0.0
    age = 0.0
    near = _NEAR * abs(ev.t)
    for j in range(ev.jump_first, ev.jump_count):
        for k in range(ev.delay_count):
            again = ev.jump_time[j] + delay_of(ev, k)
            if abs(again - ev.t) <= near:
                age = max(age, ev.jump_age[j] + 1.0)
    return age


@procedure
def note_jump(ev: EventRun) -> None:
    """After an event: delayed signals continue from here, and what happened will happen again a delay later.

    Each time it comes back it is smoother by one derivative, so its age counts: from the sixth on no step notices.
    """
    event_note(ev, ev.t)
    if ev.delay_count == 0:
        return
    age = age_of_jump(ev)
    if age < _OLDEST and ev.jump_count < ev.jump_room:
        ev.jump_time[ev.jump_count] = ev.t
        ev.jump_age[ev.jump_count] = age
        ev.jump_count += 1


@procedure
def forget_old_notes(ev: EventRun, t: f64) -> None:
    """Make room for notes by dropping those that no delay reaches from a time on, where nobody else keeps them."""
    longest = 0.0
    for k in range(ev.delay_count):
        longest = max(longest, delay_of(ev, k))
    first = last_note(ev, t - longest, False) - _MOST_INTERVALS
    if first > 0:
        count = ev.delay_count
        left = ev.note_count - first
        for i in range(left):
            ev.note_time[i] = ev.note_time[first + i]
        for i in range(left * count):
            ev.note_value[i] = ev.note_value[first * count + i]
        ev.note_count = left
    for j in range(ev.jump_first, ev.jump_count):
        ev.jump_time[j - ev.jump_first] = ev.jump_time[j]
        ev.jump_age[j - ev.jump_first] = ev.jump_age[j]
    ev.jump_count -= ev.jump_first
    ev.jump_first = 0


@procedure
def note_now(ev: EventRun) -> None:
    """Delayed signals are known up to this time: an interrupted run may have stood between two notes."""
    if ev.delay_count > 0 and ev.note_count > 0 and ev.note_time[ev.note_count - 1] < ev.t:
        event_note(ev, ev.t)


@procedure
def next_jump(ev: EventRun, soon: f64) -> f64:
    """When a delayed jump next comes back after a time; infinity when none does. Old jumps are forgotten."""
    soonest = _NEVER
    for j in range(ev.jump_first, ev.jump_count):
        is_past = True
        for k in range(ev.delay_count):
            again = ev.jump_time[j] + delay_of(ev, k)
            if again > soon:
                soonest = min(soonest, again)
                is_past = False
        if is_past and j == ev.jump_first:
            ev.jump_first = j + 1
    return soonest

"""Native: events come back. What happened to a delayed signal happens again a delay later, and is an event there.

Constant delays know when; where the time varies, or a pipe carries the signal, windows find it (windows.py). Each time
it comes back it is smoother by one derivative, so its age counts: from the sixth on no step notices.
"""

from __future__ import annotations

from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.past.notes import MOST_INTERVALS, NEAR, are_apart, event_note, last_note
from tellegen.engine.runtime.events.past.transports import oldest_content
from tellegen.engine.runtime.events.past.windows import margin_at, reading_of, renew_windows
from tellegen.ir.events import CONSTANT_DELAY, TRANSPORT
from tellegen.procedures.language import f64, i64, procedure

_OLDEST = 6.0  # delays after which no step notices a jump any more
_NEVER = float("inf")


@procedure(inline=True)
def delay_of(ev: EventRun, k: i64) -> f64:
    """How long signal k is delayed."""
    return ev.delayed[ev.delay_number[k] + 1]


@procedure
def have_jumped(ev: EventRun) -> bool:
    """Whether a delayed signal has another value after this event than before it, by the last two notes."""
    after = ev.note_count - 1
    if after < 1 or are_apart(ev, after - 1):
        return False
    width = ev.note_width
    found = False
    for k in range(width):
        old = ev.note_value[(after - 1) * width + k]
        new = ev.note_value[after * width + k]
        found = found or abs(new - old) > ev.tolerance * max(abs(new), abs(old))
    return found


@procedure
def comes_back(ev: EventRun, k: i64, jump: i64) -> bool:
    """Whether an earlier jump is read again now."""
    time = ev.jump_time[jump]
    if ev.delay_kind[k] == CONSTANT_DELAY:
        return abs(time + delay_of(ev, k) - ev.t) <= NEAR * abs(ev.t)
    reading = reading_of(ev, k, ev.t)
    margin = 4.0 * margin_at(ev, k, reading)
    if ev.delay_kind[k] != TRANSPORT:
        return abs(reading - time) <= margin
    way = abs(reading - ev.note_value[last_note(ev, time, True) * ev.note_width + ev.note_column[k] + 1])
    return way <= margin or abs(way - 1.0) <= margin


@procedure
def age_of_jump(ev: EventRun) -> f64:
    """How many delays ago the cause of this event happened; zero for an event of its own, and for a new jump."""
    if ev.switched_count + ev.fired_count > 0 or have_jumped(ev):
        return 0.0
    age = 0.0
    for j in range(ev.jump_first, ev.jump_count):
        for k in range(ev.delay_count):
            if comes_back(ev, k, j):
                age = max(age, ev.jump_age[j] + 1.0)
    return age


@procedure
def note_jump(ev: EventRun) -> None:
    """After an event: delayed signals continue from here, and what happened will happen again a delay later."""
    event_note(ev, ev.t)
    if ev.delay_count == 0:
        return
    age = age_of_jump(ev)
    if age < _OLDEST and ev.jump_count < ev.jump_room:
        ev.jump_time[ev.jump_count] = ev.t
        ev.jump_age[ev.jump_count] = age
        ev.jump_count += 1
    renew_windows(ev)


@procedure
def oldest_read(ev: EventRun, t: f64) -> f64:
    """The oldest time that a delay may read from now on."""
    oldest = t
    for k in range(ev.delay_count):
        kind = ev.delay_kind[k]
        if kind == TRANSPORT:
            oldest = min(oldest, oldest_content(ev, k))
        else:
            oldest = min(oldest, t - ev.delayed[ev.delay_number[k] + 1 + kind])  # of one that varies the longest time
    return oldest


@procedure
def forget_old_notes(ev: EventRun, t: f64) -> None:
    """Make room for notes by dropping those that no delay reaches from a time on, where nobody else keeps them."""
    oldest = oldest_read(ev, t)
    first = last_note(ev, oldest, False) - MOST_INTERVALS
    if first > 0:
        count = ev.note_width
        left = ev.note_count - first
        for i in range(left):
            ev.note_time[i] = ev.note_time[first + i]
        for i in range(left * count):
            ev.note_value[i] = ev.note_value[first * count + i]
        ev.note_count = left
    if ev.varying_count > 0:
        while ev.jump_first < ev.jump_count and ev.jump_time[ev.jump_first] < oldest:
            ev.jump_first += 1
    for j in range(ev.jump_first, ev.jump_count):
        ev.jump_time[j - ev.jump_first] = ev.jump_time[j]
        ev.jump_age[j - ev.jump_first] = ev.jump_age[j]
    ev.jump_count -= ev.jump_first
    ev.jump_first = 0


@procedure
def next_jump(ev: EventRun, soon: f64) -> f64:
    """When a jump next comes back from a constant delay after a time, or infinity. Old ones are forgotten."""
    soonest = _NEVER
    for j in range(ev.jump_first, ev.jump_count):
        is_past = ev.varying_count == 0
        for k in range(ev.delay_count):
            if ev.delay_kind[k] == CONSTANT_DELAY:
                again = ev.jump_time[j] + delay_of(ev, k)
                if again > soon:
                    soonest = min(soonest, again)
                    is_past = False
        if is_past and j == ev.jump_first:
            ev.jump_first = j + 1
    return soonest

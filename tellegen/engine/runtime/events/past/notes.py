"""Native notes of the past: signals at every step and event, read by interpolation.

Between notes the polynomial through five of them is followed, never across an event: there two notes have the same
time. A row of notes has a column for each delayed signal; after the signal of a delay that varies comes its time, after
what enters a transport at its near end how far the content has moved and what enters at its far end.
"""

from __future__ import annotations

from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.relation_values import compute
from tellegen.procedures.language import f64, i64, procedure

NEAR = 1e-12  # of the time: that close to an event counts as at it
MOST_INTERVALS = 4  # between the notes of a polynomial
_CROWDED = 1e-3  # of the time between the last two notes
_NOTES_AT_AN_EVENT = 2  # before and after it

NOTES_PER_PIECE = 4
"""As many as the dense output needs to be followed exactly. A signal may bend more in a step than the states do, and
have corners: it is noted in pieces then, none of which is read across its ends."""

_NOTES_PER_STEP = 16  # there is room for, on the average
_MOST_TRIALS = 200  # pieces of a step, with those that were too long
_RESOLUTION = 1e-9  # of the time: the shortest piece


@procedure(inline=True)
def notes_of_steps(steps: i64) -> i64:
    """Room for the notes of so many steps, the last of which may need many, with the event at the end of them."""
    return _NOTES_PER_STEP * steps + (NOTES_PER_PIECE + 1) * _MOST_TRIALS + _NOTES_AT_AN_EVENT


@procedure
def is_piece(ev: EventRun, first: i64, begin: f64, end: f64, trials: i64) -> bool:
    """Whether the notes from number `first` on describe the signals from a time to another one, as well as they can."""
    return trials >= _MOST_TRIALS or end - begin <= _RESOLUTION * abs(end) or are_resolved(ev, first)


@procedure
def separate(ev: EventRun) -> None:
    """What follows the last note is not read together with what is before it: the note stands there twice."""
    last = ev.note_count - 1
    if last < 0 or ev.note_count >= ev.note_room or (last > 0 and not are_apart(ev, last - 1)):
        return
    ev.note_time[last + 1] = ev.note_time[last]
    for k in range(ev.note_width):
        ev.note_value[(last + 1) * ev.note_width + k] = ev.note_value[last * ev.note_width + k]
    ev.note_count += 1


@procedure(inline=True)
def lacks_room(ev: EventRun, steps: i64) -> bool:
    """Whether the notes of so many steps may not have room."""
    return ev.note_room - ev.note_count < notes_of_steps(steps)


@procedure
def is_crowded(ev: EventRun, t: f64) -> bool:
    """Whether the last note is so close to this time, beside the one before it, that a polynomial through all three
    would magnify roundings: the end of a step may be cut off. Notes at events stay."""
    last = ev.note_count - 1
    if last < 1:
        return False
    gap = t - ev.note_time[last]
    before = ev.note_time[last] - ev.note_time[last - 1]
    return NEAR * abs(t) < gap < _CROWDED * before


@procedure
def event_note(ev: EventRun, t: f64) -> None:
    """Keep the delayed signals at this time, as long as there is room."""
    if ev.delay_count == 0 or ev.note_count >= ev.note_room:
        return
    compute(ev, ev.delay_entry, t, ev.delayed)
    if is_crowded(ev, t):
        ev.note_count -= 1
    row = ev.note_value[ev.note_count * ev.note_width :]
    ev.note_time[ev.note_count] = t
    for k in range(ev.delay_count):
        column = ev.note_column[k]
        for offset in range(ev.delay_kind[k] + 1):
            row[column + offset] = ev.delayed[ev.delay_number[k] + offset]
    ev.note_count += 1


@procedure
def are_resolved(ev: EventRun, first: i64) -> bool:
    """Whether the notes from number `first` on, equally far apart from the one before it, describe all signals.

    The fourth difference is 24 times what a cubic through four notes misses; the one through five misses less.
    """
    width = ev.note_width
    if first < 1:
        return True
    for k in range(width):
        for i in range(first - 1, ev.note_count):
            ev.note_peak[k] = max(ev.note_peak[k], abs(ev.note_value[i * width + k]))
        allowed = 24.0 * ev.tolerance * ev.note_peak[k]
        for i in range(first - 1, ev.note_count - MOST_INTERVALS):
            v = ev.note_value[i * width + k :]
            bend = v[0] - 4.0 * v[width] + 6.0 * v[2 * width] - 4.0 * v[3 * width] + v[4 * width]
            if abs(bend) > allowed:
                return False
    return True


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
def interpolated(ev: EventRun, column: i64, first: i64, last: i64, nearest: f64, t: f64) -> f64:
    """A column at a time: Lagrange's polynomial through the notes first..last.

    It is that of the differences from the nearest note: a constant is reproduced whatever the weights round to.
    """
    times = ev.note_time
    values = ev.note_value
    count = ev.note_width
    total = nearest
    for i in range(first, last + 1):
        term = values[i * count + column] - nearest
        for j in range(first, last + 1):
            if i != j:
                term = term * ((t - times[j]) / (times[i] - times[j]))
        total += term
    return total


@procedure(inline=True)
def are_apart(ev: EventRun, note: i64) -> bool:
    """Whether there is no event between a note and the next one: two notes of one time, apart from a rounding."""
    here = ev.note_time[note]
    after = ev.note_time[note + 1]
    return after - here > NEAR * abs(after)


@procedure
def first_note(ev: EventRun, here: i64) -> i64:
    """The first of up to five notes around one, in its segment."""
    first = here
    last = here
    for _ in range(MOST_INTERVALS):  # one more after it, one more before it
        if last - first < MOST_INTERVALS and last + 1 < ev.note_count and are_apart(ev, last):
            last += 1
        if last - first < MOST_INTERVALS and first > 0 and are_apart(ev, first - 1):
            first -= 1
    return first


@procedure
def last_of_window(ev: EventRun, here: i64, first: i64) -> i64:
    """The last of them."""
    last = here
    while last - first < MOST_INTERVALS and last + 1 < ev.note_count and are_apart(ev, last):
        last += 1
    return last


@procedure
def note_now(ev: EventRun) -> None:
    """Delayed signals are known up to this time: an interrupted run may have stood between two notes."""
    if ev.delay_count > 0 and ev.note_count > 0 and ev.note_time[ev.note_count - 1] < ev.t:
        event_note(ev, ev.t)

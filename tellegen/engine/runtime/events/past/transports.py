"""Native transports: what leaves a pipe of length one at its far end (place 1), found by where it was before.

Content that is at place 1 now was at place 1 - (x - x(s)) at the time s. Going back through the notes it came from
where it left the pipe: at place 0 it is what entered at the near end then, at place 1, where the flow has turned since,
what entered at the far end. Where the notes end it was in the pipe at the start; equations know that profile. Both
directions of flow are one transport each, the second with the ends exchanged.
"""

from __future__ import annotations

from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.past.notes import NEAR, first_note, interpolated, last_note, last_of_window
from tellegen.engine.runtime.events.past.windows import leaves_here, margin_at, within_window
from tellegen.procedures.language import f64, i64, procedure

_X, _VALUE, _SLOPE, _IS_OLD, _X_START = range(5)
"""The entries of a transport (ir/events.py)."""

_NEAR_END, _MOVED, _FAR_END = range(3)
"""What is computed and noted of it."""

_MOST_HALVINGS = 60
_ROUNDING = 4.0e-16
_FLAT = 1e-14
_MOMENT = 1e-4  # of the time between notes
# margins of a window: up to the first content is at the far end now, from the second on it has left there before
_AT_END = 64.0
_OUTSIDE = 4.0
_OF_PIPE = 0.5  # the longest step: what enters in it must not leave in it
_NEVER = float("inf")
_NOTHING = float("nan")


@procedure(inline=True)
def noted(ev: EventRun, k: i64, what: i64, note: i64) -> f64:
    """What was noted of a transport."""
    return ev.note_value[note * ev.note_width + ev.note_column[k] + what]


@procedure(inline=True)
def computed(ev: EventRun, k: i64, what: i64) -> f64:
    """What was computed last."""
    return ev.delayed[ev.delay_number[k] + what]


@procedure(inline=True)
def set_leaving(ev: EventRun, k: i64, value: f64, slope: f64, is_old: bool) -> None:
    """What leaves now, in the parameters that the equations read."""
    entries = ev.p[ev.delay_index[k] :]
    entries[_X] = computed(ev, k, _MOVED)
    entries[_VALUE] = value
    entries[_SLOPE] = slope
    entries[_IS_OLD] = 1.0 if is_old else 0.0


@procedure
def time_of_entry(ev: EventRun, k: i64, x: f64, note: i64) -> f64:
    """When the content had moved so far, between a note and the next one: by straight lines and halving (Illinois)."""
    first = first_note(ev, note)
    last = last_of_window(ev, note, first)
    column = ev.note_column[k] + _MOVED
    nearest = noted(ev, k, _MOVED, note)
    low = ev.note_time[note]
    high = ev.note_time[note + 1]
    at_low = nearest - x
    at_high = noted(ev, k, _MOVED, note + 1) - x
    side = 0
    for _ in range(_MOST_HALVINGS):
        if at_low == 0.0 or high - low <= _ROUNDING * (abs(high) + abs(low)):
            return low
        if at_high == 0.0 or (at_low > 0.0) == (at_high > 0.0):
            return high
        middle = low + (high - low) * (at_low / (at_low - at_high))
        middle = min(max(middle, low), high)
        if middle <= low or middle >= high:
            return middle
        here = interpolated(ev, column, first, last, nearest, middle) - x
        if (here > 0.0) == (at_low > 0.0):
            low = middle
            at_low = here
            at_high = 0.5 * at_high if side == 1 else at_high
            side = 1
        else:
            high = middle
            at_high = here
            at_low = 0.5 * at_low if side == 2 else at_low
            side = 2
    return 0.5 * (low + high)


@procedure
def read_entry(ev: EventRun, k: i64, what: i64, x: f64, note: i64) -> None:
    """What entered at an end when the content had moved so far, between a note and the next one."""
    after = ev.note_time[note + 1]
    value = noted(ev, k, what, note + 1)
    slope = 0.0
    if after - ev.note_time[note] > NEAR * abs(after):
        first = first_note(ev, note)
        last = last_of_window(ev, note, first)
        column = ev.note_column[k]
        here = noted(ev, k, what, note)
        moved = noted(ev, k, _MOVED, note)
        time = time_of_entry(ev, k, x, note)
        value = interpolated(ev, column + what, first, last, here, time)
        later = time + _MOMENT * (after - ev.note_time[note])
        sooner = time - _MOMENT * (after - ev.note_time[note])
        way = interpolated(ev, column + _MOVED, first, last, moved, later)
        way -= interpolated(ev, column + _MOVED, first, last, moved, sooner)
        change = interpolated(ev, column + what, first, last, here, later)
        change -= interpolated(ev, column + what, first, last, here, sooner)
        slope = change / way if abs(way) > _FLAT else 0.0
    set_leaving(ev, k, value, slope, False)


@procedure
def fill_transport(ev: EventRun, k: i64, t: f64) -> None:
    """What leaves at a time, for equations to read."""
    newest = last_note(ev, t, True)  # rows of output are computed when the notes of their step are made
    ev.p[ev.delay_index[k] + _X_START] = noted(ev, k, _MOVED, 0)
    if not leaves_here(ev, k):
        set_leaving(ev, k, computed(ev, k, _FAR_END), 0.0, False)
        return
    x = within_window(ev, k, computed(ev, k, _MOVED))
    margin = margin_at(ev, k, x)
    if noted(ev, k, _MOVED, newest) <= x - 1.0 and t - ev.note_time[newest] > NEAR * abs(t):
        set_leaving(ev, k, _NOTHING, 0.0, False)  # a step that is longer than the pipe must be a shorter one
        return
    if noted(ev, k, _MOVED, newest) >= x + _AT_END * margin:
        set_leaving(ev, k, computed(ev, k, _FAR_END), 0.0, False)  # it moves backwards
        return
    is_inside = False  # or has left at the far end: where it is now does not count
    for back in range(newest):
        note = newest - 1 - back
        moved = noted(ev, k, _MOVED, note)
        is_inside = is_inside or abs(moved - x) > _AT_END * margin
        if moved <= x - 1.0:
            read_entry(ev, k, _NEAR_END, x - 1.0, note)
            return
        if is_inside and moved >= x + _OUTSIDE * margin:
            read_entry(ev, k, _FAR_END, x, note)
            return
    set_leaving(ev, k, 0.0, 0.0, True)


@procedure
def fill_transport_at_start(ev: EventRun, k: i64) -> bool:
    """Before anything is noted, what leaves is the end of the content at the start; whether something changed."""
    x = computed(ev, k, _MOVED)
    entries = ev.p[ev.delay_index[k] :]
    changed = entries[_X] != x or entries[_IS_OLD] < 0.5
    set_leaving(ev, k, 0.0, 0.0, True)
    entries[_X_START] = x
    return changed


@procedure
def longest_step_of_flow(ev: EventRun, k: i64) -> f64:
    """The longest step in which no content that enters leaves, at the speed between the last two notes."""
    last = ev.note_count - 1
    while last > 0 and ev.note_time[last] == ev.note_time[last - 1]:
        last -= 1
    if last < 1:
        return _NEVER
    way = abs(noted(ev, k, _MOVED, last) - noted(ev, k, _MOVED, last - 1))
    time = ev.note_time[last] - ev.note_time[last - 1]
    return _OF_PIPE * time / way if way > 0.0 and time > 0.0 else _NEVER


@procedure
def oldest_content(ev: EventRun, k: i64) -> f64:
    """Since when the content of a pipe has entered: the content as a whole has moved by its length since."""
    newest = ev.note_count - 1
    least = noted(ev, k, _MOVED, newest)
    most = least
    for back in range(newest):
        note = newest - 1 - back
        moved = noted(ev, k, _MOVED, note)
        least = min(least, moved)
        most = max(most, moved)
        if most - least > 1.0 + margin_at(ev, k, moved):
            return ev.note_time[note]
    return ev.note_time[0]

"""Native windows: between which jumps of the past a delay that varies, or a transport, reads now.

What is integrated has to be smooth. So between events only that part of the past is read that lies between two of its
jumps, continued beyond them where an integrator looks ahead; relations find where the reading meets the next jump, and
the event there moves the window on. The reading is the time t - T of a delay, and how far the content of a pipe has
moved, x: what entered at x leaves at x + 1 on the other side and at x where it came from.
"""

from __future__ import annotations

from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.past.notes import NEAR, last_note
from tellegen.ir.events import CONSTANT_DELAY, TRANSPORT, VARYING_DELAY
from tellegen.procedures.language import f64, i64, procedure

MARGIN = 1e-10  # of the reading: it is that far below a jump before it counts as having gone back
_FAR = 1e3  # of the length of a pipe, or of a run: where there is no jump
_OF_RUN = 1e-2
_ENDS = 3  # a jump may leave one pipe length before, at, or after the place where it entered


@procedure(inline=True)
def margin_at(ev: EventRun, k: i64, reading: f64) -> f64:
    """What counts as nothing beside a reading."""
    size = max(1.0, abs(reading)) if ev.delay_kind[k] == TRANSPORT else max(abs(ev.t), _OF_RUN * ev.run_length)
    return MARGIN * size


@procedure(inline=True)
def reading_of(ev: EventRun, k: i64, t: f64) -> f64:
    """What was computed last."""
    value = ev.delayed[ev.delay_number[k] + 1]
    return t - value if ev.delay_kind[k] == VARYING_DELAY else value


@procedure(inline=True)
def leaves_here(ev: EventRun, k: i64) -> bool:
    """Whether the content of a transport leaves at its far end."""
    return ev.delayed[ev.delay_number[k] + 3] > 0.5


@procedure(inline=True)
def within_window(ev: EventRun, k: i64, reading: f64) -> f64:
    """The reading, or a point just inside of the window where it has left it: the part of the past that counts."""
    place = ev.delay_window[k]
    margin = 8.0 * margin_at(ev, k, reading)
    return min(max(reading, ev.p[place] + margin), ev.p[place + 1] - margin)


@procedure
def between_times(ev: EventRun, k: i64, reading: f64) -> None:
    """The window of a delay: the last jump that is not after a time, and the next one."""
    low = ev.jump_first - 1
    high = ev.jump_count
    limit = reading + NEAR * abs(ev.t)
    while high - low > 1:
        middle = (low + high) >> 1
        if ev.jump_time[middle] <= limit:
            low = middle
        else:
            high = middle
    far = _FAR * ev.run_length
    below = reading - far
    if low >= ev.jump_first:
        below = ev.jump_time[low] - margin_at(ev, k, reading)
    place = ev.delay_window[k]
    ev.p[place] = below
    ev.p[place + 1] = ev.jump_time[high] if high < ev.jump_count else reading + far


@procedure
def between_contents(ev: EventRun, k: i64, x: f64) -> None:
    """The window of a transport, which has none while nothing leaves at this end.

    What entered before the content was replaced as a whole has left for good.
    """
    place = ev.delay_window[k]
    ev.p[place] = x - _FAR
    ev.p[place + 1] = x + _FAR
    if not leaves_here(ev, k):
        return
    column = ev.note_column[k] + 1
    near = NEAR * max(1.0, abs(x))
    below = x - _FAR
    above = x + _FAR
    least = x
    most = x
    for back in range(ev.jump_count - ev.jump_first):
        if most - least > 1.0 + near:
            break
        note = last_note(ev, ev.jump_time[ev.jump_count - 1 - back], True)
        entered = ev.note_value[note * ev.note_width + column]
        least = min(least, entered)
        most = max(most, entered)
        for end in range(_ENDS):
            leaves = entered + float(end - 1)
            if leaves <= x + near:
                below = max(below, leaves)
            else:
                above = min(above, leaves)
    ev.p[place] = below - margin_at(ev, k, x)
    ev.p[place + 1] = above


@procedure
def find_window(ev: EventRun, k: i64, reading: f64) -> None:
    """The window around a reading."""
    if ev.delay_kind[k] == TRANSPORT:
        between_contents(ev, k, reading)
    else:
        between_times(ev, k, reading)


@procedure
def pass_jumps(ev: EventRun, t: f64) -> None:
    """Move windows whose reading meets a jump in this event; the relations that have found it are done with."""
    for k in range(ev.delay_count):
        rises = ev.delay_rises[k]
        falls = ev.delay_falls[k]
        place = ev.delay_window[k]
        if rises >= 0 and ev.passed[rises] > 0:
            find_window(ev, k, max(reading_of(ev, k, t), ev.p[place + 1]))
        elif falls >= 0 and ev.passed[falls] < 0:
            find_window(ev, k, min(reading_of(ev, k, t), ev.p[place] - margin_at(ev, k, ev.p[place])))
        if rises >= 0:
            ev.passed[rises] = 0
            ev.roots[rises] = 0
        if falls >= 0:
            ev.passed[falls] = 0
            ev.roots[falls] = 0


@procedure
def follow_reading(ev: EventRun, k: i64, reading: f64) -> None:
    """At an event: the window of a reading that is elsewhere now, perhaps because it has jumped itself."""
    place = ev.delay_window[k]
    near = NEAR * max(abs(ev.t), abs(reading))
    if reading >= ev.p[place + 1] - near or reading < ev.p[place]:
        find_window(ev, k, reading)


@procedure
def renew_windows(ev: EventRun) -> None:
    """After an event, which may be a jump that comes back itself. A reading stays beyond the jump that it has met."""
    for k in range(ev.delay_count):
        if ev.delay_kind[k] != CONSTANT_DELAY:
            reading = reading_of(ev, k, ev.t)
            find_window(ev, k, max(reading, ev.p[ev.delay_window[k]] + 2.0 * margin_at(ev, k, reading)))
            lower_flags(ev, k)


@procedure
def lower_flags(ev: EventRun, k: i64) -> None:
    """The reading is inside of its window."""
    ev.p[ev.rises_flag[k]] = 0.0
    if ev.falls_flag[k] >= 0:
        ev.p[ev.falls_flag[k]] = 0.0


@procedure
def begin_windows(ev: EventRun) -> None:
    """At the start of a run, or where one continues."""
    if ev.note_count == 0:
        return
    for k in range(ev.delay_count):
        if ev.delay_kind[k] != CONSTANT_DELAY:
            find_window(ev, k, reading_of(ev, k, ev.t))
            lower_flags(ev, k)

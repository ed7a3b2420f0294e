"""Native delays: past values of signals, noted at every step and event, read by interpolation.

    event_note       keep the delayed signals at this time; at an event once before and once after it
    event_fill       put what they were some time ago where the equations read it

Between notes the polynomial through five of them is followed, never across an event: there two notes have the same
time, and the value before it counts until the run has an event of its own there (`segment_start`). Before the start
signals are what they were at the start. Steps are not longer than the shortest delay, so the past is always known.

A delay whose time varies is read by the equations themselves, at the time they compute: `event_fill` gives them the
polynomial there. It may be as short as nothing; then the time lies in the step being made, whose end is the present
value of the signal, and the polynomial goes through that too.
"""

from __future__ import annotations

from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.relation_values import compute
from tellegen.ir.events import PAST_COEFFICIENTS, PAST_ENTRIES, PRESENT_COEFFICIENTS
from tellegen.procedures.language import f64, i32, i64, procedure

_OLDEST = 6.0  # delays after which no step notices a jump any more
_NEAR = 1e-12  # of the time: that close to an event counts as at it
_MOST_INTERVALS = 4  # between the notes of a polynomial
_NEVER = float("inf")
_OF_DELAY = 0.5  # the longest step, for the delay may get shorter in it
_NOTES_AT_AN_EVENT = 2  # before and after it

NOTES_PER_STEP = 4
"""As many as the dense output needs to be followed exactly."""

MOST_NOTES_PER_STEP = 16
"""A signal may bend more in a step than the states do: it is noted more often then."""


@procedure(inline=True)
def notes_of_steps(steps: i64) -> i64:
    """How many notes so many steps make at most, with the event at the end of them."""
    return MOST_NOTES_PER_STEP * steps + _NOTES_AT_AN_EVENT


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
    row = ev.note_value[ev.note_count * ev.note_width :]
    ev.note_time[ev.note_count] = t
    for k in range(count):
        row[k] = ev.delayed[2 * k]
    varying = count
    for k in range(count):
        if ev.delay_varies[k] != 0:
            row[varying] = delay_of(ev, k)
            varying += 1
    ev.note_count += 1


@procedure
def are_resolved(ev: EventRun, first: i64) -> bool:
    """Whether the notes from number `first` on, equally far apart from the one before it, describe all signals.

    The fourth difference is 24 times what a cubic through four notes misses; the one through five misses less.
    """
    width = ev.note_width
    if first < 1:
        return True
    for k in range(ev.delay_count):
        for i in range(first - 1, ev.note_count):
            ev.note_peak[k] = max(ev.note_peak[k], abs(ev.note_value[i * width + k]))
        allowed = 24.0 * ev.tolerance * ev.note_peak[k]
        for i in range(first - 1, ev.note_count - _MOST_INTERVALS):
            v = ev.note_value[i * width + k :]
            bend = v[0] - 4.0 * v[width] + 6.0 * v[2 * width] - 4.0 * v[3 * width] + v[4 * width]
            if abs(bend) > allowed:
                return False
    return True


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
        if ev.delay_varies[k] != 0:  # the present value itself counts
            position += 1 + PAST_COEFFICIENTS
            value = 1.0
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
    count = ev.note_width
    total = nearest
    for i in range(first, last + 1):
        term = values[i * count + k] - nearest
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
    return after - here > _NEAR * abs(after)


@procedure
def first_note(ev: EventRun, here: i64) -> i64:
    """The first of up to five notes around one, in its segment."""
    first = here
    last = here
    for _ in range(_MOST_INTERVALS):  # one more after it, one more before it
        if last - first < _MOST_INTERVALS and last + 1 < ev.note_count and are_apart(ev, last):
            last += 1
        if last - first < _MOST_INTERVALS and first > 0 and are_apart(ev, first - 1):
            first -= 1
    return first


@procedure
def last_of_window(ev: EventRun, here: i64, first: i64) -> i64:
    """The last of them."""
    last = here
    while last - first < _MOST_INTERVALS and last + 1 < ev.note_count and are_apart(ev, last):
        last += 1
    return last


@procedure
def past_value(ev: EventRun, k: i64, t: f64, side: f64, after: bool) -> f64:
    """Signal k at a time in the past, from up to five notes of the segment that `side` is in."""
    here = last_note(ev, side, after)
    first = first_note(ev, here)
    nearest = ev.note_value[here * ev.note_width + k]
    return interpolated(ev, k, first, last_of_window(ev, here, first), nearest, t)


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
        c[i] = ev.note_value[(first + i) * ev.note_width + k]
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
def fill_polynomial(ev: EventRun, k: i64, t: f64, side: f64, after: bool) -> None:
    """What signal k was near the time that its equations ask about."""
    start = ev.note_time[0]
    newest = ev.note_time[ev.note_count - 1]
    if side <= start:
        here = last_note(ev, start, True)
        fit_notes(ev, k, here, here, start)
    elif side <= newest or t - newest <= _NEAR * abs(t):
        here = last_note(ev, side, after)
        first = first_note(ev, here)
        fit_notes(ev, k, first, last_of_window(ev, here, first), ev.note_time[here])
    else:
        fit_present(ev, k, t)


@procedure
def longest_step(ev: EventRun) -> f64:
    """The longest step from here on that leaves most of what varying delays read in the known past."""
    longest = _NEVER
    for k in range(ev.delay_count):
        if ev.delay_varies[k] != 0:
            longest = min(longest, max(_OF_DELAY * delay_of(ev, k), ev.shortest_step))
    return longest


@procedure
def event_fill(ev: EventRun, t: f64) -> None:
    """What delayed signals were, as the equations read it at a time."""
    if ev.note_count == 0:
        return
    begins = t <= ev.segment_start
    near = _NEAR * abs(t)
    start = ev.note_time[0]
    if ev.varying_count > 0:
        compute(ev, ev.delay_entry, t, ev.delayed)
    for k in range(ev.delay_count):
        past = t - delay_of(ev, k)
        side = past + near if begins else past - near  # of an event, the one that counts
        if ev.delay_varies[k] != 0:
            fill_polynomial(ev, k, t, side, begins)
        else:
            ev.p[ev.delay_index[k]] = past_value(ev, k, max(past, start), max(side, start), begins)


@procedure
def event_refill(ev: EventRun, t: f64) -> i32:
    """The polynomials again, where the equations have computed how long delays are; 1 if they ask about other notes."""
    if ev.note_count == 0:
        return 0
    begins = t <= ev.segment_start
    near = _NEAR * abs(t)
    compute(ev, ev.delay_entry, t, ev.delayed)
    changed = 0
    for k in range(ev.delay_count):
        if ev.delay_varies[k] != 0:
            past = t - delay_of(ev, k)
            position = ev.delay_index[k]
            before = ev.p[position]
            fill_polynomial(ev, k, t, past + near if begins else past - near, begins)
            if ev.p[position] != before:
                changed = 1
    return changed


@procedure
def have_jumped(ev: EventRun) -> bool:
    """Whether a delayed signal has another value after this event than before it, by the last two notes."""
    after = ev.note_count - 1
    if after < 1 or are_apart(ev, after - 1):
        return False
    width = ev.note_width
    found = False
    for k in range(ev.delay_count):
        old = ev.note_value[(after - 1) * width + k]
        new = ev.note_value[after * width + k]
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
            again = ev.jump_time[j] + delay_of(ev, k) if ev.delay_varies[k] == 0 else _NEVER
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
        count = ev.note_width
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
            again = ev.jump_time[j] + delay_of(ev, k) if ev.delay_varies[k] == 0 else 0.0
            if again > soon and ev.delay_varies[k] == 0:
                soonest = min(soonest, again)
                is_past = False
        if is_past and j == ev.jump_first:
            ev.jump_first = j + 1
    return soonest

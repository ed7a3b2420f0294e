"""Native: IDA and CVODE step by step, where something is done after each step: a watch over the choice of states
(runtime/algebra/state_watch.py), notes of delayed signals (runtime/events/past/), or calls of functions that
want to know of accepted steps (runtime/events/due_actions.py)."""

from __future__ import annotations

from collections.abc import Callable

from tellegen.engine.native.flags import Flag
from tellegen.engine.runtime.algebra.ode_rhs import keep_row, ode_rates, ode_rhs
from tellegen.engine.runtime.algebra.state_watch import ChoiceWatch, choice_is_doubtful
from tellegen.engine.runtime.events.due_actions import event_stepped
from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.past.delay_lines import event_fill, longest_step
from tellegen.engine.runtime.events.past.notes import (
    NOTES_PER_PIECE,
    event_note,
    is_piece,
    lacks_room,
    separate,
)
from tellegen.engine.runtime.sundials.cvode_callbacks import CvodeRun
from tellegen.engine.runtime.sundials.ida_callbacks import IdaRun
from tellegen.procedures.language import Address, Array, Record, f64, i32, i64, procedure

_ONE_STEP = 2  # IDA_ONE_STEP and CV_ONE_STEP: return after every step


class WatchedIda(Record):
    """An integration step by step; `row` is a vector of IDA's on the array `row_values`, `rate_row` on `row_rates`."""

    run: IdaRun
    watch: ChoiceWatch | None
    past: EventRun | None  # where delayed signals are noted
    told: EventRun | None  # whose functions want to know of accepted steps
    asked: bool  # whether one of them asks for the event at which the loop ended
    rates: Array[f64]
    get_derivative: Callable[[Address, f64, i32, Address], i32]
    limit_step: Callable[[Address, f64], i32]
    longest: f64  # step, whatever delays ask for
    row: Address
    row_values: Array[f64]
    rate_row: Address
    row_rates: Array[f64]
    end: f64  # beyond which nothing is looked at
    has_stepped: bool
    steps: i64
    most_steps: i64  # until Python looks


class WatchedCvode(Record):
    """The same with CVODE."""

    run: CvodeRun
    watch: ChoiceWatch | None
    past: EventRun | None
    told: EventRun | None
    asked: bool
    get_derivative: Callable[[Address, f64, i32, Address], i32]
    limit_step: Callable[[Address, f64], i32]
    longest: f64  # step, whatever delays ask for
    row: Address
    row_values: Array[f64]
    end: f64
    has_stepped: bool
    steps: i64
    most_steps: i64


@procedure(inline=True)
def note_time(begin: f64, end: f64, number: i64) -> f64:
    """The time of a note in a piece of the step just made, the last of them at its end."""
    return end if number == NOTES_PER_PIECE else begin + number / NOTES_PER_PIECE * (end - begin)


@procedure
def note_ida_step(watched: WatchedIda, past: EventRun, before: f64) -> None:
    """Note delayed signals over the step that IDA has made, or its part up to a root, in pieces where need be."""
    after = watched.run.reached[0]
    if after <= before:
        return
    own_y = past.y
    own_yp = past.yp
    past.y = watched.row_values
    past.yp = watched.row_rates
    begin = before
    width = after - before
    trials = 0
    while begin < after:
        end = min(begin + width, after)
        first = past.note_count
        note_ida_points(watched, past, begin, end)
        trials += 1
        if is_piece(past, first, begin, end, trials):
            begin = end
            width = 2.0 * width
        else:
            past.note_count = first
            width = 0.5 * (end - begin)
        if begin < after:
            separate(past)
    if lacks_room(past, watched.most_steps - watched.steps):
        watched.most_steps = watched.steps + 1
    past.y = own_y
    past.yp = own_yp
    if past.varying_count > 0:
        watched.limit_step(watched.run.solver, min(watched.longest, longest_step(past)))


@procedure
def note_ida_points(watched: WatchedIda, past: EventRun, begin: f64, end: f64) -> None:
    """Note them in one piece."""
    run = watched.run
    for number in range(1, NOTES_PER_PIECE + 1):
        t = note_time(begin, end, number)
        watched.get_derivative(run.solver, t, 0, watched.row)
        watched.get_derivative(run.solver, t, 1, watched.rate_row)
        event_fill(past, t)
        event_note(past, t)


@procedure
def keep_output(watched: WatchedIda) -> None:
    """The unknowns at the output times up to where IDA stands."""
    run = watched.run
    while run.first < run.last and run.times[run.first] <= run.reached[0]:
        watched.get_derivative(run.solver, run.times[run.first], 0, watched.row)
        row = run.output[run.first * run.size :]
        for i in range(run.size):
            row[i] = watched.row_values[i]
        run.first += 1


@procedure
def asks_after_step(told: EventRun, t: f64, flag: i32) -> bool:
    """Call the functions that want to know of accepted steps; whether one asks for an event where no root is."""
    asks = event_stepped(told, t) != 0 and flag != Flag.ROOT
    if asks:
        for k in range(told.relation_count):  # none of them passes zero there
            told.roots[k] = 0
    return asks


@procedure(inline=True)
def has_doubtful_choice(watched: WatchedIda) -> bool:
    """Whether there may be better states where IDA stands."""
    if watched.watch is None:
        return False
    run = watched.run
    return choice_is_doubtful(watched.watch, run.reached[0], run.values, watched.rates) != 0


@procedure
def ida_watched_run(watched: WatchedIda) -> i32:
    """Steps until the output times first..last-1 are done: 0; ROOT; DOUBTFUL, where Python has to look at the choice of
    states; or another negative flag."""
    run = watched.run
    watched.asked = False
    while run.first < run.last:
        if watched.steps >= watched.most_steps:
            return Flag.TOO_MUCH_WORK
        flag = 0
        if not watched.has_stepped or run.times[run.first] > run.reached[0]:  # else it is at the end of the segment
            before = run.reached[0]
            flag = run.solve(run.solver, watched.end, run.reached, run.y, run.yp, _ONE_STEP)
            if flag < 0:
                return flag
            if watched.past is not None:
                note_ida_step(watched, watched.past, before)
            if watched.told is not None:
                watched.asked = asks_after_step(watched.told, run.reached[0], flag)
        watched.has_stepped = True
        keep_output(watched)
        if flag == Flag.ROOT or watched.asked:
            return Flag.ROOT
        watched.steps += 1
        if run.first < run.last and has_doubtful_choice(watched):
            return Flag.DOUBTFUL
    return 0


@procedure
def note_cvode_step(watched: WatchedCvode, past: EventRun, before: f64) -> None:
    """The same of CVODE."""
    after = watched.run.reached[0]
    if after <= before:
        return
    begin = before
    width = after - before
    trials = 0
    while begin < after:
        end = min(begin + width, after)
        first = past.note_count
        note_cvode_points(watched, past, begin, end)
        trials += 1
        if is_piece(past, first, begin, end, trials):
            begin = end
            width = 2.0 * width
        else:
            past.note_count = first
            width = 0.5 * (end - begin)
        if begin < after:
            separate(past)
    if lacks_room(past, watched.most_steps - watched.steps):
        watched.most_steps = watched.steps
    if past.varying_count > 0:
        watched.limit_step(watched.run.solver, min(watched.longest, longest_step(past)))


@procedure
def note_cvode_points(watched: WatchedCvode, past: EventRun, begin: f64, end: f64) -> None:
    """Note them in one piece."""
    run = watched.run
    for number in range(1, NOTES_PER_PIECE + 1):
        t = note_time(begin, end, number)
        watched.get_derivative(run.solver, t, 0, watched.row)
        if ode_rates(t, run.ode, watched.row_values, run.rates) == 0:
            event_note(past, t)


@procedure
def keep_rows(watched: WatchedCvode) -> i32:
    """All unknowns at the output times up to where CVODE stands; a negative flag where they cannot be computed."""
    run = watched.run
    ode = run.ode
    while run.first < run.last and run.times[run.first] <= run.reached[0]:
        t = run.times[run.first]
        watched.get_derivative(run.solver, t, 0, watched.row)
        status = keep_row(t, ode, watched.row_values, run.rates, run.output[run.first * ode.row_size :])
        if status != 0:
            return Flag.REPEATED_RHS if status == 1 else Flag.POLE
        run.first += 1
    return 0


@procedure
def cv_watched_run(watched: WatchedCvode) -> i32:
    """The same as ida_watched_run. The unknowns are looked at where CVODE has evaluated them last."""
    run = watched.run
    ode = run.ode
    watched.asked = False
    while run.first < run.last:
        if watched.steps >= watched.most_steps:
            return Flag.TOO_MUCH_WORK
        flag = 0
        doubtful = False
        if not watched.has_stepped or run.times[run.first] > run.reached[0]:
            before = run.reached[0]
            flag = run.solve(run.solver, watched.end, run.x, run.reached, _ONE_STEP)
            if flag < 0:
                return flag
            watched.steps += 1
            if watched.past is not None:
                note_cvode_step(watched, watched.past, before)
            if watched.told is not None and ode_rhs(run.reached[0], ode, run.values, run.rates) == 0:
                watched.asked = asks_after_step(watched.told, run.reached[0], flag)
            if flag != Flag.ROOT and watched.watch is not None:
                doubtful = choice_is_doubtful(watched.watch, run.reached[0], ode.w, ode.w[ode.size :]) != 0
        watched.has_stepped = True
        status = keep_rows(watched)
        if status != 0:
            return status
        if flag == Flag.ROOT or watched.asked:
            failed = ode_rhs(run.reached[0], ode, run.values, run.rates) != 0
            return Flag.REPEATED_RHS if failed else Flag.ROOT
        if doubtful and run.first < run.last:
            return Flag.DOUBTFUL
    return 0

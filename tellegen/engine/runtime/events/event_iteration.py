"""Native event iteration: flags, when-statements and discrete variables, until nothing changes.

    root of h - 0 found at t  ->  flag of `h < 0` is raised  ->  its when fires: v := -e*pre(v)  ->  algebraic
    unknowns are solved for again  ->  flags are evaluated once more ... and when nothing changes the integrator
    restarts

    event_begin      flags from start values, for a first evaluation of the equations
    event_start      the start of a run from consistent values
    event_resume     the same where another run stood, event_find_ticks where parameters have moved samples
    event_settle     the iteration at one instant
    event_happen     an event in the course of a run: settle, leave what is about to switch, find the next instant

The rounds of an iteration are in event_rounds.py; how flags, discrete equations and unknowns are brought to agree is in
mode_iteration.py.
"""

from __future__ import annotations

from tellegen.engine.runtime.events.event_departure import find_next_instant, look_ahead, note_gaps
from tellegen.engine.runtime.events.event_record import EventRun, Failure, Switching
from tellegen.engine.runtime.events.event_rounds import begin_round, initialize, iterate, remember_discrete
from tellegen.engine.runtime.events.mode_iteration import keep_modes, return_to_modes
from tellegen.engine.runtime.events.mode_path import begin_path, follow_path, solve_line, take_unknowns
from tellegen.engine.runtime.events.past.delay_lines import event_fill
from tellegen.engine.runtime.events.past.jumps import note_jump
from tellegen.engine.runtime.events.past.notes import event_note, note_now
from tellegen.engine.runtime.events.past.windows import begin_windows, pass_jumps
from tellegen.engine.runtime.events.relation_switching import (
    set_flag,
    solve_unknowns,
    switch_instants,
    switch_relations,
)
from tellegen.engine.runtime.events.relation_values import (
    compute,
    compute_differences,
    compute_relations,
    differs,
    is_over,
    is_raised,
)
from tellegen.engine.runtime.events.sample_ticks import SAME_TICK, find_ticks, lower_samples, raise_samples
from tellegen.engine.runtime.events.tied_relations import keep_event, release, return_to_event
from tellegen.engine.runtime.events.when_actions import (
    assign_initial_values,
    solve_discrete_equations,
)
from tellegen.procedures.language import f64, i32, procedure

_DEEPEST = 10  # conditions inside conditions
_LOOKS = 6  # ahead of an event, until a relation that switches back and forth is sliding
_NOISE = 1e-6  # of the relative tolerance: what switches back and forth by less does so because of rounding


@procedure
def settle(ev: EventRun, is_initial: bool) -> None:
    """Iterate from the present values, which pre() reads, until nothing changes."""
    begin_round(ev)
    settle_round(ev, is_initial)


@procedure
def settle_round(ev: EventRun, is_initial: bool) -> None:
    """Iterate at this time until nothing changes; y and y' are brought up to date in place.

    The field `passing` says that relations with a root count as they will be just after it, until something else
    changes their value: the point itself may lie on either side by a rounding.
    """
    if ev.passing:
        compute_relations(ev, ev.t, ev.differences_before)
    ev.p[ev.initial_index] = 1.0 if is_initial else 0.0
    ev.p[ev.terminal_index] = 1.0 if ev.terminal else 0.0
    ev.initializing = is_initial
    ev.chosen_count = 0
    ev.rounds = 0
    if is_initial and not ev.events_at_start:
        initialize(ev)
    else:
        raise_samples(ev)
        iterate(ev)
    ev.initializing = False
    lower_samples(ev)
    ev.p[ev.initial_index] = 0.0
    ev.p[ev.terminal_index] = 0.0


@procedure
def forget_last_event(ev: EventRun) -> None:
    """Nothing has happened at this instant yet."""
    ev.switched_count = 0
    ev.fired_count = 0
    ev.message = 0
    ev.failed = 0
    ev.zeno = False
    ev.chosen_is_new = False
    ev.jumped = False


@procedure
def event_settle(ev: EventRun, t: f64) -> None:
    """The initial instant."""
    forget_last_event(ev)
    ev.t = t
    ev.passing = False
    settle(ev, True)


@procedure
def event_begin(ev: EventRun, t: f64) -> None:
    """Flags from the present values, those that relations read first, as in max(min(u, 1), 0); pre() reads them."""
    ev.t = t
    remember_discrete(ev)
    ev.switching = Switching.TOGETHER
    ev.passing = False
    ev.chosen_count = 0
    if ev.initial_count > 0:
        for _ in range(_DEEPEST):  # parameters that are computed from each other
            if not assign_initial_values(ev):
                break
    switch_instants(ev)
    for _ in range(_DEEPEST):
        if not switch_relations(ev):
            break
    find_ticks(ev, False, SAME_TICK)
    ev.switched_count = 0


@procedure
def jump(ev: EventRun, away: bool) -> bool:
    """Go to another branch, where the one that the model is on ends at this instant; whether there is one.

    The path leads to a moment ahead, where the present branch is no more. What holds there has to hold here as well,
    and to last: else the model slides along the condition.
    """
    here = ev.t
    keep_modes(ev)
    begin_path(ev)
    for s in range(ev.state_count):
        place = ev.state_index[s]
        ev.y[place] += ev.lookahead * ev.yp[place]
    ev.t = here + ev.lookahead
    is_found = solve_line(ev) and follow_path(ev, away)
    ev.t = here
    take_unknowns(ev, ev.y_before, ev.yp_before)
    if is_found and solve_unknowns(ev):
        settle(ev, False)
        if is_over(ev) or look_ahead(ev) == 0:
            return ev.failed == 0
    return_to_modes(ev)
    return False


@procedure
def depart(ev: EventRun) -> bool:
    """Let relations switch that are about to, and look again; whether none is left, or the event failed."""
    for _ in range(_LOOKS):
        if look_ahead(ev) == 0:
            return True
        ev.passing = True
        settle(ev, False)
        ev.passing = False
        if is_over(ev):
            return True
    return False


@procedure
def carry_over(ev: EventRun) -> bool:
    """Let relations switch that are about to, and pre() move on before they are judged; whether that is the way out.

    slips = s > peak or pre(slips) and s > sliding, where the load s falls once it slips: with pre(slips) fixed neither
    answer agrees with itself. Event iteration as Modelica has it (MLS, Appendix B) moves pre() on in between.
    """
    keep_modes(ev)
    look_ahead(ev)
    for k in range(ev.relation_count):
        if ev.roots[k] != 0 and differs(ev, k):
            set_flag(ev, k, not is_raised(ev, ev.relation_flag[k]))
    solve_discrete_equations(ev)
    if solve_unknowns(ev):
        remember_discrete(ev)
        settle(ev, False)
        if not is_over(ev) and depart(ev):
            return ev.failed == 0
    return_to_modes(ev)
    return False


@procedure
def leave(ev: EventRun) -> None:
    """Let relations switch that are about to; see event_departure.py."""
    if ev.relation_count == 0 or depart(ev):
        return
    look_ahead(ev)
    slides = False
    for k in range(ev.relation_count):
        switches = ev.roots[k] != 0 and differs(ev, k)  # a moment ahead
        slides = slides or (switches and abs(ev.differences[k]) > _NOISE * ev.tolerance)
    if slides and not (jump(ev, False) or jump(ev, True) or carry_over(ev)):
        ev.failed = Failure.SLIDING


@procedure
def pass_roots(ev: EventRun) -> None:
    """Iterate where relations pass zero. Where they cannot all switch, one of them does and the others wait."""
    is_kept = keep_event(ev)
    settle_round(ev, False)
    if not is_kept or ev.failed != Failure.NOT_CONSISTENT:
        return
    for k in range(ev.relation_count):
        if ev.passed[k] != 0:
            forget_last_event(ev)
            return_to_event(ev, k)
            settle_round(ev, False)
            if ev.failed != Failure.NOT_CONSISTENT:
                return
            release(ev)


@procedure
def event_happen(ev: EventRun, t: f64, at_root: i32, terminal: i32) -> None:
    """An event at this time; at a root, `roots` says which relations pass zero here."""
    forget_last_event(ev)
    ev.t = t
    ev.passing = at_root != 0
    ev.terminal = terminal != 0
    for k in range(ev.relation_count):
        ev.passed[k] = ev.roots[k] if ev.passing else 0
    has_delays = ev.delay_count > 0
    if ev.passing and ev.rescue is None and not solve_unknowns(ev):
        ev.failed = Failure.NOT_CONSISTENT
    begin_round(ev)
    ev.segment_start = ev.t
    if has_delays:  # a delayed jump may come here: pre() has what was before it
        event_note(ev, ev.t)
        pass_jumps(ev, ev.t)
        event_fill(ev, ev.t)
        if not solve_unknowns(ev):
            ev.failed = Failure.NOT_CONSISTENT
    if ev.passing:
        pass_roots(ev)
    else:
        settle_round(ev, False)
    ev.passing = False
    if not is_over(ev):
        leave(ev)
    if has_delays:
        note_jump(ev)
    note_gaps(ev)
    find_next_instant(ev)


@procedure(inline=True)
def take_conditions(ev: EventRun) -> None:
    """Conditions that hold now have not just become true."""
    compute(ev, ev.condition_entry, ev.t, ev.conditions)
    for k in range(ev.condition_count):
        ev.was_true[k] = int(ev.conditions[k] > 0.5)


@procedure
def first_event(ev: EventRun) -> None:
    """The events of the initial instant, after initialization: pre() and the first ticks make conditions true. Those of
    Python's components, beside classes of Modelica, that held in it act now as if they had just become true."""
    ev.p[ev.initial_index] = 1.0
    take_conditions(ev)
    for k in range(ev.condition_count):
        if ev.act_first[k] != 0:
            ev.was_true[k] = 1 - ev.was_true[k]
    ev.p[ev.initial_index] = 0.0
    find_ticks(ev, False, SAME_TICK)
    settle(ev, False)


@procedure
def event_start(ev: EventRun, t: f64) -> None:
    """The start of a run from consistent values."""
    forget_last_event(ev)
    ev.t = t
    if ev.events_at_start:
        take_conditions(ev)
        find_ticks(ev, True, SAME_TICK)
    else:
        first_event(ev)
    compute_differences(ev)
    for k in range(ev.relation_count):  # their size during initialization does not count
        ev.largest_difference[k] = abs(ev.differences[k])
    if not is_over(ev):
        leave(ev)
    ev.segment_start = ev.t
    note_jump(ev)
    begin_windows(ev)
    find_next_instant(ev)


@procedure
def event_find_ticks(ev: EventRun, t: f64) -> None:
    """The next ticks after a time at which everything has happened."""
    ev.t = t
    find_ticks(ev, True, 0.0)


@procedure
def event_resume(ev: EventRun, t: f64) -> None:
    """A run continues from where another one stood, after everything that happened there.

    Only relations that switch without a root to be seen do so now: values between output points are interpolated.
    """
    forget_last_event(ev)
    ev.t = t
    take_conditions(ev)
    event_find_ticks(ev, t)
    compute_differences(ev)
    for k in range(ev.relation_count):
        ev.largest_difference[k] = max(ev.largest_difference[k], abs(ev.differences[k]))
    leave(ev)
    note_now(ev)
    begin_windows(ev)
    find_next_instant(ev)

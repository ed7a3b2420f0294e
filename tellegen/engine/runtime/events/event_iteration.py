"""Native event iteration: flags, when-statements and discrete variables, until nothing changes.

    root of h - 0 found at t  ->  flag of `h < 0` is raised  ->  its when fires: v := -e*pre(v)  ->  algebraic
    unknowns are solved for again  ->  flags are evaluated once more ... and when nothing changes the integrator
    restarts

    event_begin      flags from start values, for a first evaluation of the equations
    event_start      the start of a run from consistent values
    event_settle     the iteration at one instant
    event_happen     an event in the course of a run: settle, leave what is about to switch, find the next instant

Flags of coupled relations (ideal diodes, clutches) are all set at once as a rule. Where that goes in circles, only
the first one that is wrong is set in every round: Murty's rule, which cannot cycle where the choice is unique (linear
complementarity with a P-matrix).
"""

from __future__ import annotations

from tellegen.engine.runtime.events.delay_lines import event_fill, event_note, fill_at_start, note_jump
from tellegen.engine.runtime.events.event_departure import find_next_instant, look_ahead, note_gaps
from tellegen.engine.runtime.events.event_record import EventRun, Failure, Switching
from tellegen.engine.runtime.events.relation_values import (
    compute,
    compute_differences,
    holds,
    holds_after,
    is_over,
    is_raised,
)
from tellegen.engine.runtime.events.sample_ticks import find_ticks, lower_samples, raise_samples
from tellegen.engine.runtime.events.when_actions import act, check_finite, choose_conditions, solve_discrete_equations
from tellegen.procedures.language import f64, i32, i64, procedure

_TOGETHER = 20  # rounds in which all flags are set at once
_LATE = 60  # rounds after which roundings do not count
_MOST_ROUNDS = 400
_ABSOLUTE = 1e-3  # of the relative tolerance: that of something of size one near zero
_LOOKS = 6  # ahead of an event, until a relation that switches back and forth is sliding
_NOISE = 1e-6  # of the relative tolerance: what switches back and forth by less does so because of rounding


@procedure
def remember_discrete(ev: EventRun) -> None:
    """Present values of discrete variables go where pre() reads them."""
    for k in range(ev.discrete_pre_count):
        ev.p[ev.discrete_pre_index[k]] = ev.p[ev.discrete_pre_source[k]]


@procedure
def remember_unknowns(ev: EventRun) -> None:
    """Present values of unknowns go where pre() reads them."""
    for k in range(ev.unknown_pre_count):
        ev.p[ev.unknown_pre_index[k]] = ev.y[ev.unknown_pre_source[k]]


@procedure(inline=True)
def report_switched(ev: EventRun, k: i64) -> None:
    """Relation k has switched."""
    if ev.switched_count < ev.switched_room:
        ev.switched[ev.switched_count] = k
        ev.switched_count += 1


@procedure
def new_value(ev: EventRun, k: i64) -> bool:
    """Relation k of unknowns, as its flag should be.

    One that passes zero here counts as it will be after it, as long as it stays at zero within the tolerance of the
    run: the root was located with unknowns of that accuracy. In late rounds a relation at zero may have either value:
    at the corner of a diode both branches hold.
    """
    difference = ev.differences[k]
    size = abs(difference)
    largest = max(ev.largest_difference[k], size)
    ev.largest_difference[k] = largest
    is_tiny = size <= ev.tolerance * largest
    stays_at_zero = is_tiny or difference == ev.differences_before[k]
    if not (ev.passing and stays_at_zero):
        ev.roots[k] = 0  # once it has left zero, it counts as it is
    root = ev.roots[k]
    raised = is_raised(ev, ev.relation_flag[k])
    at_zero = is_tiny or size <= _ABSOLUTE * ev.tolerance  # at the start no difference has been large
    if at_zero and ev.switching == Switching.LATE:
        return raised
    ahead = float(root) if root != 0 else difference
    return holds(ahead, ev.relation_operator[k], raised, ev.band[k])


@procedure
def switch_relations(ev: EventRun) -> bool:
    """Set the flags of relations of unknowns, all or only the first wrong one; whether one changed."""
    if ev.relation_count == 0:
        return False
    compute_differences(ev)
    changed = False
    for k in range(ev.relation_count):
        flag = ev.relation_flag[k]
        raised = new_value(ev, k)
        if raised != is_raised(ev, flag):
            ev.p[flag] = 1.0 if raised else 0.0
            report_switched(ev, k)
            changed = True
            if ev.switching != Switching.TOGETHER:
                return True
    return changed


@procedure
def switch_instants(ev: EventRun) -> bool:
    """Set the flags of relations of time; whether one changed. They count as they will be just after the instant."""
    count = ev.instant_count
    if count == 0:
        return False
    differences = ev.instant_differences
    slope = ev.instant_differences_at_one
    compute(ev, ev.instant_entry, 0.0, differences)
    compute(ev, ev.instant_entry, 1.0, slope)
    for k in range(count):
        slope[k] -= differences[k]
    compute(ev, ev.instant_entry, ev.t, differences)
    changed = False
    for k in range(count):
        flag = ev.instant_flag[k]
        raised = holds_after(differences[k], ev.instant_operator[k], ev.t * slope[k])
        if raised != is_raised(ev, flag):
            ev.p[flag] = 1.0 if raised else 0.0
            changed = True
    return changed


@procedure
def solve_unknowns(ev: EventRun) -> bool:
    """Everything else from the states, where need be by Python's solver, which tries harder; whether that succeeds."""
    if ev.solve(ev.t, ev.context) == 0:
        return True
    return ev.rescue is not None and ev.rescue(ev.t, ev.context) == 0


@procedure
def converge(ev: EventRun) -> bool:
    """Flags, discrete equations, the chosen actions and the unknowns, until they agree, with pre() fixed; whether
    something changed. `failed` is set where they do not."""
    for k in range(_MOST_ROUNDS):
        switching = Switching.TOGETHER if k < _TOGETHER else Switching.ONE_BY_ONE
        is_late = ev.rounds >= _LATE  # of the whole instant: else roundings would restart
        ev.switching = Switching.LATE if is_late else switching
        ev.rounds += 1
        changed = fill_at_start(ev)
        changed = switch_relations(ev) or changed
        changed = switch_instants(ev) or changed
        changed = solve_discrete_equations(ev) or changed
        changed = act(ev) or changed
        if not changed:
            return k > 0
        if not solve_unknowns(ev):
            ev.failed = Failure.NOT_CONSISTENT
            return True
    ev.failed = Failure.NOT_CONVERGED
    return True


@procedure
def next_round(ev: EventRun, finished: i64) -> bool:
    """pre() moves on to the values of the round that ends; of the chosen conditions the first `finished` are done with.

    The others, which a reinit of that round has made true, act in the next one. False where equations that read pre()
    cannot be solved.
    """
    waiting = ev.chosen_count - finished
    for k in range(waiting):
        ev.chosen[k] = ev.chosen[finished + k]
    ev.chosen_count = waiting
    ev.chosen_is_new = waiting > 0
    ev.reinitialized = False
    lower_samples(ev)
    remember_discrete(ev)
    remember_unknowns(ev)
    return not ev.unknowns_read_pre or solve_unknowns(ev)


@procedure
def iterate(ev: EventRun) -> None:
    """In each round everything is solved together with the when-statements that fire in it; then pre() moves on.

    What a reinit sets off belongs to the next round, where pre() is the value that this reinit gave: impacts that set
    each other off hand on what they have received.
    """
    dirty = False
    for _ in range(_MOST_ROUNDS):
        dirty = converge(ev) or dirty
        if is_over(ev):
            return
        acted = ev.chosen_count
        is_chosen = choose_conditions(ev)
        if is_chosen and not ev.reinitialized:
            dirty = True
            ev.chosen_is_new = True
        else:
            check_finite(ev, acted)
            if not dirty:
                return
            dirty = is_chosen
            if not next_round(ev, acted):
                ev.failed = Failure.NOT_CONSISTENT
                return
    ev.failed = Failure.NOT_CONVERGED


@procedure
def settle(ev: EventRun, is_initial: bool) -> None:
    """Iterate at this time until nothing changes; y and y' are brought up to date in place.

    The field `passing` says that relations with a root count as they will be just after it, until something else
    changes their value: the point itself may lie on either side by a rounding.
    """
    if ev.passing:
        compute(ev, ev.relation_entry, ev.t, ev.differences_before)
    ev.p[ev.initial_index] = 1.0 if is_initial else 0.0
    ev.p[ev.terminal_index] = 1.0 if ev.terminal else 0.0
    remember_discrete(ev)
    remember_unknowns(ev)
    raise_samples(ev)
    ev.chosen_count = 0
    ev.reinitialized = False
    ev.rounds = 0
    iterate(ev)
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
    """Flags from the present values."""
    ev.t = t
    ev.switching = Switching.TOGETHER
    ev.passing = False
    switch_relations(ev)
    switch_instants(ev)
    find_ticks(ev, False)
    ev.switched_count = 0


@procedure
def leave(ev: EventRun) -> None:
    """Let relations switch that are about to; see event_departure.py."""
    if ev.relation_count == 0:
        return
    for _ in range(_LOOKS):
        if look_ahead(ev) == 0:
            return
        ev.passing = True
        settle(ev, False)
        ev.passing = False
        if is_over(ev):
            return
    look_ahead(ev)
    for k in range(ev.relation_count):
        if ev.roots[k] != 0 and abs(ev.differences[k]) > _NOISE * ev.tolerance:
            ev.failed = Failure.SLIDING


@procedure
def event_happen(ev: EventRun, t: f64, at_root: i32, terminal: i32) -> None:
    """An event at this time; at a root, `roots` says which relations pass zero here."""
    forget_last_event(ev)
    ev.t = t
    ev.passing = at_root != 0
    ev.terminal = terminal != 0
    for k in range(ev.relation_count):
        ev.passed[k] = ev.roots[k] if ev.passing else 0
    ev.segment_start = ev.t
    has_delays = ev.delay_count > 0
    if has_delays:
        event_note(ev, ev.t)
        event_fill(ev, ev.t)
        if not solve_unknowns(ev):
            ev.failed = Failure.NOT_CONSISTENT
    settle(ev, False)
    ev.passing = False
    if not is_over(ev):
        leave(ev)
    if has_delays:
        note_jump(ev)
    note_gaps(ev)
    find_next_instant(ev)


@procedure
def event_start(ev: EventRun, t: f64) -> None:
    """The start of a run from consistent values: conditions that hold now have not just become true."""
    forget_last_event(ev)
    ev.t = t
    compute(ev, ev.condition_entry, ev.t, ev.conditions)
    for k in range(ev.condition_count):
        ev.was_true[k] = int(ev.conditions[k] > 0.5)
    find_ticks(ev, True)
    compute_differences(ev)
    for k in range(ev.relation_count):  # their size during initialization does not count
        ev.largest_difference[k] = abs(ev.differences[k])
    leave(ev)
    ev.segment_start = ev.t
    note_jump(ev)
    find_next_instant(ev)

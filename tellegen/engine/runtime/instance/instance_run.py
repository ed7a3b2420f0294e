"""A run without Python after its start: unknowns, root functions, events, and integration from time to time.

instance_update      all unknowns where time, states, inputs or parameters have been set
instance_roots       the functions whose zeros are events; instance_roots_at: at a point that is given
instance_event       what happens at this instant
instance_advance     integrate, events on the way included
instance_keep        the present point belongs to the solution, an importer's integrator says
"""

from __future__ import annotations

import math

from tellegen.engine.native.flags import Flag
from tellegen.engine.runtime.algebra.ode_rhs import keep_solutions, ode_outputs, ode_rates
from tellegen.engine.runtime.events.event_iteration import event_happen
from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.past.jumps import forget_old_notes
from tellegen.engine.runtime.events.past.notes import event_note, notes_of_steps
from tellegen.engine.runtime.events.relation_values import copy, is_over
from tellegen.engine.runtime.events.root_functions import event_mark, event_roots, event_watch, roots_here
from tellegen.engine.runtime.events.sample_ticks import move_ticks
from tellegen.engine.runtime.instance.instance_choice import choose_states, is_doubtful
from tellegen.engine.runtime.instance.instance_rates import forget_numbers, instance_rates, note_states, set_states
from tellegen.engine.runtime.instance.instance_record import Instance, Status
from tellegen.engine.runtime.instance.instance_start import compute_parameters, stand
from tellegen.engine.runtime.one_step.segment_loop import go, have_moved, near, restart
from tellegen.procedures.language import Array, f64, i32, i64, procedure

_SLOT = 9  # where root functions of an importer's instant are kept
_BURST = 1000  # steps
_BURST_WITH_PAST = 50  # there has to be room for its notes
_MOST_STEPS = 2_000_000


@procedure
def instance_update(inst: Instance) -> i32:
    """All unknowns from time, states, inputs and parameters as they stand."""
    status = instance_rates(inst)
    if status == Status.DONE and inst.lacks_outputs:
        inst.is_stale = ode_outputs(inst.t, inst.ode) != 0
        inst.lacks_outputs = False
        status = Status.UNSOLVED if inst.is_stale else Status.DONE
    return status


@procedure
def instance_roots(inst: Instance, out: Array[f64]) -> i32:
    """The root functions of relations, which read nothing that serves outputs only."""
    status = instance_rates(inst)
    if status == Status.DONE and inst.events is not None:
        event_roots(inst.events, inst.t, out)
    return status


@procedure
def instance_roots_at(inst: Instance, t: f64, x: Array[f64], out: Array[f64]) -> i32:
    """The same at a point, NaN where there is no solution; what was computed for it before is not computed again."""
    if set_states(inst.ode, x) or inst.t != t:
        inst.t = t
        inst.is_stale = True
    if inst.is_stale:
        status = instance_rates(inst)
        if status != Status.DONE:
            if inst.events is not None:
                forget_numbers(out, inst.events.relation_count)
            return status
    if inst.events is not None:
        roots_here(inst.events, t, out)
    return Status.DONE


@procedure
def instance_next(inst: Instance) -> f64:
    """The next event that is known in advance; infinity where there is none."""
    return inst.events.next_instant if inst.events is not None else math.inf


@procedure
def take_parameters(inst: Instance) -> None:
    """Parameters that follow from those set, and the ticks that these move."""
    compute_parameters(inst)
    if inst.events is not None:
        inst.events.t = inst.t
        move_ticks(inst.events)


@procedure
def ended(ev: EventRun) -> i32:
    """How the last event ended."""
    if ev.message != 0:
        return Status.TERMINATED
    return Status.UNSETTLED if is_over(ev) or ev.zeno else Status.DONE


@procedure
def handle_event(inst: Instance, ev: EventRun) -> i32:
    """The event that is due; `is_moved` if the integrator has to begin again."""
    loop = inst.loop
    ode = inst.ode
    copy(ode.w, loop.before, 2 * ode.size)
    at_root = inst.at_root
    if not at_root and event_watch(ev, inst.t, _SLOT) != 0:
        event_mark(ev, _SLOT)
        at_root = True
    event_happen(ev, inst.t, int(at_root), 0)
    inst.event_count += 1
    inst.is_moved = inst.is_moved or at_root or have_moved(loop)
    inst.at_root = False
    inst.is_changed = False
    inst.is_stale = False
    return ended(ev)


@procedure
def handle_events(inst: Instance, ev: EventRun) -> i32:
    """The event that is due and those a rounding later: importers take their times for the same."""
    status = handle_event(inst, ev)
    while status == Status.DONE and inst.t < ev.next_instant <= inst.t + near(inst.t):
        inst.t = ev.next_instant
        inst.is_stale = True
        status = instance_update(inst)
        if status == Status.DONE:
            status = handle_event(inst, ev)
    return status


@procedure
def instance_event(inst: Instance) -> i32:
    """What happens at this instant; the unknowns are those after it. See Status."""
    if inst.is_changed:
        take_parameters(inst)
        inst.is_stale = True
    status = instance_update(inst)
    if status == Status.DONE and inst.events is not None:
        status = handle_events(inst, inst.events)
    if status == Status.DONE and inst.is_doubtful:
        inst.is_doubtful = False
        inst.is_moved = choose_states(inst) or inst.is_moved
    if status == Status.DONE:
        keep_solutions(inst.ode)
        note_states(inst.ode, inst.solved_states)
        inst.solved_time = inst.t
    return status


@procedure
def instance_keep(inst: Instance) -> i32:
    """An importer's integrator has accepted a step to the present point; EVENT if other states may be better there."""
    status = instance_update(inst)
    if status != Status.DONE:
        return status
    keep_solutions(inst.ode)
    if inst.events is not None and inst.events.delay_count > 0:
        if inst.events.note_room - inst.events.note_count < notes_of_steps(1):
            forget_old_notes(inst.events, inst.t)
        if inst.events.note_room - inst.events.note_count < notes_of_steps(1):
            return Status.NO_PAST
        event_note(inst.events, inst.t)
    inst.is_doubtful = is_doubtful(inst)
    return Status.EVENT if inst.is_doubtful else Status.DONE


@procedure
def begin_step(inst: Instance) -> i32:
    """Go on after an event or with other inputs: these are an event too, for conditions may depend on them."""
    loop = inst.loop
    run = loop.run
    ode = inst.ode
    loop.t = inst.t
    loop.reached = inst.t
    if inst.is_changed:
        status = instance_event(inst)
        if status != Status.DONE:
            return status
    if inst.is_moved:
        restart(loop)
        inst.is_moved = False
        inst.is_stale = True  # the integrator has looked ahead
        return Status.DONE
    for k in range(run.count):
        run.x[k] = ode.w[ode.state_index[k]]
    run.t = inst.t
    if ode_rates(inst.t, ode, run.x, run.k) != 0:
        return Status.UNSOLVED
    keep_solutions(ode)
    if run.events is not None:
        event_watch(run.events, inst.t, 0)
    return Status.DONE


@procedure
def has_room_for_past(inst: Instance) -> bool:
    """Whether the notes of delayed signals in a burst have room, old ones forgotten if need be."""
    ev = inst.events
    if ev is None or ev.delay_count == 0:
        return True
    if ev.note_room - ev.note_count < notes_of_steps(inst.loop.burst):
        forget_old_notes(ev, inst.t)
    return ev.note_room - ev.note_count >= notes_of_steps(inst.loop.burst)


@procedure
def reconsider_states(inst: Instance) -> bool:
    """Compare the states with other choices inside a segment; False if the model cannot be evaluated there."""
    run = inst.loop.run
    if run.ode_rhs(inst.t, inst.ode, run.x, run.rates) != 0:
        return False
    if choose_states(inst):
        h = run.h
        inst.loop.t = inst.t
        restart(inst.loop)
        run.h = h
    return True


@procedure
def integrate_to(inst: Instance, end: f64) -> i64:
    """To a time or to the first root before it: 0, ROOT, or a negative flag."""
    loop = inst.loop
    loop.end = end
    has_past = inst.events is not None and inst.events.delay_count > 0
    loop.burst = _BURST_WITH_PAST if has_past else _BURST
    for _ in range(_MOST_STEPS // loop.burst):
        if not has_room_for_past(inst):
            return Flag.TOO_MUCH_WORK
        flag = go(loop)
        inst.t = loop.reached
        if flag == Flag.DOUBTFUL:
            if not reconsider_states(inst):
                return Flag.REPEATED_RHS
        elif flag != Flag.TOO_MUCH_WORK:
            return flag
    return Flag.TOO_MUCH_WORK


@procedure
def is_passed_by(inst: Instance, ev: EventRun) -> bool:
    """Whether a root is a rounding just after the last event, or something that departs slowly."""
    loop = inst.loop
    if not (loop.passed < inst.t < ev.departed):
        return False
    loop.look_again = ev.departed
    loop.passed = inst.t
    return True


@procedure
def next_end(inst: Instance, target: f64) -> f64:
    """Where the next segment ends."""
    return min(instance_next(inst), inst.loop.look_again, target)


@procedure
def instance_advance(inst: Instance, target: f64) -> i32:
    """Integrate to a time, with the events until then; with `returns_at_events` to the first of them. See Status."""
    loop = inst.loop
    loop.look_again = math.inf
    status = begin_step(inst)
    while status == Status.DONE and inst.t < target - near(target):
        flag = integrate_to(inst, next_end(inst, target))
        if flag < 0:
            return Status.NOT_INTEGRATED if has_room_for_past(inst) else Status.NO_PAST
        inst.is_stale = False
        inst.at_root = flag == Flag.ROOT
        inst.t = loop.reached
        loop.t = inst.t
        if inst.events is not None and not (inst.at_root and is_passed_by(inst, inst.events)):
            loop.look_again = math.inf
            if inst.at_root or instance_next(inst) <= inst.t + near(inst.t):
                if inst.returns_at_events:
                    return Status.EVENT
                status = handle_event(inst, inst.events)
                if inst.is_moved and status == Status.DONE:
                    restart(loop)
                    inst.is_moved = False
                    inst.is_stale = True  # the integrator has looked ahead
    if status == Status.DONE:
        inst.t = target
        if inst.is_stale:
            return stand(inst)
    return status


@procedure
def no_new_pivots(values: Array[f64]) -> i32:  # noqa: ARG001  # the signature of LuFactors.repivot
    """Where the pivots of a large sparse matrix do not do: a smaller step may help, other pivots are Python's."""
    return 1

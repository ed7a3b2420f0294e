"""The start of a run without Python: parameters and start values from those given, initial values, the first instant.

    instance_experiment     the interval of the run and its tolerance
    instance_initialize     everything at the initial time, events of that instant included

It does what engine/initialization/ does, as far as native code goes there.
"""

from __future__ import annotations

from tellegen.engine.runtime.algebra.initial_values import InitialProblem, initial_values
from tellegen.engine.runtime.algebra.ode_rhs import Ode, ode_again, ode_rhs
from tellegen.engine.runtime.events.event_iteration import event_begin, event_settle, event_start
from tellegen.engine.runtime.events.event_record import LOOKAHEAD, NOISE, EventRun
from tellegen.engine.runtime.events.relation_values import copy, is_over
from tellegen.engine.runtime.instance.instance_choice import choose_states, is_doubtful
from tellegen.engine.runtime.instance.instance_record import Instance, NumbersEntry, StartValues, Status
from tellegen.engine.runtime.one_step.segment_loop import restart
from tellegen.procedures.language import Array, f64, i32, procedure


@procedure(inline=True)
def call_numbers(entry: NumbersEntry, read: Array[f64], written: Array[f64]) -> None:
    """Call the functions of an entry."""
    for k in range(entry.count):
        entry.calls[k](read, written, entry.tables)


@procedure(seldom=True)
def take_starts(values: StartValues, start: Array[f64]) -> None:
    """Start values to where they belong, but for those that were given."""
    for k in range(values.count):
        place = values.place[k]
        if values.is_given[place] == 0.0:
            values.target[place] = values.sign[k] * start[values.source[k]]


@procedure(seldom=True)
def compute_parameters(inst: Instance) -> None:
    """The parameters that follow from others."""
    if inst.parameter_entry is not None:
        call_numbers(inst.parameter_entry, inst.is_given, inst.ode.parameters)


@procedure(seldom=True)
def compute_starts(inst: Instance) -> None:
    """Start values that follow from parameters."""
    if inst.start_entry is not None:
        call_numbers(inst.start_entry, inst.ode.parameters, inst.start)
        take_starts(inst.unknown_starts, inst.start)
        take_starts(inst.discrete_starts, inst.start)


@procedure(seldom=True)
def begin_events(ev: EventRun, start: f64, length: f64, tolerance: f64) -> None:
    """The interval of a run, as events see it."""
    ev.run_length = length
    ev.lookahead = LOOKAHEAD * length
    ev.departed = start
    ev.passed_until = start
    ev.tolerance = max(tolerance, NOISE)
    for k in range(ev.relation_count):
        ev.last_return[k] = start


@procedure(seldom=True)
def scale_tolerances(inst: Instance, factor: f64) -> None:
    """Those of all choices of states."""
    for c in range(inst.choice_count):
        choice = inst.choices[c]
        for k in range(inst.loop.run.count):
            choice.atol[k] = factor * choice.atol[k]
            choice.part[k] = factor * choice.part[k]


@procedure(seldom=True)
def instance_experiment(inst: Instance, start: f64, stop: f64, tolerance: f64) -> None:
    """The interval of the run and its relative tolerance; where they are not positive those of before hold."""
    run = inst.loop.run
    inst.t = start
    if start < stop:
        run.h_most = run.h_most * min(1.0, (stop - start) / inst.length)
        inst.length = stop - start
    if tolerance > 0.0:
        factor = tolerance / inst.tolerance
        inst.tolerance = tolerance
        run.rtol = factor * run.rtol
        for k in range(run.count):
            run.atol[k] = factor * run.atol[k]
            run.part[k] = factor * run.part[k]
        scale_tolerances(inst, factor)
    if inst.events is not None:
        begin_events(inst.events, start, inst.length, inst.tolerance)
    if inst.initial_events is not None:
        begin_events(inst.initial_events, start, inst.length, inst.tolerance)


@procedure(seldom=True)
def solve_simplified(inst: Instance, problem: InitialProblem) -> None:
    """Begin from the solution of the simplified model, where there is one: it selects among several."""
    if inst.homotopy_place < 0:
        return
    p = inst.ode.parameters
    p[inst.homotopy_place] = 0.0
    found = initial_values(inst.t, problem)
    p[inst.homotopy_place] = 1.0
    if found == 0:
        copy(problem.ode.w, problem.guess, 2 * problem.ode.size)


@procedure(seldom=True)
def jumps_at_once(inst: Instance, ev: EventRun) -> bool:
    """Whether a condition that reinitializes states has fired in the initial instant."""
    found = False
    for k in range(ev.fired_count):
        for j in range(inst.reinit_count):
            found = found or ev.fired[k] == inst.reinit_condition[j]
    return found


@procedure(seldom=True)
def solve_with_events(inst: Instance, problem: InitialProblem, ev: EventRun) -> i32:
    """Initial values and discrete values that agree; where states jump in that instant, what follows from there."""
    ode = inst.ode
    p = ode.parameters
    copy(p, inst.p_before, inst.p_count)
    copy(problem.guess, problem.ode.w, 2 * ode.size)
    event_begin(ev, inst.t)
    if inst.initial_place >= 0:
        p[inst.initial_place] = 1.0
    if initial_values(inst.t, problem) != 0:
        return Status.UNSOLVED
    event_settle(ev, inst.t)
    if ev.failed != 0:
        return Status.UNSETTLED
    copy(problem.ode.w, ode.w, 2 * ode.size)
    if inst.events is None or not jumps_at_once(inst, ev):
        return Status.DONE
    for k in range(inst.assigned_count):
        p[inst.assigned[k]] = inst.p_before[inst.assigned[k]]
    event_begin(inst.events, inst.t)
    event_settle(inst.events, inst.t)
    return Status.UNSETTLED if inst.events.failed != 0 else Status.DONE


@procedure(seldom=True)
def solve_initially(inst: Instance, problem: InitialProblem) -> i32:
    """What start values, fixed flags and initial equations leave open."""
    size = problem.ode.size
    copy(inst.y_start, problem.guess, size)
    for k in range(size, 2 * size):
        problem.guess[k] = 0.0
    solve_simplified(inst, problem)
    if inst.initial_events is not None:
        return solve_with_events(inst, problem, inst.initial_events)
    if initial_values(inst.t, problem) != 0:
        return Status.UNSOLVED
    copy(problem.ode.w, inst.ode.w, 2 * size)
    return Status.DONE


@procedure(seldom=True)
def solve_from_states(inst: Instance, ode: Ode) -> i32:
    """Everything from the start values of the states."""
    copy(inst.y_start, ode.w, ode.size)
    if inst.events is None:
        return Status.DONE
    event_begin(inst.events, inst.t)
    if ode_again(inst.t, ode) != 0:
        return Status.UNSOLVED
    event_settle(inst.events, inst.t)
    return Status.UNSETTLED if inst.events.failed != 0 else Status.DONE


@procedure(seldom=True)
def begin_integration(inst: Instance) -> None:
    """The integrator at the initial time."""
    loop = inst.loop
    loop.t = inst.t
    loop.passed = inst.t
    for k in range(loop.run.count):
        loop.run.peak[k] = 0.0
    restart(loop)
    inst.is_moved = False
    inst.is_changed = False


@procedure(seldom=True)
def stand(inst: Instance) -> i32:
    """All unknowns at the states of the integrator, whose beginning has looked ahead."""
    run = inst.loop.run
    inst.is_stale = False
    return Status.UNSOLVED if ode_rhs(inst.t, inst.ode, run.x, run.rates) != 0 else Status.DONE


@procedure(seldom=True)
def instance_initialize(inst: Instance) -> i32:
    """Consistent values at the initial time, and everything that happens there; see Status."""
    ode = inst.ode
    compute_parameters(inst)
    compute_starts(inst)
    found = solve_from_states(inst, ode) if inst.initial is None else solve_initially(inst, inst.initial)
    if found != Status.DONE:
        return found
    if ode_again(inst.t, ode) != 0:
        return Status.UNSOLVED
    if inst.events is not None:
        event_start(inst.events, inst.t)
        if is_over(inst.events) and inst.events.message == 0:
            return Status.UNSETTLED
    if is_doubtful(inst):
        choose_states(inst)
    begin_integration(inst)
    if stand(inst) != Status.DONE:
        return Status.UNSOLVED
    is_over_at_once = inst.events is not None and inst.events.message != 0
    return Status.TERMINATED if is_over_at_once else Status.DONE

"""What every native one-step method does around its steps: judge them, output, events, the past.

A method brings `rk_dense` by address, the polynomial of a step; with it output times and roots are found inside.
"""

from __future__ import annotations

from tellegen.engine.native.flags import Flag
from tellegen.engine.runtime.algebra.error_weights import grow_tolerances
from tellegen.engine.runtime.algebra.ode_rhs import keep_row, keep_solutions, return_to_solutions
from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.root_functions import SUSPICIOUS, TOO_LONG
from tellegen.engine.runtime.one_step.rk_record import RkRun
from tellegen.procedures.language import f64, i32, procedure

FAILED = 1e20  # the squared error of a step whose stages cannot be computed
_RELAXED = 1.5  # steps that were too long for root functions get longer again by no more than that
_COARSE = 20.0**2  # the squared error that counts for a step too long for its root functions: half of it is tried next
_SHORTEST = 1e-3  # part of the longest step below which root functions do not shorten steps


@procedure(inline=True)
def step_size(run: RkRun) -> f64:
    """The next step: as proposed, as long as allowed, to the end where that is near; not positive at the end."""
    left = run.stop - run.t
    h = min(run.h_seen, run.h_most, run.h)
    return left if 1.01 * h > left else h


@procedure(inline=True)
def judged(run: RkRun, error: f64, h: f64) -> f64:
    """The squared error of a step, large if it is good for the states but too long for a root function."""
    if run.events is not None and h > _SHORTEST * run.h_most and error <= 1.0:
        found = run.event_unresolved(run.events)
        if found == TOO_LONG:
            run.h_seen = 0.5 * h
            return _COARSE
        run.suspect = run.suspect or found == SUSPICIOUS
    return error


@procedure(inline=True)
def repeat_step(run: RkRun, failed: bool) -> i32:
    """Count a step that was rejected; a flag if the shorter one proposed for it is too short."""
    run.rejected += 1
    return_to_solutions(run.ode)
    if run.h < run.h_least:
        return Flag.REPEATED_RHS if failed else Flag.ERROR_TEST
    return 0


@procedure(inline=True)
def count_step(run: RkRun) -> None:
    """Count a step that was accepted; root functions allow a longer one next time."""
    run.steps += 1
    run.h_seen = _RELAXED * run.h_seen


@procedure(inline=True)
def is_doubtful(run: RkRun, t: f64) -> bool:
    """Whether there may be better states at a new point, at which the unknowns have been computed."""
    if run.watch is None:
        return False
    w = run.ode.w
    return run.choice_is_doubtful(run.watch, t, w, w[run.size :]) != 0


@procedure
def interpolate(run: RkRun, part: f64) -> None:
    """The states at a part of the step just made, into `stage`, by the five vectors of its polynomial."""
    n = run.count
    stage = run.stage
    d1 = run.dense
    d2 = d1[n:]
    d3 = d2[n:]
    d4 = d3[n:]
    d5 = d4[n:]
    rest = 1.0 - part
    for i in range(n):
        inner = d3[i] + part * (d4[i] + rest * d5[i])
        stage[i] = d1[i] + part * (d2[i] + rest * inner)


@procedure(inline=True)
def finish_step(run: RkRun, h: f64) -> i32:
    """Go to the new point, or back to a root before it, with all output on the way; a flag where the run ends here."""
    if run.events is not None and run.suspect:
        status = run.rk_stop_at_root(run, run.events, h)
        if status != 0:
            return status
    end = run.t + h
    if end + 1e-12 * h >= run.stop:
        end = run.stop
    note_past(run, h, 1.0)
    asks = run.stepped is not None and tell_of_step(run, run.stepped, end)
    emitted = rk_emit(run, h, end)
    if emitted != 0:
        return emitted
    if run.events is not None:
        run.event_keep(run.events)
    x = run.x
    trial = run.trial
    for i in range(run.count):
        x[i] = trial[i]
    grow_tolerances(run.count, x, run.peak, run.part, run.atol)
    keep_solutions(run.ode)
    run.t = end
    if asks:
        return Flag.REPEATED_RHS if run.ode_rhs(end, run.ode, x, run.rates) != 0 else Flag.ROOT
    return 0


@procedure
def tell_of_step(run: RkRun, ev: EventRun, end: f64) -> bool:
    """Call the functions that want to know of accepted steps; whether one asks for an event at the end of this one."""
    if run.ode_rhs(end, run.ode, run.trial, run.rates) != 0:
        return False
    asks = run.event_stepped(ev, end) != 0
    if asks:
        for k in range(ev.relation_count):  # none of them passes zero there
            ev.roots[k] = 0
    return asks


@procedure
def rk_emit(run: RkRun, h: f64, end: f64) -> i32:
    """All output times up to `end`; a negative flag when the model cannot be evaluated at one of them."""
    t = run.t
    times = run.times
    ready = False
    while run.first < run.last:
        k = run.first
        wanted = times[k]
        if wanted > end:
            return 0
        if not ready:
            run.rk_dense(run, h)
            ready = True
        interpolate(run, (wanted - t) / h if h > 0.0 else 0.0)
        status = keep_row(wanted, run.ode, run.stage, run.rates, run.output[k * run.ode.row_size :])
        if status != 0:
            return Flag.REPEATED_RHS if status == 1 else Flag.POLE
        run.first = k + 1
    return 0


@procedure(inline=True)
def note_past(run: RkRun, h: f64, part: f64) -> None:
    """Keep delayed signals over the first part of a step (engine/runtime/events/past/delay_lines.py)."""
    if run.past is not None:
        run.rk_note(run, run.past, h, part)

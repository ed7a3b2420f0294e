"""Native Rosenbrock method of order 5 with dense output of order 4, for stiff models: Rodas5P.

Eight stages, each with a linear system of the same matrix instead of Newton's method (Hairer and Wanner, Solving
Ordinary Differential Equations II, 1996, sec. IV.7; Steinebach, BIT Numer. Math. 63:27, 2023). It is L-stable, and a
step does not know the one before: after an event it continues at full order, where a multistep method restarts.

The systems (1/(h gamma) I - f_x) k = b are solved as newton_matrix.py does: with gamma h for its gamma
the right-hand side is F_x' b. A time derivative f_t in b would be F_x' f_t = -F_t - F_z z_t there, and what lies in
the range of F_z moves z alone: so F_t is enough, a difference of two residuals.
"""

from __future__ import annotations

from tellegen.engine.native.flags import Flag
from tellegen.engine.runtime.algebra.newton_matrix import (
    NOISE,
    fill_matrix,
    rounding_of,
    solve_states,
    take_derivatives,
    weighted_states,
)
from tellegen.engine.runtime.algebra.ode_rhs import call_entry, ode_rates, ode_rhs
from tellegen.engine.runtime.algebra.projection_record import MATTERS, Projection
from tellegen.engine.runtime.algebra.sparse_lu import lu_renewed
from tellegen.engine.runtime.coefficients.approximate_log_pow import exp2, log2
from tellegen.engine.runtime.coefficients.dormand_prince_tableau import NODES as WATCHED
from tellegen.engine.runtime.coefficients.rodas_tableau import GAMMA, NODES, STAGES, A, C, D, H
from tellegen.engine.runtime.one_step.log_step import log_rodas_step
from tellegen.engine.runtime.one_step.one_step import (
    FAILED,
    count_step,
    finish_step,
    interpolate,
    is_doubtful,
    judged,
    repeat_step,
    rk_emit,
    step_size,
)
from tellegen.engine.runtime.one_step.rk_record import RkRun
from tellegen.procedures.language import f64, i32, i64, is_finite, procedure

_SAFETY = 0.9
# the step is multiplied by a factor between these
_SHRINK = 0.2
_GROW = 6.0
_PART = 2.0**-16  # of a step: how far F_t looks to both sides
_ROUNDING = 4.0 * 2.220446049250313e-16
_WATCHED = len(WATCHED)


@procedure
def time_derivative(run: RkRun, h: f64) -> None:
    """F_t by a central difference, with y and y' as they stand.

    Delayed signals depend on time, too. A jump of them may lie just before this point, so they are looked at forwards.
    """
    if run.by_time is None:
        return
    ode = run.ode
    by_time = run.by_time
    way = max(_PART * h, _ROUNDING * abs(run.t))
    before = run.t - way if ode.event_fill is None else run.t
    after = run.t + way
    call_entry(before, ode, ode.equations, run.work)
    if ode.event_fill is not None:
        ode.event_fill(ode.events, after)
    call_entry(after, ode, ode.equations, by_time)
    if ode.event_fill is not None:
        ode.event_fill(ode.events, run.t)
    inverse = 1.0 / (after - before)
    for k in range(ode.size):
        by_time[k] = inverse * (by_time[k] - run.work[k])


@procedure
def linearize(run: RkRun, h: f64) -> bool:
    """The rates and all derivatives at x; False if the model cannot be evaluated there."""
    rates = run.k[STAGES * run.count :]
    if ode_rhs(run.t, run.ode, run.x, rates) != 0:
        return False
    take_derivatives(run.t, run.ode)
    time_derivative(run, h)
    return True


@procedure
def solve_stage(run: RkRun, h: f64, stage: i64) -> bool:
    """The stage whose right-hand side b stands in `trial`; False if it cannot be computed."""
    ode = run.ode
    full = ode.full
    positions = ode.state_index
    k = run.k[stage * run.count :]
    weighted_states(ode, 1.0, run.trial)
    if run.by_time is not None:
        weight = h * D[stage]
        for r in range(ode.size):
            full[r] -= weight * run.by_time[r]
    rounding = rounding_of(ode, run.trial, GAMMA * h, run.rtol, run.atol)
    if rounding > NOISE or not solve_states(ode, rounding, run.rtol, run.atol):
        return False
    for i in range(run.count):
        k[i] = full[positions[i]]
    return True


@procedure
def rodas_stages(run: RkRun, h: f64) -> bool:
    """All stages of a step from x, and the new point `trial`; False if they cannot be computed."""
    ode = run.ode
    n = run.count
    x = run.x
    k = run.k
    stage = run.stage
    b = run.trial
    rates = k[STAGES * n :]
    fill_matrix(ode, 1.0 / (GAMMA * h))
    if lu_renewed(ode.lu, ode.values, True) != 0:
        return False
    for s in range(STAGES):
        if s > 0:
            for i in range(n):
                way = 0.0
                for j in range(s):
                    way += A[STAGES * s + j] * k[n * j + i]
                stage[i] = x[i] + way
            rates = run.rates
            if ode_rates(run.t + NODES[s] * h, ode, stage, rates) != 0:
                return False
        for i in range(n):
            coupling = 0.0
            for j in range(s):
                coupling += C[STAGES * s + j] * k[n * j + i]
            b[i] = rates[i] + coupling / h
        if not solve_stage(run, h, s):
            return False
    error = k[(STAGES - 1) * n :]
    for i in range(n):
        b[i] = stage[i] + error[i]
    return True


@procedure
def rodas_error(run: RkRun) -> f64:
    """The square of the error of a step relative to the tolerances: the mean of those of the states."""
    n = run.count
    x = run.x
    trial = run.trial
    error = run.k[(STAGES - 1) * n :]
    total = 0.0
    for i in range(n):
        ratio = error[i] / (run.atol[i] + run.rtol * max(abs(trial[i]), abs(x[i])))
        total += ratio * ratio
    return total / max(n, 1)


@procedure
def rodas_dense(run: RkRun, h: f64) -> None:
    """The five vectors of the interpolating polynomial of the step just made.

    The method has x, the new point and sums of stages s1, s2, s3 for them: with the parts p of the step before it and q
    after it, q x + p (new + q (s1 + p (s2 + p s3))). With p = 1 - q in the last product that is the polynomial of
    `interpolate`.
    """
    n = run.count
    x = run.x
    trial = run.trial
    k = run.k
    d1 = run.dense
    d2 = d1[n:]
    d3 = d2[n:]
    d4 = d3[n:]
    d5 = d4[n:]
    for i in range(n):
        s1 = 0.0
        s2 = 0.0
        s3 = 0.0
        for j in range(STAGES):
            s1 += H[j] * k[n * j + i]
            s2 += H[STAGES + j] * k[n * j + i]
            s3 += H[2 * STAGES + j] * k[n * j + i]
        d1[i] = x[i]
        d2[i] = trial[i] - x[i]
        d3[i] = s1
        d4[i] = s2 + s3
        d5[i] = -s3


@procedure
def watch_step(run: RkRun, h: f64) -> None:
    """Keep the root functions at points of the step, those that an explicit step has for stages."""
    run.suspect = False
    if run.events is None:
        return
    rodas_dense(run, h)
    for number in range(1, _WATCHED):
        t = run.t + WATCHED[number] * h
        interpolate(run, WATCHED[number])
        failed = ode_rates(t, run.ode, run.stage, run.rates) != 0
        run.suspect = run.suspect or failed
        if not failed and run.event_watch(run.events, t, number) != 0:
            run.suspect = True


@procedure
def rodas_project(run: RkRun, projection: Projection, h: f64) -> i32:
    """Bring the new point onto the invariants: 1 if a shorter step is needed, or a flag."""
    end = run.t + h
    if ode_rates(end, run.ode, run.trial, run.rates) != 0:
        return 1
    status = run.ode.project(end, run.ode, projection, run.trial, run.rates, MATTERS, 1)
    if status == Flag.CONTRADICTION or status == Flag.SINGULAR_POSITION:
        return status
    return int(status < 0)


@procedure(inline=True)
def accept(run: RkRun, h: f64) -> i32:
    """The new point; a flag where the run ends here."""
    count_step(run)
    status = finish_step(run, h)
    if status == 0 and 0 < run.patience <= run.steps:
        return Flag.FEW_EVENTS
    return status


@procedure(inline=True)
def rodas_steps(run: RkRun, logs: bool) -> i32:
    """See rodas_run."""
    is_linearized = False
    was_rejected = False
    while run.first < run.last:
        if run.steps >= run.most_steps:
            return Flag.TOO_MUCH_WORK
        h = step_size(run)
        if h <= 0.0:  # the end of a segment was reached in a call before
            return rk_emit(run, 0.0, run.t)
        if not is_linearized:
            if not linearize(run, h):
                return Flag.REPEATED_RHS
            is_linearized = True
            if is_doubtful(run, run.t):
                return Flag.DOUBTFUL
        failed = not rodas_stages(run, h)
        squared = FAILED
        if not failed:
            measured = rodas_error(run)
            squared = measured if is_finite(measured) else FAILED
        if squared <= 1.0 and run.ode.projection is not None:
            projected = rodas_project(run, run.ode.projection, h)
            if projected < 0:
                return projected
            failed = projected > 0
            squared = FAILED if failed else squared
        if squared <= 1.0:
            watch_step(run, h)
            squared = judged(run, squared, h)
        if logs and run.log is not None:
            log_rodas_step(run, run.log, h, squared)
        growth = _SAFETY * exp2(-0.1 * log2(squared))
        growth = max(min(growth, 1.0 if was_rejected else _GROW), _SHRINK)
        run.h = h * growth
        was_rejected = squared > 1.0
        is_linearized = was_rejected
        status = repeat_step(run, failed) if was_rejected else accept(run, h)
        if status != 0:
            return status
    return 0


@procedure
def rodas_run(run: RkRun) -> i32:
    """Steps until the output times first..last-1 are done; 0, or a negative flag.

    The loop is there twice: a call of the log in it, even if never made, costs half as much as a step of three states.
    """
    if run.log is not None:
        return rodas_run_logged(run)
    return rodas_steps(run, False)


@procedure(seldom=True)
def rodas_run_logged(run: RkRun) -> i32:
    """The same with a log of the steps."""
    return rodas_steps(run, True)

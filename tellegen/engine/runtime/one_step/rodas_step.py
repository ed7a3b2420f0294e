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
from tellegen.engine.runtime.algebra.newton_matrix import fill_matrix, take_derivatives, weighted_states
from tellegen.engine.runtime.algebra.ode_rhs import call_entry, ode_rhs
from tellegen.engine.runtime.algebra.sparse_lu import lu_renewed, lu_solve
from tellegen.engine.runtime.coefficients.approximate_log_pow import exp2, log2
from tellegen.engine.runtime.coefficients.dormand_prince_tableau import NODES as WATCHED
from tellegen.engine.runtime.coefficients.rodas_tableau import GAMMA, NODES, STAGES, A, C, D, H
from tellegen.engine.runtime.one_step.one_step import FAILED, RELAXED, finish_step, judged, rk_emit, step_size
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
    """F_t by a central difference, with y and y' as they stand."""
    if run.by_time is None:
        return
    ode = run.ode
    by_time = run.by_time
    way = max(_PART * h, _ROUNDING * abs(run.t))
    before = run.t - way
    after = run.t + way
    call_entry(before, ode, ode.equations, run.work)
    call_entry(after, ode, ode.equations, by_time)
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
def solve_stage(run: RkRun, h: f64, stage: i64) -> None:
    """The stage whose right-hand side b stands in `trial`."""
    ode = run.ode
    full = ode.full
    positions = ode.state_index
    k = run.k[stage * run.count :]
    weighted_states(ode, 1.0, run.trial)
    if run.by_time is not None:
        weight = h * D[stage]
        for r in range(ode.size):
            full[r] -= weight * run.by_time[r]
    lu_solve(ode.lu, full)
    for i in range(run.count):
        k[i] = full[positions[i]]


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
            if ode_rhs(run.t + NODES[s] * h, ode, stage, rates) != 0:
                return False
        for i in range(n):
            coupling = 0.0
            for j in range(s):
                coupling += C[STAGES * s + j] * k[n * j + i]
            b[i] = rates[i] + coupling / h
        solve_stage(run, h, s)
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
    """The five vectors of the interpolating polynomial of the step just made."""
    n = run.count
    k = run.k
    dense = run.dense
    for i in range(n):
        dense[i] = run.x[i]
        dense[n + i] = run.trial[i]
        for r in range(3):
            total = 0.0
            for j in range(STAGES):
                total += H[STAGES * r + j] * k[n * j + i]
            dense[(2 + r) * n + i] = total


@procedure
def rodas_interpolate(run: RkRun, part: f64) -> None:
    """The states at a part of the step just made, into `stage`."""
    n = run.count
    stage = run.stage
    d1 = run.dense
    d2 = d1[n:]
    d3 = d2[n:]
    d4 = d3[n:]
    d5 = d4[n:]
    rest = 1.0 - part
    for i in range(n):
        inner = d3[i] + part * (d4[i] + part * d5[i])
        stage[i] = rest * d1[i] + part * (d2[i] + rest * inner)


@procedure
def watch_step(run: RkRun, h: f64) -> None:
    """Keep the root functions at points of the step, those that an explicit step has for stages."""
    run.suspect = False
    if run.events is None:
        return
    rodas_dense(run, h)
    for number in range(1, _WATCHED):
        t = run.t + WATCHED[number] * h
        rodas_interpolate(run, WATCHED[number])
        failed = ode_rhs(t, run.ode, run.stage, run.rates) != 0
        run.suspect = run.suspect or failed
        if not failed and run.event_watch(run.events, t, number) != 0:
            run.suspect = True


@procedure
def rodas_run(run: RkRun) -> i32:
    """Steps until the output times first..last-1 are done; 0, or a negative flag."""
    is_linearized = False
    was_rejected = False
    while run.first < run.last:
        if run.steps >= run.most_steps:
            return Flag.TOO_MUCH_WORK
        left = run.stop - run.t
        if left <= 0.0:  # the end of a segment was reached in a call before
            return rk_emit(run, 0.0, run.t)
        h = step_size(run, left)
        if not is_linearized:
            if not linearize(run, h):
                return Flag.REPEATED_RHS
            is_linearized = True
        failed = not rodas_stages(run, h)
        squared = FAILED
        if not failed:
            measured = rodas_error(run)
            squared = measured if is_finite(measured) else FAILED
        if squared <= 1.0:
            watch_step(run, h)
            squared = judged(run, squared, h)
        growth = _SAFETY * exp2(-0.1 * log2(squared))
        growth = max(min(growth, 1.0 if was_rejected else _GROW), _SHRINK)
        run.h = h * growth
        was_rejected = squared > 1.0
        if was_rejected:
            run.rejected += 1
            if run.h < run.h_least:
                return Flag.REPEATED_RHS if failed else Flag.ERROR_TEST
        else:
            run.steps += 1
            run.h_seen = RELAXED * run.h_seen
            is_linearized = False
            status = finish_step(run, h)
            if status != 0:
                return status
    return 0

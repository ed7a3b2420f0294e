"""Native explicit Runge-Kutta of order 5(4) with dense output of order 4, PI step control and a stiffness test.

The pair of Dormand and Prince (J. Comput. Appl. Math. 6, 1980) with the dense output, the controller and the test of
DOPRI5 (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 1993, sec. II.4-6 and IV.2): the step is
stiff when |h lambda|, estimated from the last two stages, stays at the border of the region of stability.
"""

from __future__ import annotations

import math

from tellegen.engine.native.flags import Flag
from tellegen.engine.runtime.algebra.error_weights import grow_tolerances
from tellegen.engine.runtime.algebra.ode_rhs import keep_solutions, ode_rates
from tellegen.engine.runtime.algebra.projection_record import EVALUATED_AGAIN, MATTERS, Projection
from tellegen.engine.runtime.coefficients.approximate_log_pow import exp2, log2
from tellegen.engine.runtime.coefficients.dormand_prince_tableau import NODES, A, E
from tellegen.engine.runtime.one_step.log_step import log_explicit_step
from tellegen.engine.runtime.one_step.one_step import (
    FAILED,
    count_step,
    finish_step,
    is_doubtful,
    judged,
    repeat_step,
    rk_emit,
    step_size,
)
from tellegen.engine.runtime.one_step.rk_record import RkRun
from tellegen.procedures.language import Array, f64, i32, i64, procedure, sqrt

_BETA = 0.04
_SAFETY = 0.9
# the step is multiplied by a factor between these
_SHRINK = 0.2
_GROW = 10.0
_LEAST_STEP = 1e-300  # the first one: where rates are 1e154 tolerances, their norm is infinite
_ROUNDING = 1e-13  # part of the states below which their differences say nothing
_STIFF_BORDER = 3.0
_ACROSS = 100.0  # tolerances: the error of a step across a singular position
_STIFF_MANY = 15
_CALM_MANY = 6
_LEAST_LOG = math.log2(1e-4)  # of the error of a step; smaller ones do not count


@procedure
def scaled_norm(run: RkRun, vector: Array[f64]) -> f64:
    """The root mean square of a vector relative to the tolerances at x."""
    n = run.count
    x = run.x
    atol = run.atol
    rtol = run.rtol
    total = 0.0
    for i in range(n):
        ratio = vector[i] / (atol[i] + rtol * abs(x[i]))
        total += ratio * ratio
    return sqrt(total / max(n, 1))


@procedure(seldom=True)
def rk_begin(run: RkRun) -> None:
    """The first stage at t and x, and a first step (Hairer, sec. II.4).

    The step changes the states by about a hundredth of what the tolerances resolve, to the root.
    """
    n = run.count
    x = run.x
    k1 = run.k
    k2 = run.k[n:]
    stage = run.stage
    run.stiff_steps = 0
    run.calm_steps = 0
    run.log_error = _LEAST_LOG
    ode_rates(run.t, run.ode, x, k1)
    keep_solutions(run.ode)
    if run.events is not None:
        run.event_watch(run.events, run.t, 0)
    grow_tolerances(n, x, run.peak, run.part, run.atol)
    length = scaled_norm(run, x)
    speed = scaled_norm(run, k1)
    h = 1e-6 if min(length, speed) < 1e-5 else 0.01 * length / speed
    h = max(min(h, run.h_most), _LEAST_STEP)
    for i in range(n):
        stage[i] = x[i] + h * k1[i]
    run.h = 1e-3 * h
    if ode_rates(run.t + h, run.ode, stage, k2) != 0:
        return
    for i in range(n):
        k2[i] -= k1[i]
    bend = scaled_norm(run, k2) / h
    strongest = max(bend, speed)
    further = max(1e-6, 1e-3 * h) if strongest <= 1e-15 else (0.01 / strongest) ** 0.2
    run.h = max(min(100.0 * h, further, run.h_most), _LEAST_STEP)


@procedure(inline=True)
def failed_at(run: RkRun, number: i64, t: f64, x: Array[f64], rates: Array[f64]) -> bool:
    """Evaluate the model at a stage, and keep its root functions there and whether one is suspicious."""
    if ode_rates(t, run.ode, x, rates) != 0:
        return True
    if run.events is not None:
        wrong = run.event_watch(run.events, t, number) != 0
        run.suspect = run.suspect or wrong
    return False


@procedure
def rk_stages(run: RkRun, h: f64) -> i32:
    """Stages 2 to 7 of a step from x with k1 given; the last one is at the new point `trial`. 1: not finite.

    Each sum is ready but for the stage before while that is waited for.
    """
    n = run.count
    t = run.t
    x = run.x
    stage = run.stage
    trial = run.trial
    k1 = run.k
    k2 = k1[n:]
    k3 = k2[n:]
    k4 = k3[n:]
    k5 = k4[n:]
    k6 = k5[n:]
    k7 = k6[n:]
    run.suspect = False

    last = h * A[1][0]
    for i in range(n):
        stage[i] = x[i] + last * k1[i]
    if failed_at(run, 1, t + NODES[1] * h, stage, k2):
        return 1

    last = h * A[2][1]
    for i in range(n):
        stage[i] = x[i] + h * (A[2][0] * k1[i]) + last * k2[i]
    if failed_at(run, 2, t + NODES[2] * h, stage, k3):
        return 1

    last = h * A[3][2]
    for i in range(n):
        stage[i] = x[i] + h * (A[3][0] * k1[i] + A[3][1] * k2[i]) + last * k3[i]
    if failed_at(run, 3, t + NODES[3] * h, stage, k4):
        return 1

    last = h * A[4][3]
    for i in range(n):
        stage[i] = x[i] + h * (A[4][0] * k1[i] + A[4][1] * k2[i] + A[4][2] * k3[i]) + last * k4[i]
    if failed_at(run, 4, t + NODES[4] * h, stage, k5):
        return 1

    last = h * A[5][4]
    for i in range(n):
        sum5 = A[5][0] * k1[i] + A[5][1] * k2[i] + A[5][2] * k3[i] + A[5][3] * k4[i]
        stage[i] = x[i] + h * sum5 + last * k5[i]
    if failed_at(run, 5, t + NODES[5] * h, stage, k6):
        return 1

    last = h * A[6][5]
    for i in range(n):
        sum6 = A[6][0] * k1[i] + A[6][2] * k3[i] + A[6][3] * k4[i] + A[6][4] * k5[i]
        trial[i] = x[i] + h * sum6 + last * k6[i]
    return int(failed_at(run, 6, t + NODES[6] * h, trial, k7))


@procedure
def rk_error(run: RkRun, h: f64) -> f64:
    """The square of the error of a step relative to the tolerances: the mean of those of the states."""
    n = run.count
    x = run.x
    trial = run.trial
    atol = run.atol
    rtol = run.rtol
    k1 = run.k
    k3 = k1[2 * n :]
    k4 = k3[n:]
    k5 = k4[n:]
    k6 = k5[n:]
    k7 = k6[n:]
    total = 0.0
    for i in range(n):
        larger = max(abs(trial[i]), abs(x[i]))
        error = E[0] * k1[i] + E[2] * k3[i] + E[3] * k4[i] + E[4] * k5[i] + E[5] * k6[i] + E[6] * k7[i]
        ratio = h * error / (atol[i] + rtol * larger)
        total += ratio * ratio
    return total / max(n, 1)


@procedure
def rk_stiffness(run: RkRun, h: f64) -> None:
    """Count steps at the border of stability; enough of them in a row mark the model as stiff.

    Each state counts in units of its tolerance: a fast one may be many orders below the others.
    """
    n = run.count
    atol = run.atol
    rtol = run.rtol
    trial = run.trial
    stage = run.stage
    k6 = run.k[5 * n :]
    k7 = k6[n:]
    above = 0.0
    below = 0.0
    size = 0.0
    for i in range(n):
        weight = 1.0 / (atol[i] + rtol * abs(trial[i]))
        by_rate = (k7[i] - k6[i]) * weight
        by_state = (trial[i] - stage[i]) * weight
        value = trial[i] * weight
        above += by_rate * by_rate
        below += by_state * by_state
        size += value * value
    squared = h * h * above / below
    resolved = below > _ROUNDING**2 * size  # a parabola leaves but roundings
    if squared > _STIFF_BORDER**2 and resolved:
        run.calm_steps = 0
        run.stiff_steps += 1
        if run.stiff_steps >= _STIFF_MANY:
            run.is_stiff = True
    else:
        run.calm_steps += 1
        if run.calm_steps >= _CALM_MANY:
            run.stiff_steps = 0


@procedure
def rk_project(run: RkRun, projection: Projection, h: f64) -> i32:
    """Bring the new point onto the invariants, before roots are judged: 1 if a shorter step is needed, or a flag."""
    end = run.t + h
    status = run.ode.project(end, run.ode, projection, run.trial, run.k[6 * run.count :], MATTERS, 1)
    if status == Flag.CONTRADICTION or status == Flag.SINGULAR_POSITION:
        return status
    if status < 0:
        run.h = _SHRINK * h
        return 1
    if status == EVALUATED_AGAIN and run.events is not None:
        wrong = run.event_watch(run.events, end, 6) != 0
        run.suspect = run.suspect or wrong
    return 0


@procedure
def across_singular_position(t: f64, singular_at: f64, h: f64) -> f64:
    """A step of at most h with a singular position of the invariants far from its stages, if one is in sight.

    There the rates are roundings, while the solution goes through it smoothly. Stages are furthest apart between 0.3
    and 0.8 of a step.
    """
    ahead = (singular_at - t) / h
    if ahead < 0.1 or 0.35 < ahead < 0.7 or ahead > 1.3:
        return h
    return ahead / 0.55 * h if ahead <= 0.35 else 0.5 * ahead * h


@procedure(inline=True)
def tolerated(run: RkRun, squared: f64, h: f64) -> f64:
    """The squared error of a step, of which those just before and across a singular position may have more.

    Roundings of its stages are many times those of others, and shorter steps would have even larger ones.
    """
    if run.ode.projection is None:
        return squared
    ahead = run.ode.projection.singular_at - run.t
    return min(squared, 1.0) if 0.0 < ahead < 2.0 * h and squared < _ACROSS**2 else squared


@procedure(inline=True)
def accept(run: RkRun, h: f64, log_error: f64) -> i32:
    """The new point, and its rates as the next first stage; a flag where the run ends here."""
    rk_stiffness(run, h)
    if run.ode.projection is not None:
        projected = rk_project(run, run.ode.projection, h)
        if projected != 0:
            return repeat_step(run, True) if projected > 0 else projected
    count_step(run)
    doubtful = is_doubtful(run, run.t + h)
    status = finish_step(run, h)
    if status != 0:
        return status
    n = run.count
    k1 = run.k
    k7 = k1[6 * n :]
    for i in range(n):
        k1[i] = k7[i]
    run.log_error = max(_LEAST_LOG, log_error)
    if run.is_stiff and run.patience > 0 and run.horizon - run.t > run.patience * h:
        return Flag.STIFF
    return Flag.DOUBTFUL if doubtful else 0


@procedure(inline=True)
def rk_steps(run: RkRun, logs: bool) -> i32:
    """See rk_run."""
    while run.first < run.last:
        if run.steps >= run.most_steps:
            return Flag.TOO_MUCH_WORK
        h = step_size(run)
        if h <= 0.0:  # the end of a segment was reached in a call before
            return rk_emit(run, 0.0, run.t)
        if run.ode.projection is not None:
            h = across_singular_position(run.t, run.ode.projection.singular_at, h)
        failed = rk_stages(run, h) != 0
        measured = rk_error(run, h)
        squared = judged(run, FAILED if failed or not (measured < math.inf) else tolerated(run, measured, h), h)
        if logs and run.log is not None:
            log_explicit_step(run, run.log, h, squared)
        kept = squared <= 1.0
        log_error = 0.5 * log2(squared)
        plain = (0.2 - 0.75 * _BETA) * log_error
        steady = plain - _BETA * run.log_error
        growth = _SAFETY * exp2(-(steady if kept else plain))
        run.h = h * max(min(growth, _GROW), _SHRINK)
        status = accept(run, h, log_error) if kept else repeat_step(run, failed)
        if status != 0:
            return status
    return 0


@procedure
def rk_run(run: RkRun) -> i32:
    """Steps until the output times first..last-1 are done; 0, or a negative flag.

    The loop is there twice: a call of the log in it, even if never made, costs half as much as a step of three states.
    """
    if run.log is not None:
        return rk_run_logged(run)
    return rk_steps(run, False)


@procedure(seldom=True)
def rk_run_logged(run: RkRun) -> i32:
    """The same with a log of the steps."""
    return rk_steps(run, True)

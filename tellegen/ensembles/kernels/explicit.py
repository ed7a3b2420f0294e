"""Explicit Runge-Kutta of order 5(4) for runs side by side, each with its own steps, times and events.

The method, its step control and its dense output are those of engine/runtime/one_step/rk_step.py.
"""

from __future__ import annotations

import math

from tellegen.engine.runtime.coefficients.approximate_log_pow import exp2, log2
from tellegen.engine.runtime.coefficients.dormand_prince_tableau import NODES, A, D, E
from tellegen.ensembles.kernels.begin import absolute, grow
from tellegen.ensembles.kernels.events.watch import watch_roots
from tellegen.ensembles.kernels.job import Job, inverse, rates
from tellegen.ensembles.kernels.sizes import DENSE, PEAK, STAGE, STATES, TRIAL, K, Q, X
from tellegen.procedures.language import Array, f64, is_finite, procedure, sqrt

BETA = 0.04
SAFETY = 0.9
SHRINK = 0.2
GROW = 10.0
LEAST_LOG = math.log2(1e-4)
_STIFF_BORDER = 3.0
_LEAST_STEP = 1e-300
_ROUNDING = 1e-13
_PART_AT_ONCE = 0.2


@procedure(inline=True)
def scaled_norm(job: Job, work: Array[f64], vector: Array[f64]) -> f64:
    """The root mean square of a vector relative to the tolerances at x."""
    x = work[X:]
    total = 0.0
    for i in range(STATES):
        ratio = vector[i] * inverse(absolute(job, work, i) + job.rtol * abs(x[i]))
        total += ratio * ratio
    return sqrt(total * (1.0 / max(STATES, 1)))


@procedure
def first_step(job: Job, work: Array[f64], t: f64) -> f64:
    """The rates at x, and a first step (Hairer, sec. II.4); see rk_begin."""
    q = work[Q:]
    x = work[X:]
    k1 = work[K:]
    k2 = work[K + STATES :]
    stage = work[STAGE:]
    rates(t, job.common, q, x, k1)
    length = scaled_norm(job, work, x)
    speed = scaled_norm(job, work, k1)
    h = 1e-6 if min(length, speed) < 1e-5 else 0.01 * length / speed
    h = max(min(h, job.longest), _LEAST_STEP)
    for i in range(STATES):
        stage[i] = x[i] + h * k1[i]
    rates(t + h, job.common, q, stage, k2)
    for i in range(STATES):
        k2[i] -= k1[i]
    bend = scaled_norm(job, work, k2) / h
    strongest = max(bend, speed)
    root = exp2(0.2 * log2(0.01 / strongest))
    further = max(1e-6, 1e-3 * h) if strongest <= 1e-15 else root
    found = max(min(100.0 * h, further, job.longest), _LEAST_STEP)
    return found if is_finite(bend) else max(1e-3 * h, _LEAST_STEP)


@procedure(inline=True)
def step_after_jump(job: Job, work: Array[f64]) -> f64:
    """The longest step with the rates k1 that an event has left: no state moves by more than a part of its size.

    Steps were as long as the tolerances allow before, and an event often leaves them so. Where it does not, the error
    of the step shows that, but only after some steps that are made for nothing.
    """
    peak = work[PEAK:]
    k1 = work[K:]
    fastest = 0.0
    for i in range(STATES):
        size = max(peak[i], job.atol[i] * inverse(job.rtol))
        rate = abs(k1[i]) * inverse(size)
        fastest = max(fastest, rate) if size > 0.0 else fastest
    return _PART_AT_ONCE * inverse(fastest)


@procedure(inline=True)
def explicit_stages(job: Job, work: Array[f64], t: f64, h: f64, departed: f64) -> bool:
    """Stages 2 to 7 of a step from x with k1 given; whether a root function has the wrong sign at one of them."""
    q = work[Q:]
    x = work[X:]
    stage = work[STAGE:]
    trial = work[TRIAL:]
    common = job.common
    k1 = work[K:]
    k2 = work[K + STATES :]
    k3 = work[K + 2 * STATES :]
    k4 = work[K + 3 * STATES :]
    k5 = work[K + 4 * STATES :]
    k6 = work[K + 5 * STATES :]
    k7 = work[K + 6 * STATES :]
    for i in range(STATES):
        stage[i] = x[i] + h * (A[1][0] * k1[i])
    rates(t + NODES[1] * h, common, q, stage, k2)
    wrong = watch_roots(job, work, t + NODES[1] * h, stage, departed, 1)
    for i in range(STATES):
        stage[i] = x[i] + h * (A[2][0] * k1[i] + A[2][1] * k2[i])
    rates(t + NODES[2] * h, common, q, stage, k3)
    wrong = watch_roots(job, work, t + NODES[2] * h, stage, departed, 2) or wrong
    for i in range(STATES):
        stage[i] = x[i] + h * (A[3][0] * k1[i] + A[3][1] * k2[i] + A[3][2] * k3[i])
    rates(t + NODES[3] * h, common, q, stage, k4)
    wrong = watch_roots(job, work, t + NODES[3] * h, stage, departed, 3) or wrong
    for i in range(STATES):
        stage[i] = x[i] + h * (A[4][0] * k1[i] + A[4][1] * k2[i] + A[4][2] * k3[i] + A[4][3] * k4[i])
    rates(t + NODES[4] * h, common, q, stage, k5)
    wrong = watch_roots(job, work, t + NODES[4] * h, stage, departed, 4) or wrong
    for i in range(STATES):
        sum5 = A[5][0] * k1[i] + A[5][1] * k2[i] + A[5][2] * k3[i] + A[5][3] * k4[i] + A[5][4] * k5[i]
        stage[i] = x[i] + h * sum5
    rates(t + h, common, q, stage, k6)
    wrong = watch_roots(job, work, t + h, stage, departed, 5) or wrong
    for i in range(STATES):
        sum6 = A[6][0] * k1[i] + A[6][2] * k3[i] + A[6][3] * k4[i] + A[6][4] * k5[i] + A[6][5] * k6[i]
        trial[i] = x[i] + h * sum6
    rates(t + h, common, q, trial, k7)
    return watch_roots(job, work, t + h, trial, departed, 6) or wrong


@procedure(inline=True)
def explicit_error(job: Job, work: Array[f64], h: f64) -> f64:
    """The square of the error of a step relative to the tolerances."""
    x = work[X:]
    trial = work[TRIAL:]
    k1 = work[K:]
    k3 = work[K + 2 * STATES :]
    k4 = work[K + 3 * STATES :]
    k5 = work[K + 4 * STATES :]
    k6 = work[K + 5 * STATES :]
    k7 = work[K + 6 * STATES :]
    total = 0.0
    for i in range(STATES):
        larger = max(abs(trial[i]), abs(x[i]))
        error = E[0] * k1[i] + E[2] * k3[i] + E[3] * k4[i] + E[4] * k5[i] + E[5] * k6[i] + E[6] * k7[i]
        ratio = h * error * inverse(absolute(job, work, i) + job.rtol * larger)
        total += ratio * ratio
    return total * (1.0 / max(STATES, 1))


@procedure(inline=True)
def is_at_border(job: Job, work: Array[f64], h: f64) -> bool:
    """Whether stability limits the step; see rk_stiffness."""
    trial = work[TRIAL:]
    stage = work[STAGE:]
    k6 = work[K + 5 * STATES :]
    k7 = work[K + 6 * STATES :]
    above = 0.0
    below = 0.0
    size = 0.0
    for i in range(STATES):
        weight = inverse(absolute(job, work, i) + job.rtol * abs(trial[i]))
        by_rate = (k7[i] - k6[i]) * weight
        by_state = (trial[i] - stage[i]) * weight
        value = trial[i] * weight
        above += by_rate * by_rate
        below += by_state * by_state
        size += value * value
    return h * h * above > _STIFF_BORDER**2 * below and below > _ROUNDING**2 * size


@procedure(inline=True)
def explicit_dense(work: Array[f64], h: f64) -> None:
    """The five vectors of the interpolating polynomial of the step just made."""
    x = work[X:]
    trial = work[TRIAL:]
    k1 = work[K:]
    k3 = work[K + 2 * STATES :]
    k4 = work[K + 3 * STATES :]
    k5 = work[K + 4 * STATES :]
    k6 = work[K + 5 * STATES :]
    k7 = work[K + 6 * STATES :]
    dense = work[DENSE:]
    for i in range(STATES):
        change = trial[i] - x[i]
        bend = h * k1[i] - change
        rest = D[0] * k1[i] + D[2] * k3[i] + D[3] * k4[i] + D[4] * k5[i] + D[5] * k6[i] + D[6] * k7[i]
        dense[i] = x[i]
        dense[STATES + i] = change
        dense[2 * STATES + i] = bend
        dense[3 * STATES + i] = change - h * k7[i] - bend
        dense[4 * STATES + i] = h * rest


@procedure(inline=True)
def accept_explicit(work: Array[f64], is_accepted: bool) -> None:
    """The new point where the step was good, and its rates as the next first stage."""
    x = work[X:]
    trial = work[TRIAL:]
    k1 = work[K:]
    k7 = work[K + 6 * STATES :]
    for i in range(STATES):
        x[i] = trial[i] if is_accepted else x[i]
        k1[i] = k7[i] if is_accepted else k1[i]
    grow(work, x, is_accepted)


@procedure(inline=True)
def growth_of(squared: f64, last: f64) -> f64:
    """The factor of the next step, from the errors of this one and of the one before (their binary logarithms)."""
    log_error = 0.5 * log2(squared)
    plain = (0.2 - 0.75 * BETA) * log_error
    steady = plain - BETA * last
    growth = SAFETY * exp2(-(steady if squared <= 1.0 else plain))
    return max(min(growth, GROW), SHRINK)

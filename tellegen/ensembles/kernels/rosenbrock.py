"""The Rosenbrock method Rodas5P for runs side by side; see engine/runtime/one_step/rodas_step.py.

The factors of the Jacobian are straight-line code of the model: its pattern and the order of elimination are known,
and no pivots are searched for. Where one vanishes the step is not finite and is made again, shorter.
"""

from __future__ import annotations

from tellegen.engine.runtime.coefficients.approximate_log_pow import exp2, log2
from tellegen.engine.runtime.coefficients.dormand_prince_tableau import NODES as WATCHED
from tellegen.engine.runtime.coefficients.rodas_tableau import GAMMA, NODES, STAGES, A, C, D, H
from tellegen.ensembles.kernels.begin import absolute, grow
from tellegen.ensembles.kernels.events.locate import interpolate
from tellegen.ensembles.kernels.events.watch import watch_roots
from tellegen.ensembles.kernels.job import Job, factor, increment, inverse
from tellegen.ensembles.kernels.sizes import (
    BY_TIME,
    DENSE,
    FACTORS,
    FASTEST,
    IS_TIMED,
    STAGE,
    STATES,
    TRIAL,
    K,
    Q,
    X,
)
from tellegen.procedures.language import Array, f64, procedure

_SAFETY = 0.9
_SHRINK = 0.2
_GROW = 6.0
_WATCHED = len(WATCHED)
_FASTEST = 1e18
"""Rates times a step and over rtol. Below it two joined capacitors were off by 2.3 rtol; the scalar engine refines."""
_NEARLY_THERE = 6
"""From this stage on the point is that of the stage before and its increment: the method is stiffly accurate."""


@procedure(inline=True)
def rosenbrock_stages(job: Job, work: Array[f64], t: f64, h: f64) -> None:
    """All stages of a step from x, and the new point. Every k is read once for a stage: large ones are in memory."""
    common = job.common
    q = work[Q:]
    x = work[X:]
    k = work[K:]
    stage = work[STAGE:]
    trial = work[TRIAL:]
    by_time = work[BY_TIME:]
    factors = work[FACTORS:]
    factor(t, common, q, x, factors, 1.0 / (GAMMA * h))
    over = 1.0 / h
    for s in range(STAGES):
        here = work[K + STATES * s :]
        for i in range(STATES):
            way = 0.0
            coupling = 0.0
            for j in range(s):
                slope = k[STATES * j + i]
                way += A[STAGES * s + j] * slope if s < _NEARLY_THERE else 0.0
                coupling += C[STAGES * s + j] * slope
            stage[i] = x[i] + way if s < _NEARLY_THERE else stage[i] + k[STATES * (s - 1) + i]
            with_time = h * D[s] * by_time[i] if IS_TIMED > 0 else 0.0
            here[i] = coupling * over + with_time
        increment(t + NODES[s] * h, common, q, stage, here, factors)
    error = work[K + STATES * (STAGES - 1) :]
    for i in range(STATES):
        trial[i] = stage[i] + error[i]


@procedure(inline=True)
def are_digits_lost(job: Job, work: Array[f64], h: f64) -> bool:
    """Whether states are so much faster than a step that the matrix has no digits for a slow sum of two of them."""
    return GAMMA * h * work[FASTEST] > _FASTEST * job.rtol


@procedure(inline=True)
def rosenbrock_error(job: Job, work: Array[f64]) -> f64:
    """The square of the error of a step relative to the tolerances."""
    x = work[X:]
    trial = work[TRIAL:]
    error = work[K + STATES * (STAGES - 1) :]
    total = 0.0
    for i in range(STATES):
        ratio = error[i] * inverse(absolute(job, work, i) + job.rtol * max(abs(trial[i]), abs(x[i])))
        total += ratio * ratio
    return total * (1.0 / max(STATES, 1))


@procedure(inline=True)
def rosenbrock_dense(work: Array[f64]) -> None:
    """The five vectors of the interpolating polynomial of the step just made; see rodas_dense."""
    x = work[X:]
    trial = work[TRIAL:]
    k = work[K:]
    dense = work[DENSE:]
    for i in range(STATES):
        s1 = 0.0
        s2 = 0.0
        s3 = 0.0
        for j in range(STAGES):
            s1 += H[j] * k[STATES * j + i]
            s2 += H[STAGES + j] * k[STATES * j + i]
            s3 += H[2 * STAGES + j] * k[STATES * j + i]
        dense[i] = x[i]
        dense[STATES + i] = trial[i] - x[i]
        dense[2 * STATES + i] = s1
        dense[3 * STATES + i] = s2 + s3
        dense[4 * STATES + i] = -s3


@procedure(inline=True)
def watch_step(job: Job, work: Array[f64], t: f64, h: f64, departed: f64) -> bool:
    """Keep the root functions at points of the step, those that an explicit step has for stages."""
    stage = work[STAGE:]
    rosenbrock_dense(work)
    is_wrong = False
    for number in range(1, _WATCHED):
        interpolate(work, WATCHED[number], stage)
        is_wrong = watch_roots(job, work, t + WATCHED[number] * h, stage, departed, number) or is_wrong
    return is_wrong


@procedure(inline=True)
def accept_rosenbrock(work: Array[f64], is_accepted: bool) -> None:
    """The new point where the step was good."""
    x = work[X:]
    trial = work[TRIAL:]
    for i in range(STATES):
        x[i] = trial[i] if is_accepted else x[i]
    grow(work, x, is_accepted)


@procedure(inline=True)
def rosenbrock_growth(squared: f64, was_rejected: bool) -> f64:
    """The factor of the next step."""
    growth = _SAFETY * exp2(-0.1 * log2(squared))
    return max(min(growth, 1.0 if was_rejected else _GROW), _SHRINK)

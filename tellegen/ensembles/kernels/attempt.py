"""One step of runs side by side: how long, made, judged, accepted; by the explicit or the Rosenbrock method."""

from __future__ import annotations

from tellegen.engine.runtime.coefficients.approximate_log_pow import log2
from tellegen.ensembles.kernels.events.locate import interpolate
from tellegen.ensembles.kernels.events.watch import is_too_long, keep_last_roots, may_return
from tellegen.ensembles.kernels.explicit import (
    LEAST_LOG,
    accept_explicit,
    explicit_error,
    explicit_stages,
    growth_of,
    is_at_border,
)
from tellegen.ensembles.kernels.job import Job, Status, divisors
from tellegen.ensembles.kernels.rosenbrock import (
    accept_rosenbrock,
    are_digits_lost,
    rosenbrock_error,
    rosenbrock_growth,
    rosenbrock_stages,
    watch_step,
)
from tellegen.ensembles.kernels.sizes import (
    ACCEPTED,
    ACTIVE,
    AT_ROOT,
    CALM,
    DEPARTED,
    DIVIDED,
    DIVISORS,
    IMPLICIT,
    IS_LAST,
    LOG_ERROR,
    NEXT_INSTANT,
    PART,
    REACHED,
    REJECTED,
    RELATIONS,
    SEEN,
    SQUARED,
    STAGE,
    STATUS,
    STEP,
    STIFF,
    SUSPECT,
    TIME,
    TRIED,
    WAS_REJECTED,
    Q,
    X,
)
from tellegen.procedures.language import Array, f64, procedure

_COARSE = 400.0
_SHORTEST = 1e-3
_RELAXED = 1.5
_FAILED = 1e20
_SMALLEST = 64.0 * 2.220446049250313e-16
_STIFF_MANY = 15.0
_CALM_MANY = 6.0
_PATIENCE = 300.0


@procedure(inline=True)
def next_step(job: Job, work: Array[f64]) -> None:
    """As proposed, as long as allowed, to the next known instant where that is near."""
    left = min(work[NEXT_INSTANT], job.stop) - work[TIME]
    step = min(work[SEEN], job.longest, work[STEP])
    is_last = 1.01 * step > left
    work[IS_LAST] = 1.0 if is_last else 0.0
    work[TRIED] = left if is_last else step


@procedure(inline=True)
def make_step(job: Job, work: Array[f64]) -> None:
    """The stages, the error, and whether a root function has the wrong sign on the way."""
    t = work[TIME]
    step = work[TRIED]
    if IMPLICIT > 0:
        rosenbrock_stages(job, work, t, step)
        work[SQUARED] = rosenbrock_error(job, work)
        if RELATIONS > 0:
            work[SUSPECT] = 1.0 if watch_step(job, work, t, step, work[DEPARTED]) else 0.0
    else:
        work[SUSPECT] = 1.0 if explicit_stages(job, work, t, step, work[DEPARTED]) else 0.0
        work[SQUARED] = explicit_error(job, work, step)
    work[SQUARED] = work[SQUARED] if work[SQUARED] < _FAILED else _FAILED


@procedure(inline=True)
def judge_step(job: Job, work: Array[f64]) -> None:
    """Steps that are too long for a root function count as failed; others that may have one are suspect."""
    if RELATIONS > 0:
        is_active = work[ACTIVE] > 0.5
        is_long = work[TRIED] > _SHORTEST * job.longest and work[SQUARED] <= 1.0
        is_rough = is_active and is_long and is_too_long(work)
        work[SEEN] = 0.5 * work[TRIED] if is_rough else work[SEEN]
        work[SQUARED] = _COARSE if is_rough else work[SQUARED]
        is_odd = work[SUSPECT] > 0.5 or (is_long and may_return(work))
        work[SUSPECT] = 1.0 if is_active and work[SQUARED] <= 1.0 and is_odd else 0.0
    if IMPLICIT == 0:
        is_good = work[ACTIVE] > 0.5 and work[SQUARED] <= 1.0
        at_border = is_good and is_at_border(job, work, work[TRIED])
        calm = 0.0 if at_border else work[CALM] + 1.0
        work[CALM] = calm if is_good else work[CALM]
        eased = 0.0 if is_good and calm >= _CALM_MANY else work[STIFF]
        work[STIFF] = work[STIFF] + 1.0 if at_border else eased


@procedure(inline=True)
def accept_step(job: Job, work: Array[f64]) -> None:
    """The new point where the step was good, at its root if it has one; the length of the next."""
    is_active = work[ACTIVE] > 0.5
    squared = work[SQUARED]
    is_good = is_active and squared <= 1.0
    is_bad = is_active and squared > 1.0
    at_root = work[AT_ROOT] > 0.5
    step = work[TRIED]
    growth = 1.0
    if IMPLICIT > 0:
        growth = rosenbrock_growth(squared, work[WAS_REJECTED] > 0.5)
    else:
        growth = growth_of(squared, work[LOG_ERROR])
    if RELATIONS > 0:
        interpolate(work, work[PART], work[STAGE:])
    if IMPLICIT > 0:
        accept_rosenbrock(work, is_good and not at_root)
    else:
        accept_explicit(work, is_good and not at_root)
    keep_last_roots(work, is_good and not at_root)
    t = work[REACHED] if is_good else work[TIME]
    work[TIME] = t
    work[ACCEPTED] = work[ACCEPTED] + (1.0 if is_good else 0.0)
    work[REJECTED] = work[REJECTED] + (1.0 if is_bad else 0.0)
    work[LOG_ERROR] = max(LEAST_LOG, 0.5 * log2(squared)) if is_good else work[LOG_ERROR]
    work[WAS_REJECTED] = (1.0 if is_bad else 0.0) if is_active else work[WAS_REJECTED]
    kept = work[STEP] if is_good and step < work[STEP] else 0.0  # something else made this one short
    h = max(step * growth, kept) if is_active else work[STEP]
    work[STEP] = h
    work[SEEN] = _RELAXED * work[SEEN] if is_good else work[SEEN]
    is_short = is_bad and h < max(_SMALLEST * abs(t), 1e-300)
    work[STATUS] = Status.SHORT_STEP if is_short else work[STATUS]
    if IMPLICIT > 0:
        work[STATUS] = Status.EVENT if is_good and are_digits_lost(job, work, step) else work[STATUS]
    is_stiff = IMPLICIT == 0 and is_good and work[STIFF] >= _STIFF_MANY and job.stop - t > _PATIENCE * step
    work[STATUS] = Status.STIFF if is_stiff else work[STATUS]


@procedure(inline=True)
def watch_divisors(job: Job, work: Array[f64]) -> None:
    """A divisor that changes its sign in a step, while its dividend does not, is a pole: left to the scalar engine.

    Divisors and their dividends stand in pairs; after an event they may have any sign.
    """
    if DIVISORS > 0:
        before = work[DIVIDED:]
        now = work[DIVIDED + DIVISORS :]
        divisors(work[TIME], job.common, work[Q:], work[X:], now)
        is_good = work[ACTIVE] > 0.5 and work[SQUARED] <= 1.0
        is_pole = False
        for k in range(0, DIVISORS, 2):
            is_pole = is_pole or (now[k] * before[k] < 0.0 and now[k + 1] * before[k + 1] > 0.0)
        work[STATUS] = Status.EVENT if is_good and is_pole else work[STATUS]
        for k in range(DIVISORS):
            before[k] = now[k] if is_good else before[k]

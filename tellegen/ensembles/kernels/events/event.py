"""Events on the way of runs side by side: who has one, the rows before and after it, and the step that follows."""

from __future__ import annotations

import math

from tellegen.ensembles.kernels.events.happen import begin_round, happen, leave, settle
from tellegen.ensembles.kernels.events.instant import next_instant
from tellegen.ensembles.kernels.events.ticks import find_ticks, raise_samples
from tellegen.ensembles.kernels.events.watch import watch_roots
from tellegen.ensembles.kernels.explicit import LEAST_LOG, step_after_jump
from tellegen.ensembles.kernels.job import Job, Status, conditions, differences, rates
from tellegen.ensembles.kernels.loops import hold, put_back
from tellegen.ensembles.kernels.output import judge, keep_after_event, take_row
from tellegen.ensembles.kernels.sizes import (
    ACTIONS,
    ACTIVE,
    AT_ROOT,
    CLOSE,
    CONDITIONS,
    DENSE_ROOTS,
    DEPARTED,
    DIVIDED,
    DIVISORS,
    DUE,
    EVENTS,
    FLAGS,
    HAS_GRID,
    HELD,
    INITIALIZING,
    LARGEST,
    LAST_EVENT,
    LAST_GAP,
    LOG_ERROR,
    MATTERS,
    NEXT_INSTANT,
    NOW,
    PASSED,
    RELATIONS,
    SEEN,
    SINCE,
    SQUARED,
    STAGE,
    STATES,
    STATUS,
    STEP,
    STIFF,
    TAKEN,
    TIME,
    WAS,
    K,
    Q,
    X,
)
from tellegen.procedures.language import Array, any_lane, f64, i64, procedure, sqrt

INITIAL_SLOT = (0,)
"""Where initial() stands, put in with the sizes."""

_AT_ROOT = 2.0  # what is due, where 1.0 is an instant that was known
_NEAR = 16.0 * 2.220446049250313e-16
_SHRUNK = 0.999
_CLOSE = 8.0  # roots of the tolerance, of the run
_MOST_CLOSE = 6.0
_DENSE = 1e-4  # of the run
_MOST_DENSE = 4.0  # gaps in a row: a relation may slide, or chatter
"""So many gaps between roots in a row, each shorter than the one before and as short as that, may have no end."""


@procedure
def begin_events(job: Job, work: Array[f64], t: f64) -> f64:
    """Flags, conditions and what happens at the start: 0, or 3 where that is left to the scalar engine.

    See event_settle and event_start in engine/runtime/events/event_iteration.py.
    """
    flags = work[FLAGS:]
    passed = work[PASSED:]
    largest = work[LARGEST:]
    matters = work[MATTERS:]
    was = work[WAS:]
    now = work[NOW:]
    q = work[Q:]
    for k in range(RELATIONS):
        flags[k] = 0.0
        passed[k] = 0.0
        largest[k] = 0.0
        matters[k] = 1.0
    for k in range(CONDITIONS):
        was[k] = 0.0
    for k in range(ACTIONS):
        work[TAKEN + k] = 0.0
    find_ticks(job, work, t, False)
    begin_round(job, work, t, True)
    raise_samples(work, t, True)
    work[INITIALIZING] = 1.0
    q[INITIAL_SLOT[0]] = 1.0
    result = settle(job, work, t, True, 0.0)
    work[INITIALIZING] = 0.0
    q[INITIAL_SLOT[0]] = 0.0
    if CONDITIONS > 0:
        conditions(t, job.common, q, work[X:], now)
        for k in range(CONDITIONS):
            was[k] = 1.0 if now[k] > 0.5 else 0.0
    find_ticks(job, work, t, True)
    if RELATIONS > 0:
        differences(t, job.common, q, work[X:], now)
        for k in range(RELATIONS):
            largest[k] = abs(now[k])
    left = leave(job, work, t, result < 1.5, result > 0.5)
    return 3.0 if result > 2.5 or left > 2.5 else 0.0


@procedure(inline=True)
def await_event(work: Array[f64]) -> None:
    """Runs that the step has brought to an event: their states are those at it."""
    t = work[TIME]
    x = work[X:]
    stage = work[STAGE:]
    at_root = work[AT_ROOT] > 0.5
    is_good = work[ACTIVE] > 0.5 and work[SQUARED] <= 1.0
    at_instant = is_good and t >= work[NEXT_INSTANT] - _NEAR * abs(t)
    for i in range(STATES):
        x[i] = stage[i] if at_root else x[i]
    work[DUE] = _AT_ROOT if at_root else 1.0 if at_instant else work[DUE]


@procedure(inline=True)
def handle_events(job: Job, work: Array[f64], first: i64) -> None:
    """The events of the runs that have come to one."""
    t = work[TIME]
    at_root = work[DUE] == _AT_ROOT
    is_event = work[DUE] > 0.5
    if any_lane(is_event):
        x = work[X:]
        passed = work[PASSED:]
        hold(work, work[HELD:])
        if HAS_GRID > 0:
            take_row(job, work, t, x, work[SINCE], is_event)
            judge(job, work, t, x, is_event)
            work[SINCE] = t if is_event else work[SINCE]
        for k in range(RELATIONS):
            passed[k] = passed[k] if at_root or not is_event else 0.0
        result = happen(job, work, t, is_event)
        work[STATUS] = Status.EVENT if is_event and result > 0.5 else work[STATUS]
        if HAS_GRID > 0:
            take_row(job, work, t, x, work[SINCE], is_event)
            keep_after_event(job, work, first, is_event)
            judge(job, work, t, x, is_event)
        restart(job, work, is_event)
        put_back(work, work[HELD:], is_event)
        count_event(job, work, is_event, at_root)


@procedure(inline=True)
def restart(job: Job, work: Array[f64], is_event: bool) -> None:
    """Go on from the values after an event."""
    t = work[TIME]
    work[DEPARTED] = t + job.lookahead if is_event else work[DEPARTED]
    for k in range(DIVISORS):  # after a jump they may have any sign
        work[DIVIDED + k] = 0.0 if is_event else work[DIVIDED + k]
    work[NEXT_INSTANT] = next_instant(job, work, t)
    rates(t, job.common, work[Q:], work[X:], work[K:])
    work[STEP] = min(work[STEP], step_after_jump(job, work)) if is_event else work[STEP]
    work[LOG_ERROR] = LEAST_LOG if is_event else work[LOG_ERROR]
    work[STIFF] = 0.0 if is_event else work[STIFF]
    work[SEEN] = math.inf if is_event else work[SEEN]
    if RELATIONS > 0:
        watch_roots(job, work, t, work[X:], work[DEPARTED], 0)


@procedure(inline=True)
def count_event(job: Job, work: Array[f64], is_event: bool, at_root: bool) -> None:
    """Roots that follow each other too closely are left to the scalar engine."""
    t = work[TIME]
    work[EVENTS] = work[EVENTS] + (1.0 if is_event else 0.0)
    gap = t - work[LAST_EVENT]
    close = work[CLOSE] + 1.0 if gap < _SHRUNK * work[LAST_GAP] else 0.0
    work[CLOSE] = close if at_root else work[CLOSE]
    work[LAST_EVENT] = t if at_root else work[LAST_EVENT]
    work[LAST_GAP] = gap if at_root else work[LAST_GAP]
    length = job.stop - job.start
    is_short = gap < _CLOSE * sqrt(job.rtol) * length
    dense = work[DENSE_ROOTS] + 1.0 if gap < _DENSE * length else 0.0
    work[DENSE_ROOTS] = dense if at_root else work[DENSE_ROOTS]
    is_endless = at_root and ((is_short and close >= _MOST_CLOSE) or dense >= _MOST_DENSE)
    work[STATUS] = Status.EVENT if is_endless else work[STATUS]

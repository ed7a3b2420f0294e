"""Runs side by side with error control: each has its own time, step and events, and all take their steps together."""

from __future__ import annotations

import math

from tellegen.ensembles.kernels.attempt import accept_step, judge_step, make_step, next_step, watch_divisors
from tellegen.ensembles.kernels.begin import begin_run, grow, is_loose
from tellegen.ensembles.kernels.events.event import await_event, begin_events, handle_events
from tellegen.ensembles.kernels.events.instant import next_instant
from tellegen.ensembles.kernels.events.watch import watch_roots
from tellegen.ensembles.kernels.explicit import LEAST_LOG, first_step
from tellegen.ensembles.kernels.job import Job, Status, read_time, write_lane
from tellegen.ensembles.kernels.loops import has_lost, hold, put_back
from tellegen.ensembles.kernels.measures import begin_measures, measure, write_measures
from tellegen.ensembles.kernels.output import begin_output, judge, keep_curve, take_row, write_results
from tellegen.ensembles.kernels.search import dense, emit_rows, find_root
from tellegen.ensembles.kernels.sizes import (
    ACCEPTED,
    ACTIVE,
    CALM,
    CLOSE,
    DENSE_ROOTS,
    DEPARTED,
    DIVIDED,
    DIVISORS,
    DUE,
    ENDS,
    EVENTS,
    HAS_EVENTS,
    HAS_GRID,
    HELD,
    LANES,
    LAST_EVENT,
    LAST_GAP,
    LOG_ERROR,
    MEASURES,
    NEXT_INSTANT,
    REJECTED,
    RELATIONS,
    ROW,
    SEEN,
    SINCE,
    SQUARED,
    STATUS,
    STEP,
    STIFF,
    TIME,
    TRIED,
    WANTED,
    WAS_REJECTED,
    WORK,
    X,
)
from tellegen.procedures.language import Array, any_lane, f64, i64, local_array, procedure

_TOGETHER = 8
"""Steps between events that are handled together."""


@procedure(inline=True)
def begin_counts(job: Job, work: Array[f64]) -> None:
    """Where runs are, and what they have counted."""
    work[TIME] = job.start
    work[STATUS] = Status.DONE
    work[DEPARTED] = job.start + job.lookahead
    work[NEXT_INSTANT] = math.inf
    work[SINCE] = job.start
    work[ROW] = 1.0
    work[WANTED] = read_time(job.times, 1.0)
    work[LOG_ERROR] = LEAST_LOG
    work[SEEN] = math.inf
    work[STIFF] = 0.0
    work[CALM] = 0.0
    work[WAS_REJECTED] = 0.0
    work[ACCEPTED] = 0.0
    work[REJECTED] = 0.0
    work[EVENTS] = 0.0
    work[CLOSE] = 0.0
    work[LAST_EVENT] = -math.inf
    work[LAST_GAP] = math.inf
    work[DENSE_ROOTS] = 0.0
    work[ENDS] = 0.0
    work[DUE] = 0.0
    for k in range(DIVISORS):
        work[DIVIDED + k] = 0.0


@procedure(inline=True)
def begin(job: Job, work: Array[f64], first: i64) -> None:
    """The start of runs: numbers, events of that instant, the first row, the first step."""
    x = work[X:]
    begin_run(job, first, work)
    begin_counts(job, work)
    if HAS_EVENTS > 0:
        work[STATUS] = Status.EVENT if begin_events(job, work, job.start) > 0.5 else Status.DONE
        work[NEXT_INSTANT] = next_instant(job, work, job.start)
    grow(work, x, True)
    begin_output(job, work, job.start, x)
    begin_measures(job, work)
    keep_curve(job, work, first, 0.0, True)
    judge(job, work, job.start, x, True)
    work[STEP] = first_step(job, work, job.start)
    if RELATIONS > 0:
        watch_roots(job, work, job.start, x, work[DEPARTED], 0)
    work[ACTIVE] = 1.0 if work[STATUS] == Status.DONE and work[ENDS] < 0.5 else 0.0


@procedure(inline=True)
def finish(job: Job, work: Array[f64], first: i64) -> None:
    """The last row, and everything to where the host finds it."""
    judge(job, work, work[TIME], work[X:], work[STATUS] == Status.DONE)
    status = Status.TOO_LONG if work[ACTIVE] > 0.5 else work[STATUS]
    status = Status.LOOSE if status == Status.DONE and is_loose(job, work) else status
    take_row(job, work, work[TIME], work[X:], work[SINCE], status == Status.DONE)
    status = Status.EVENT if has_lost(work) else status
    write_results(job, work, first)
    write_measures(job, work, first)
    write_lane(job.status, first, status)
    write_lane(job.reached, first, work[TIME])
    write_lane(job.counts, first, work[ACCEPTED])
    write_lane(job.counts, job.stride + first, work[REJECTED])
    write_lane(job.counts, 2 * job.stride + first, work[EVENTS])


@procedure(inline=True)
def step(job: Job, work: Array[f64], first: i64) -> None:
    """One step of the runs that are active; those that come to an event by it wait there."""
    hold(work, work[HELD:])
    next_step(job, work)
    make_step(job, work)
    judge_step(job, work)
    is_good = work[ACTIVE] > 0.5 and work[SQUARED] <= 1.0
    find_root(job, work)
    if HAS_GRID > 0:
        emit_rows(job, work, first)
    if MEASURES > 0:
        dense(work, work[TRIED])
        measure(job, work)
    accept_step(job, work)
    watch_divisors(job, work)
    put_back(work, work[HELD:], is_good)
    goes_on = work[ACTIVE] > 0.5 and work[STATUS] == Status.DONE
    if HAS_EVENTS > 0:
        await_event(work)
        goes_on = goes_on and work[DUE] < 0.5
    work[ACTIVE] = 1.0 if goes_on and work[TIME] < job.stop else 0.0


@procedure
def adaptive_run(job: Job, first: i64) -> None:
    """Run number `first` and those of the lanes beside it.

    An event takes as long as many steps, and lanes beside it wait for it. So events are gathered: runs go on to their
    next event, but wait for no more than some steps of others.
    """
    work = local_array(f64, WORK)
    begin(job, work, first)
    rounds = 0
    while any_lane(work[ACTIVE] > 0.5) and rounds < job.most_steps:
        together = 0
        while any_lane(work[ACTIVE] > 0.5) and (together < _TOGETHER or HAS_EVENTS == 0) and rounds < job.most_steps:
            together += 1
            rounds += 1
            step(job, work, first)
        if HAS_EVENTS > 0:
            handle_events(job, work, first)
            goes_on = work[STATUS] == Status.DONE and work[TIME] < job.stop and work[ENDS] < 0.5
            work[ACTIVE] = (1.0 if goes_on else 0.0) if work[DUE] > 0.5 else work[ACTIVE]
            work[DUE] = 0.0
    finish(job, work, first)


@procedure
def adaptive_runs(job: Job, first: i64, last: i64) -> None:
    """Runs from `first` to `last`, so many at a time as there are lanes."""
    for run in range(first, last, LANES):
        adaptive_run(job, run)

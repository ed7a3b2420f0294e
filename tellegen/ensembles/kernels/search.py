"""Inside a step that was good: the first root, and the rows of output up to where the step leads."""

from __future__ import annotations

from tellegen.ensembles.kernels.events.locate import NONE, interpolate, locate
from tellegen.ensembles.kernels.explicit import explicit_dense
from tellegen.ensembles.kernels.job import Job, read_time
from tellegen.ensembles.kernels.loops import hold, put_back
from tellegen.ensembles.kernels.output import judge, keep_curve, take_row
from tellegen.ensembles.kernels.rosenbrock import rosenbrock_dense
from tellegen.ensembles.kernels.sizes import (
    ACTIVE,
    ASIDE,
    AT_ROOT,
    DEPARTED,
    IMPLICIT,
    IS_LAST,
    NEXT_INSTANT,
    PART,
    REACHED,
    RELATIONS,
    ROW,
    SINCE,
    SQUARED,
    STAGE,
    SUSPECT,
    TIME,
    TRIED,
    WANTED,
)
from tellegen.procedures.language import Array, any_lane, f64, i64, procedure


@procedure(inline=True)
def dense(work: Array[f64], h: f64) -> None:
    """The polynomial of the step just made."""
    if IMPLICIT > 0:
        rosenbrock_dense(work)
    else:
        explicit_dense(work, h)


@procedure(inline=True)
def find_root(job: Job, work: Array[f64]) -> None:
    """Where the step leads: to its end, or to the first root in it."""
    t = work[TIME]
    step = work[TRIED]
    work[PART] = NONE
    work[AT_ROOT] = 0.0
    if RELATIONS > 0:
        is_suspect = work[SUSPECT] > 0.5
        if any_lane(is_suspect):
            dense(work, step)
            hold(work, work[ASIDE:])
            work[PART] = locate(job, work, t, step, work[DEPARTED], is_suspect)
            put_back(work, work[ASIDE:], is_suspect)
            work[AT_ROOT] = 1.0 if is_suspect and work[PART] < NONE else 0.0
    whole = min(work[NEXT_INSTANT], job.stop) if work[IS_LAST] > 0.5 else t + step
    work[REACHED] = t + work[PART] * step if work[AT_ROOT] > 0.5 else whole


@procedure(inline=True)
def emit_rows(job: Job, work: Array[f64], first: i64) -> None:
    """All output times up to where the step leads."""
    stage = work[STAGE:]
    t = work[TIME]
    is_due = work[ACTIVE] > 0.5 and work[SQUARED] <= 1.0 and work[WANTED] <= work[REACHED]
    if any_lane(is_due):
        dense(work, work[TRIED])
        while any_lane(is_due):
            wanted = work[WANTED]
            interpolate(work, (wanted - t) / work[TRIED], stage)
            take_row(job, work, wanted, stage, work[SINCE], is_due)
            keep_curve(job, work, first, work[ROW], is_due)
            judge(job, work, wanted, stage, is_due)
            work[SINCE] = wanted if is_due else work[SINCE]
            work[ROW] = work[ROW] + (1.0 if is_due else 0.0)
            work[WANTED] = read_time(job.times, work[ROW])
            is_due = is_due and work[WANTED] <= work[REACHED]

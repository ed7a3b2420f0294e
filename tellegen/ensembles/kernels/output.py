"""Output of a run on the way: what is kept of every quantity at output times, at events and at the end."""

from __future__ import annotations

from tellegen.ensembles.kernels.job import Job, Status, judged, outputs, read_time, scatter_lane, write_lane
from tellegen.ensembles.kernels.loops import hold, put_back
from tellegen.ensembles.kernels.sizes import (
    ASIDE,
    ASSERTED,
    FINAL,
    HAS_CURVES,
    JUDGED,
    LAST,
    LEAST,
    MOST,
    OUT,
    OUTPUTS,
    REDUCED,
    REDUCTIONS,
    ROW,
    SQUARES,
    STATUS,
    SUM,
    TIME,
    Q,
)
from tellegen.procedures.language import Array, f64, i64, procedure

_SAME_TIME = 1e-12
"""Part of the largest time by which an event may miss an output time; see analyses/studies/outputs.py."""
JUDGED_LOW = (0.0,)
JUDGED_HIGH = (0.0,)
"""Between which numbers what is judged has to stay, put in with the sizes."""


@procedure(inline=True)
def begin_output(job: Job, work: Array[f64], t: f64, x: Array[f64]) -> None:
    """The first row."""
    out = work[OUT:]
    last = work[LAST:]
    reduced = work[REDUCED:]
    outputs(t, job.common, work[Q:], x, out)
    for k in range(OUTPUTS):
        value = out[k]
        last[k] = value
        reduced[REDUCTIONS * k + FINAL] = value
        reduced[REDUCTIONS * k + LEAST] = value
        reduced[REDUCTIONS * k + MOST] = value
        reduced[REDUCTIONS * k + SUM] = 0.0
        reduced[REDUCTIONS * k + SQUARES] = 0.0


@procedure(inline=True)
def take_row(job: Job, work: Array[f64], t: f64, x: Array[f64], since: f64, is_due: bool) -> None:
    """A row at time t where it is due; the one before was at `since`. Both sides of jumps are rows."""
    out = work[OUT:]
    last = work[LAST:]
    reduced = work[REDUCED:]
    hold(work, work[ASIDE:])
    outputs(t, job.common, work[Q:], x, out)
    put_back(work, work[ASIDE:], is_due)
    half = 0.5 * (t - since)
    for k in range(OUTPUTS):
        value = out[k]
        before = last[k]
        at = REDUCTIONS * k
        least = reduced[at + LEAST]
        most = reduced[at + MOST]
        total = reduced[at + SUM]
        squares = reduced[at + SQUARES]
        reduced[at + FINAL] = value if is_due else reduced[at + FINAL]
        reduced[at + LEAST] = value if is_due and value < least else least
        reduced[at + MOST] = value if is_due and value > most else most
        reduced[at + SUM] = total + half * (value + before) if is_due else total
        reduced[at + SQUARES] = squares + half * (value * value + before * before) if is_due else squares
        last[k] = value if is_due else before


@procedure(inline=True)
def judge(job: Job, work: Array[f64], t: f64, x: Array[f64], is_due: bool) -> None:
    """Where an assertion does not hold or a limit is left, the run is one for the scalar engine, which says so."""
    if JUDGED > 0:
        seen = work[ASSERTED:]
        hold(work, work[ASIDE:])
        judged(t, job.common, work[Q:], x, seen)
        put_back(work, work[ASIDE:], is_due)
        is_good = True
        for k in range(JUDGED):
            is_good = is_good and seen[k] >= JUDGED_LOW[k] and seen[k] <= JUDGED_HIGH[k]
        work[STATUS] = Status.EVENT if is_due and not is_good else work[STATUS]


@procedure(inline=True)
def keep_curve(job: Job, work: Array[f64], first: i64, row: f64, is_due: bool) -> None:
    """The row that was taken last, as number `row` of the curves."""
    if HAS_CURVES > 0:
        out = work[OUT:]
        for k in range(OUTPUTS):
            width = float(OUTPUTS * job.stride)
            scatter_lane(job.curves, k * job.stride + first, width, row, out[k], is_due)


@procedure(inline=True)
def keep_after_event(job: Job, work: Array[f64], first: i64, is_event: bool) -> None:
    """At an output time that is the instant of an event the values after it count, which were taken last."""
    if HAS_CURVES > 0:
        row = work[ROW] - 1.0
        slack = _SAME_TIME * max(abs(job.start), abs(job.stop))
        keep_curve(job, work, first, row, is_event and read_time(job.times, row) >= work[TIME] - slack)


@procedure(inline=True)
def write_results(job: Job, work: Array[f64], first: i64) -> None:
    """What was kept, to where the host finds it."""
    reduced = work[REDUCED:]
    for k in range(REDUCTIONS * OUTPUTS):
        write_lane(job.results, k * job.stride + first, reduced[k])

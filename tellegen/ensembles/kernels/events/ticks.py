"""When the samples of a model are due, and which of them are due now; see engine/runtime/events/sample_ticks.py."""

from __future__ import annotations

from tellegen.engine.runtime.events.sample_ticks import SAME_TICK
from tellegen.ensembles.kernels.job import Job, samples
from tellegen.ensembles.kernels.sizes import CLOCK, SAMPLES, TICK, Q, X
from tellegen.procedures.language import Array, ceil, f64, floor, procedure

SAMPLE_SLOT = (0,)
"""The flags that samples raise, put in with the sizes."""

_ROUNDING = 16 * 2.220446049250313e-16  # of the time: ticks of several clocks that close are one instant


@procedure(inline=True)
def find_ticks(job: Job, work: Array[f64], t: f64, strictly_after: bool) -> None:
    """The next tick of every sample: at this time or after it, or strictly after it."""
    if SAMPLES > 0:
        clock = work[CLOCK:]
        tick = work[TICK:]
        samples(t, job.common, work[Q:], work[X:], clock)
        for k in range(SAMPLES):
            offset = clock[2 * k]
            period = clock[2 * k + 1]
            ticks = (t - offset) / period
            slack = SAME_TICK + _ROUNDING * (abs(offset) + abs(t)) / period
            found = floor(ticks + slack) + 1.0 if strictly_after else ceil(ticks - slack)
            tick[k] = max(0.0, found)


@procedure(inline=True)
def next_tick(work: Array[f64], soonest: f64) -> f64:
    """The time of the next tick, where that is before `soonest`."""
    found = soonest
    for k in range(SAMPLES):
        time = work[CLOCK + 2 * k] + work[TICK + k] * work[CLOCK + 2 * k + 1]
        found = min(found, time)
    return found


@procedure(inline=True)
def raise_samples(work: Array[f64], t: f64, is_due: bool) -> None:
    """Raise the flags of the samples that are due now, and continue to the next tick of those."""
    if SAMPLES > 0:
        q = work[Q:]
        tick = work[TICK:]
        largest = 0.0
        for k in range(SAMPLES):
            largest = max(largest, abs(work[CLOCK + 2 * k]))
        near = _ROUNDING * (abs(t) + largest)
        for k in range(SAMPLES):
            time = work[CLOCK + 2 * k] + tick[k] * work[CLOCK + 2 * k + 1]
            is_now = is_due and abs(t - time) <= near
            q[SAMPLE_SLOT[k]] = 1.0 if is_now else q[SAMPLE_SLOT[k]]
            tick[k] = tick[k] + 1.0 if is_now else tick[k]


@procedure(inline=True)
def lower_samples(work: Array[f64], is_due: bool) -> None:
    """Samples are due at one instant only."""
    q = work[Q:]
    for k in range(SAMPLES):
        q[SAMPLE_SLOT[k]] = 0.0 if is_due else q[SAMPLE_SLOT[k]]

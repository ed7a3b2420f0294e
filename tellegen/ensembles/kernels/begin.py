"""The beginning of a run: its numbers, its start values, its tolerances."""

from __future__ import annotations

from tellegen.ensembles.kernels.job import Job, parameters, read_lane, start_values
from tellegen.ensembles.kernels.sizes import PEAK, PER_RUN, STATES, VARIED, Q, X
from tellegen.procedures.language import Array, f64, i64, procedure


@procedure(inline=True)
def begin_run(job: Job, first: i64, work: Array[f64]) -> None:
    """Parameters and states at the start."""
    q = work[Q:]
    x = work[X:]
    peak = work[PEAK:]
    for k in range(VARIED, PER_RUN):
        q[k] = 0.0
    for k in range(VARIED):
        q[k] = read_lane(job.varied, k * job.stride + first)
    parameters(job.start, job.common, q, x, q)
    start_values(job.start, job.common, q, x, x)
    for i in range(STATES):
        peak[i] = 0.0


@procedure(inline=True)
def absolute(job: Job, work: Array[f64], i: i64) -> f64:
    """The absolute tolerance of a state: it grows with the largest value that the state has had."""
    return max(job.atol[i], job.part[i] * work[PEAK + i])


@procedure(inline=True)
def is_loose(job: Job, work: Array[f64]) -> bool:
    """Whether a state stayed so small that its absolute tolerance was too large."""
    peak = work[PEAK:]
    found = False
    for i in range(STATES):
        found = found or (peak[i] > 0.0 and peak[i] < job.too_loose[i])
    return found


@procedure(inline=True)
def grow(work: Array[f64], x: Array[f64], is_due: bool) -> None:
    """The largest values of the states."""
    peak = work[PEAK:]
    for i in range(STATES):
        peak[i] = max(peak[i], abs(x[i])) if is_due else peak[i]

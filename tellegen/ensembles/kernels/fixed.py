"""The classical Runge-Kutta method of order 4 with steps of one length, for models without events."""

from __future__ import annotations

from tellegen.ensembles.kernels.begin import begin_run
from tellegen.ensembles.kernels.job import Job, rates, write_lane
from tellegen.ensembles.kernels.output import begin_output, take_row, write_results
from tellegen.ensembles.kernels.sizes import LANES, STAGE, STATES, WORK, K, Q, X
from tellegen.procedures.language import f64, i64, local_array, procedure


@procedure
def fixed_run(job: Job, first: i64) -> None:
    """Run number `first` and those of the lanes beside it."""
    work = local_array(f64, WORK)
    x = work[X:]
    stage = work[STAGE:]
    k1 = work[K:]
    k2 = work[K + STATES :]
    k3 = work[K + 2 * STATES :]
    k4 = work[K + 3 * STATES :]
    q = work[Q:]
    common = job.common
    begin_run(job, first, work)
    begin_output(job, work, job.start, x)
    h = (job.stop - job.start) / job.fixed_steps
    for step in range(job.fixed_steps):
        t = job.start + step * h
        rates(t, common, q, x, k1)
        for i in range(STATES):
            stage[i] = x[i] + 0.5 * h * k1[i]
        rates(t + 0.5 * h, common, q, stage, k2)
        for i in range(STATES):
            stage[i] = x[i] + 0.5 * h * k2[i]
        rates(t + 0.5 * h, common, q, stage, k3)
        for i in range(STATES):
            stage[i] = x[i] + h * k3[i]
        rates(t + h, common, q, stage, k4)
        for i in range(STATES):
            x[i] = x[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i])
    take_row(job, work, job.stop, x, job.start, True)
    write_results(job, work, first)
    write_lane(job.status, first, 0.0)
    write_lane(job.reached, first, job.stop)


@procedure
def fixed_runs(job: Job, first: i64, last: i64) -> None:
    """Runs from `first` to `last`, so many at a time as there are lanes."""
    for run in range(first, last, LANES):
        fixed_run(job, run)

"""The runs of a study, by an executor.

The first runs are made here: mistakes show at once, the time of a run is known, and a study that is over in a moment
starts no processes. Then come batches of about a tenth of a second (chunks.py), so that progress, saving and Ctrl-C are
never far.
"""

from __future__ import annotations

import pickle
from collections.abc import Generator
from time import perf_counter

import numpy as np

from tellegen.analyses.child_processes import START_METHOD, available_cores
from tellegen.analyses.executors.choose import HERE, chosen
from tellegen.analyses.executors.threads import Series
from tellegen.analyses.executors.work import Executor, Lost, Work
from tellegen.analyses.studies.chunks import Chunks
from tellegen.analyses.studies.jobs import DIED, Batch, Jobs, Ran, Task, run_job, run_jobs
from tellegen.errors import DesignError
from tellegen.ir.source_location import here

_LOOK_SECONDS = 0.03  # runs made here before others are asked
_WORTH_SECONDS = 0.1  # what must remain for processes to be worth their start


def carry_out(
    task: Task, jobs: Jobs, executor: object, workers: int | None, strict: bool
) -> Generator[Batch, None, None]:
    """Do all jobs, in any order, and give them back batch by batch.

    With `strict`, an external function that fails in the first run is an error.
    """
    location = here()
    make = chosen(executor, location)
    elsewhere = executor not in HERE
    look = min(1, len(jobs)) if elsewhere else len(jobs)
    began = perf_counter()
    slowest = 0.0
    done = 0
    while done < look and (not done or perf_counter() - began < _LOOK_SECONDS):
        since = perf_counter()
        batch = run_jobs(task, jobs.part(done, done + 1), location if strict and not done else None)
        slowest = max(slowest, perf_counter() - since) if done else 0.0  # the first one also loads code
        yield batch
        done += 1
    rest = jobs.part(done, len(jobs))
    if not len(rest):
        return
    each = slowest or perf_counter() - began
    work = Work(_threaded if executor == "threads" else run_jobs, task)
    if not elsewhere and each * len(rest) < _WORTH_SECONDS:
        pool: Executor = Series(work)
    else:
        if executor == "processes" and START_METHOD == "spawn":
            _refuse_unpicklable(task)
        if elsewhere:  # each worker would do it for itself, once its runs have taken long enough
            task.compiled.optimize_code()
        pool = make(work, min(available_cores() if workers is None else workers, len(rest)))
    try:
        yield from _batches(pool, task, Chunks(rest, pool.count, each))
    finally:
        pool.close()


def _batches(pool: Executor, task: Task, chunks: Chunks) -> Generator[Batch, None, None]:
    """All batches; the runs of one whose worker died are made again one by one."""
    lost: list[Jobs] = []
    for answer in pool.answers(chunks):
        jobs = chunks.given.pop(answer.number)
        if not isinstance(answer.result, Lost):
            chunks.learn(answer.result)
            yield answer.result
        elif len(jobs) > 1:
            lost.append(jobs)
        else:
            nothing = (None,) * len(task.outputs)
            yield Batch([Ran(job.number, DIED, answer.result.reason, np.nan, np.nan, nothing) for job in jobs])
    if lost:
        again = Jobs(np.concatenate([jobs.which for jobs in lost]), np.concatenate([jobs.rows for jobs in lost]))
        yield from _batches(pool, task, Chunks(again, len(again), np.inf))


def _threaded(task: Task, jobs: Jobs) -> Batch:
    """Some runs in a thread: warnings are caught for all threads of a process at once, so they pass."""
    return Batch([run_job(task, job) for job in jobs])


def _refuse_unpicklable(task: Task) -> None:
    """E605: functions without a name cannot be sent to processes that begin from nothing."""
    for output in task.outputs:
        try:
            pickle.dumps(output)
        except Exception as error:  # pickle raises several classes
            what = f"the output '{output.name}' cannot be sent to other processes: {error}"
            advice = "define it by 'def' at the top of a module; or executor='threads'"
            raise DesignError("E605", what, location=here(), advice=advice) from None

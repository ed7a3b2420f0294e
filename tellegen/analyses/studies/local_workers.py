"""Runs on all cores of this machine: in processes, or in threads."""

from __future__ import annotations

import multiprocessing
import pickle
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import numpy as np

from tellegen.analyses.child_processes import START_METHOD, begin_child
from tellegen.analyses.studies.jobs import DIED, Batch, Job, Ran, Task, run_job, run_jobs
from tellegen.errors import DesignError
from tellegen.ir.source_location import here

_TASK: Task | None = None  # of this process, in processes of a pool


def in_threads(task: Task, batches: list[list[Job]], workers: int) -> Iterator[Batch]:
    """Threads of this process: native code runs side by side, Python code does not."""
    over = threading.Event()

    def some(jobs: list[Job]) -> Batch:
        return Batch([run_job(task, job) for job in jobs if not over.is_set()])

    pool = ThreadPoolExecutor(workers)
    try:
        for future in as_completed([pool.submit(some, jobs) for jobs in batches]):
            yield future.result()
    finally:
        over.set()
        pool.shutdown(wait=False, cancel_futures=True)


def in_processes(task: Task, batches: list[list[Job]], workers: int) -> Iterator[Batch]:
    """Processes. Where one dies (memory, a fault in external C code), its runs are tried again one by one."""
    while batches:
        lost = yield from _pool(task, batches, workers)
        in_flight = 2 * workers + 1
        for job in [job for jobs in lost[:in_flight] for job in jobs]:
            if (yield from _pool(task, [[job]], 1)):
                reason = "the process that ran it ended without a result: out of memory, or a crash in external code"
                yield Batch([Ran(job.number, DIED, reason, np.nan, np.nan, (None,) * len(task.outputs))])
        batches = lost[in_flight:]


def _pool(task: Task, batches: list[list[Job]], workers: int) -> Any:
    """A pool for some batches; returns those without an answer because a process died."""
    if START_METHOD == "spawn":
        _refuse_unpicklable(task)
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        min(workers, len(batches)), multiprocessing.get_context(START_METHOD), initializer=_begin, initargs=(task,)
    )
    waiting: dict[Future[Batch], int] = {}
    started = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # fork beside threads: they hold no lock of ours
            waiting = {pool.submit(_some, jobs): k for k, jobs in enumerate(batches)}
        for future in as_completed(list(waiting)):
            batch = future.result()
            started = True
            del waiting[future]
            yield batch
        return []
    except BrokenProcessPool as error:
        if not started and START_METHOD == "spawn":
            raise _not_started() from error
        return [batches[k] for k in sorted(waiting.values())]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        if waiting:  # somebody is in a hurry: Ctrl-C
            for process in set(multiprocessing.active_children()) - before:
                process.terminate()


def _begin(task: Task) -> None:
    """A process of the pool begins."""
    global _TASK
    _TASK = task
    begin_child()


def _some(jobs: list[Job]) -> Batch:
    assert _TASK is not None
    return run_jobs(_TASK, jobs)


def _refuse_unpicklable(task: Task) -> None:
    """E605: functions without a name cannot be sent to processes that begin from nothing."""
    for output in task.outputs:
        try:
            pickle.dumps(output)
        except Exception as error:  # pickle raises several classes
            what = f"the output '{output.name}' cannot be sent to other processes: {error}"
            advice = "define it by 'def' at the top of a module; or executor='threads'"
            raise DesignError("E605", what, location=here(), advice=advice) from None


def _not_started() -> DesignError:
    advice = "in a script, put its code under  if __name__ == '__main__':  ; or executor='threads'"
    return DesignError("E605", "the processes of the study could not start", location=here(), advice=advice)

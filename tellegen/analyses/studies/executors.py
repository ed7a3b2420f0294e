"""Where the runs are made: here, in threads, in processes on all cores, or on a cluster by Dask or Ray.

The first runs are made here: mistakes show at once, the time of a run is known, and a study that is over in a moment
starts no processes. Then come batches of about a tenth of a second, so that progress, saving and Ctrl-C are never far.

Processes are the usual choice: code around a run is Python, which in threads waits for its lock, and only the
integration itself runs side by side. On Linux they are forked, with the compiled model and any function in them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from time import perf_counter
from typing import Any

from tellegen.analyses.child_processes import available_cores
from tellegen.analyses.studies.jobs import Batch, Job, Task, run_jobs
from tellegen.errors import DesignError, nearest
from tellegen.ir.source_location import SourceLocation, here

EXECUTORS = ("processes", "threads", "serial", "dask", "ray")
_BATCH_SECONDS = 0.1
_LOOK_SECONDS = 0.03  # runs made here before others are asked
_WORTH_SECONDS = 0.1  # what must remain for processes to be worth their start
_SHARE = 4  # batches for each worker at least, so that none waits long for the others

Way = Callable[[Task, list[list[Job]], int], Iterator[Batch]]


def chosen(executor: object, location: SourceLocation) -> Way:
    """The way runs are made."""
    from tellegen.analyses.studies import cluster
    from tellegen.analyses.studies.local_workers import in_processes, in_threads

    if not isinstance(executor, str):
        if hasattr(executor, "scatter") and hasattr(executor, "submit"):
            return lambda task, batches, _: cluster.by_dask(task, batches, executor)
        if hasattr(executor, "submit"):
            return lambda task, batches, _: cluster.by_futures(task, batches, executor)
    ways: dict[Any, Way] = {
        "processes": in_processes,
        "threads": in_threads,
        "serial": in_series,
        "dask": lambda task, batches, workers: cluster.by_dask(task, batches, cluster.dask_client(workers)),
        "ray": lambda task, batches, workers: cluster.by_ray(task, batches, cluster.ray_cluster(workers)),
    }
    if not isinstance(executor, str) or executor not in ways:
        what = f"there is no executor {executor!r}; {nearest(str(executor), EXECUTORS)}"
        advice = f"one of {', '.join(map(repr, EXECUTORS))}, a Dask client, or anything with submit()"
        raise DesignError("E604", what, location=location, advice=advice)
    cluster.check_installed(executor, location)
    return ways[executor]


def in_series(task: Task, batches: list[list[Job]], _workers: int) -> Iterator[Batch]:
    """One after the other, here."""
    for jobs in batches:
        yield run_jobs(task, jobs)


def carry_out(
    task: Task, jobs: list[Job], executor: object, workers: int | None, strict: bool
) -> Generator[Batch, None, None]:
    """Do all jobs, in any order, and give them back batch by batch.

    With `strict`, an external function that fails in the first run is an error.
    """
    location = here()
    way = chosen(executor, location)
    count = available_cores() if workers is None else workers
    elsewhere = executor not in ("processes", "threads", "serial")
    look = min(1, len(jobs)) if elsewhere else len(jobs)
    began = perf_counter()
    slowest = 0.0
    done = 0
    while done < look and (not done or perf_counter() - began < _LOOK_SECONDS):
        since = perf_counter()
        batch = run_jobs(task, [jobs[done]], location if strict and not done else None)
        slowest = max(slowest, perf_counter() - since) if done else 0.0  # the first one also loads code
        yield batch
        done += 1
    rest = jobs[done:]
    each = slowest or perf_counter() - began
    if not elsewhere and each * len(rest) < _WORTH_SECONDS:
        way = in_series
        count = 1
    size = max(1, min(int(_BATCH_SECONDS / each), -(-len(rest) // (_SHARE * count))))
    if rest:
        yield from way(task, [rest[k : k + size] for k in range(0, len(rest), size)], count)

"""Runs elsewhere: by Dask, by Ray, or by any executor with submit(). The same runs, the same results."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import as_completed
from importlib.util import find_spec
from typing import Any

import numpy as np

from tellegen.analyses.studies.jobs import DIED, Batch, Job, Ran, Task, run_jobs
from tellegen.errors import DesignError
from tellegen.ir.source_location import SourceLocation


def missing(package: str, extra: str, location: SourceLocation, without: str) -> DesignError:
    """E606: an optional package that is not installed."""
    what = f"this needs the package {package}, which is not installed"
    return DesignError("E606", what, location=location, advice=f"pip install 'tellegen[{extra}]'; {without}")


def check_installed(executor: str, location: SourceLocation) -> None:
    """E606 before anything is run."""
    package = {"dask": "distributed", "ray": "ray"}.get(executor, "")
    if package and getattr(find_spec(package), "origin", None) is None:  # a folder of that name has no origin
        raise missing(package, executor, location, "executor='processes' uses all cores without it")


def dask_client(workers: int) -> Any:
    """The Dask client of this session, or a cluster of processes on this machine."""
    from distributed import Client, get_client  # type: ignore[import-not-found]

    try:
        return get_client()
    except ValueError:
        # any free port: with none given it takes 8787 and warns where another session has it
        return Client(n_workers=workers, threads_per_worker=1, dashboard_address=":0")


def by_dask(task: Task, batches: list[list[Job]], client: Any) -> Iterator[Batch]:
    """The task goes to every worker once."""
    from distributed import as_completed as completed  # type: ignore[import-not-found]

    shared = client.scatter(task, broadcast=True)
    futures = {client.submit(run_jobs, shared, jobs, pure=False): jobs for jobs in batches}
    try:
        for future in completed(list(futures)):
            jobs = futures.pop(future)
            error = future.exception()
            yield _lost(task, jobs, error) if error is not None else future.result()
    finally:
        if futures:
            client.cancel(list(futures))


def ray_cluster(workers: int) -> Any:
    """The module ray, connected to the cluster of this session or to this machine."""
    import ray  # type: ignore[import-not-found]

    if not ray.is_initialized():
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    return ray


def by_ray(task: Task, batches: list[list[Job]], ray: Any) -> Iterator[Batch]:
    """The task stands in the object store once."""
    shared = ray.put(task)
    remote = ray.remote(run_jobs)
    futures = {remote.remote(shared, jobs): jobs for jobs in batches}
    try:
        while futures:
            done, _ = ray.wait(list(futures))
            for future in done:
                jobs = futures.pop(future)
                try:
                    batch = ray.get(future)
                except ray.exceptions.RayError as error:
                    batch = _lost(task, jobs, error)
                yield batch
    finally:
        for future in futures:
            ray.cancel(future, force=True)


def by_futures(task: Task, batches: list[list[Job]], pool: Any) -> Iterator[Batch]:
    """Any executor of the kind of concurrent.futures; the task travels with every batch."""
    futures = {pool.submit(run_jobs, task, jobs): jobs for jobs in batches}
    try:
        for future in as_completed(futures):
            jobs = futures.pop(future)
            error = future.exception()
            yield _lost(task, jobs, error) if error is not None else future.result()
    finally:
        for future in futures:
            future.cancel()


def _lost(task: Task, jobs: list[Job], error: BaseException) -> Batch:
    """A batch whose worker gave no answer."""
    reason = f"the worker did not respond: {type(error).__name__}: {error}"
    return Batch([Ran(job.number, DIED, reason, np.nan, np.nan, (None,) * len(task.outputs)) for job in jobs])

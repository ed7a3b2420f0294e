"""Jobs elsewhere: by Dask, by Ray, or by any executor with submit(). The same jobs, the same results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from importlib.util import find_spec
from typing import Any

from tellegen.analyses.executors.work import Answer, Lost, Work, answer, call_known
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


def ray_cluster(workers: int) -> Any:
    """The module ray, connected to the cluster of this session or to this machine."""
    import ray  # type: ignore[import-not-found]

    if not ray.is_initialized():
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    return ray


class Dask:
    """The work goes to every worker once."""

    def __init__(self, work: Work, client: Any) -> None:
        self._client = client
        self._shared = client.scatter(work, broadcast=True)
        self._futures: dict[Any, int] = {}

    def answers(self, jobs: Sequence[Any]) -> Iterator[Answer]:
        """As they are done."""
        from distributed import as_completed as completed  # type: ignore[import-not-found]

        submit = self._client.submit
        self._futures = {submit(call_known, self._shared, job, pure=False): k for k, job in enumerate(jobs)}
        for future in completed(list(self._futures)):
            number = self._futures.pop(future)
            error = future.exception()
            yield _lost(number, error) if error is not None else answer(number, future.result())

    def close(self) -> None:
        """Cancel what is under way."""
        if self._futures:
            self._client.cancel(list(self._futures))


class Ray:
    """The work stands in the object store once."""

    def __init__(self, work: Work, ray: Any) -> None:
        self._ray = ray
        self._shared = ray.put(work)
        self._call = ray.remote(call_known)
        self._futures: dict[Any, int] = {}

    def answers(self, jobs: Sequence[Any]) -> Iterator[Answer]:
        """As they are done."""
        self._futures = {self._call.remote(self._shared, job): number for number, job in enumerate(jobs)}
        while self._futures:
            done, _ = self._ray.wait(list(self._futures))
            for future in done:
                number = self._futures.pop(future)
                try:
                    result = self._ray.get(future)
                except self._ray.exceptions.RayError as error:
                    yield _lost(number, error)
                else:
                    yield answer(number, result)

    def close(self) -> None:
        """Cancel what is under way."""
        for future in self._futures:
            self._ray.cancel(future, force=True)


class Futures:
    """Any executor of the kind of concurrent.futures; the work travels with every job."""

    def __init__(self, work: Work, pool: Any) -> None:
        self.work = work
        self._pool = pool
        self._futures: dict[Any, int] = {}

    def answers(self, jobs: Sequence[Any]) -> Iterator[Answer]:
        """As they are done."""
        self._futures = {self._pool.submit(call_known, self.work, job): number for number, job in enumerate(jobs)}
        for future in as_completed(list(self._futures)):
            number = self._futures.pop(future)
            error = future.exception()
            yield _lost(number, error) if error is not None else answer(number, future.result())

    def close(self) -> None:
        """Cancel what has not begun."""
        for future in self._futures:
            future.cancel()


def _lost(number: int, error: BaseException) -> Answer:
    return Answer(number, Lost(f"the worker did not respond: {type(error).__name__}: {error}"))

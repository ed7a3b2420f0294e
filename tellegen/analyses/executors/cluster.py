"""Jobs elsewhere: by Dask, by Ray, or by any executor with submit(). The same jobs, the same results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from typing import Any

from tellegen.analyses.executors.window import FOR_EACH, Numbered, Window
from tellegen.analyses.executors.work import Answer, Lost, Work, answer, call_fetched, call_known
from tellegen.errors import DesignError
from tellegen.ir.source_location import SourceLocation

_TRIES = 3  # times that the work is sent again where all that held it are gone
_NOWHERE = RuntimeError("all workers that held the work are gone")
_WORKERS_SECONDS = 120.0  # until a cluster without workers has a new one
_UNKNOWN = 64  # workers of an executor that does not say how many it has


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
    """The work goes to every worker once.

    What a worker was doing when it died is done by another one: Dask sees to that, unless the worker was the last that
    held the work. Then the work goes out once more.
    """

    def __init__(self, work: Work, client: Any) -> None:
        self._client = client
        self._work = work.with_objects()
        self._shared = client.scatter(self._work, broadcast=True)
        self._pending: dict[Any, _Under] = {}

    @property
    def count(self) -> int:
        """Threads of all workers, which may come and go."""
        return max(sum(self._client.nthreads().values()), 1)

    def answers(self, jobs: Iterable[Any]) -> Iterator[Answer]:
        """As they are done."""
        from distributed import as_completed  # type: ignore[import-not-found]

        rest = (_Under(number, job) for number, job in enumerate(jobs))
        completed = as_completed()
        self._fill(completed, rest)
        for future in completed:
            under = self._pending.pop(future)
            try:
                error = future.exception()
                result = None if error is not None else future.result()
            except CancelledError:  # nobody has the work any more, or the result: its workers are gone
                if under.tries < _TRIES and self._send():
                    completed.add(self._submit(_Under(under.number, under.job, under.tries + 1)))
                    continue
                error, result = _NOWHERE, None
            self._fill(completed, rest)
            yield _lost(under.number, error) if error is not None else answer(under.number, result)

    def _send(self) -> bool:
        """The work to every worker once more; whether there is one, or was within two minutes."""
        try:
            self._shared = self._client.scatter(self._work, broadcast=True, timeout=_WORKERS_SECONDS)
        except TimeoutError:
            return False
        return True

    def _fill(self, completed: Any, rest: Iterator[_Under]) -> None:
        room = FOR_EACH * self.count - len(self._pending)
        for under in islice(rest, max(room, 0)):
            completed.add(self._submit(under))

    def _submit(self, under: _Under) -> Any:
        future = self._client.submit(call_known, self._shared, under.job, pure=False)
        self._pending[future] = under
        return future

    def close(self) -> None:
        """Cancel what is under way."""
        if self._pending:
            self._client.cancel(list(self._pending))


class Ray:
    """The work stands in the object store once; a worker reads it with its first job."""

    def __init__(self, work: Work, ray: Any) -> None:
        self._ray = ray
        self._token = work.token
        self._shared = ray.put(work.with_objects())
        self._call = ray.remote(_call_stored)
        self._pending: dict[Any, int] = {}

    @property
    def count(self) -> int:
        """Processors of all machines."""
        return max(int(self._ray.cluster_resources().get("CPU", 1)), 1)

    def answers(self, jobs: Iterable[Any]) -> Iterator[Answer]:
        """As they are done. What a worker was doing when it died is done by another one: Ray sees to that."""
        rest = iter(enumerate(jobs))
        self._fill(rest)
        while self._pending:
            done, _ = self._ray.wait(list(self._pending))
            self._fill(rest)
            for future in done:
                number = self._pending.pop(future)
                try:
                    result = self._ray.get(future)
                except self._ray.exceptions.RayError as error:
                    yield _lost(number, error)
                else:
                    yield answer(number, result)

    def _fill(self, rest: Numbered) -> None:
        for number, job in islice(rest, max(FOR_EACH * self.count - len(self._pending), 0)):
            self._pending[self._call.remote(self._token, [self._shared], job)] = number

    def close(self) -> None:
        """Cancel what is under way."""
        for future in self._pending:
            self._ray.cancel(future, force=True)


class Futures:
    """Any executor of the kind of concurrent.futures; the work travels with every job."""

    def __init__(self, work: Work, pool: Any, count: int) -> None:
        self.work = work
        self.count = int(getattr(pool, "_max_workers", None) or max(count, _UNKNOWN))
        self._window = Window(lambda _, job: pool.submit(call_known, work, job), self.count)

    def answers(self, jobs: Iterable[Any]) -> Iterator[Answer]:
        """As they are done."""
        for number, future in self._window.done(iter(enumerate(jobs))):
            error = future.exception()
            yield _lost(number, error) if error is not None else answer(number, future.result())

    def close(self) -> None:
        """Cancel what has not begun."""
        self._window.cancel()


@dataclass(frozen=True, eq=False)
class _Under:
    """A job under way on a cluster, and how often its work was lost before."""

    number: int
    job: Any
    tries: int = 0


def _call_stored(token: str, stored: list[Any], job: Any) -> Any:
    """One job in a process of Ray: in a list, the work is not read before it is asked for."""

    def fetch() -> Work:
        import ray  # type: ignore[import-not-found]

        return ray.get(stored[0])

    return call_fetched(token, fetch, job)


def _lost(number: int, error: BaseException) -> Answer:
    return Answer(number, Lost(f"the worker did not respond: {type(error).__name__}: {error}"))

"""Jobs on all cores of this machine, in processes that live until the executor is closed.

Where a process dies (out of memory, a crash in external code), nobody knows which job it was. Those that may have been
under way are done again one by one, each in a process of its own; all others go to new processes. So only a job that
ends its process twice is lost.
"""

from __future__ import annotations

import multiprocessing
import warnings
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from tellegen.analyses.child_processes import START_METHOD, begin_child
from tellegen.analyses.executors.work import Answer, Lost, Work, answer, call
from tellegen.errors import DesignError
from tellegen.ir.source_location import here

_DIED = "the process that ran it ended without a result: out of memory, or a crash in external code"


class Processes:
    """See the top of this file; the processes begin with the first jobs."""

    def __init__(self, work: Work, count: int) -> None:
        self.work = work
        self.count = count
        self._pool: ProcessPoolExecutor | None = None
        self._before: set[Any] = set()
        self._is_busy = False
        self._has_answered = False

    def answers(self, jobs: Sequence[Any]) -> Iterator[Answer]:
        """As they are done."""
        waiting = dict(enumerate(jobs))
        while waiting:
            suspects = yield from self._round(waiting)
            for number in suspects:
                yield self._alone(number, waiting.pop(number))

    def _round(self, waiting: dict[int, Any]) -> Generator[Answer, None, list[int]]:
        """Do what waits; where a process dies, the jobs that may have been under way are left and returned."""
        pool = self._pool or self._started(min(self.count, len(waiting)))
        futures: dict[Future[Any], int] = {}
        self._is_busy = True
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # fork beside threads: they hold no lock of ours
                for number, job in waiting.items():
                    futures[pool.submit(_call, job)] = number
            for future in as_completed(list(futures)):
                result = future.result()
                number = futures.pop(future)
                del waiting[number]
                self._has_answered = True
                yield answer(number, result)
        except BrokenProcessPool as error:
            self.close()
            if not self._has_answered and START_METHOD == "spawn":
                raise _not_started() from error
            return sorted(waiting)[: 2 * self.count + 1]
        self._is_busy = False
        return []

    def _alone(self, number: int, job: Any) -> Answer:
        """A job in a process of its own."""
        only = Processes(self.work, 1)
        pool = only._started(1)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                return answer(number, pool.submit(_call, job).result())
        except BrokenProcessPool:
            return Answer(number, Lost(_DIED))
        finally:
            only.close()

    def _started(self, count: int) -> ProcessPoolExecutor:
        self._before = set(multiprocessing.active_children())
        context = multiprocessing.get_context(START_METHOD)
        self._pool = ProcessPoolExecutor(count, context, initializer=_begin, initargs=(self.work,))
        return self._pool

    def close(self) -> None:
        """End all processes, at once where they are busy: somebody is in a hurry."""
        if self._pool is None:
            return
        own = set(multiprocessing.active_children()) - self._before
        self._pool.shutdown(wait=False, cancel_futures=True)
        if self._is_busy:
            for process in own:
                process.terminate()
        self._pool = None
        self._is_busy = False


_work: Work | None = None  # of this process, in processes of a pool


def _begin(work: Work) -> None:
    """A process of the pool begins."""
    global _work
    _work = work
    begin_child()


def _call(job: Any) -> Any:
    assert _work is not None
    return call(_work, job)


def _not_started() -> DesignError:
    advice = "in a script, put its code under  if __name__ == '__main__':  ; or executor='threads'"
    return DesignError("E605", "the processes could not start", location=here(), advice=advice)

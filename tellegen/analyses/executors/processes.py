"""Jobs on all cores of this machine, in processes that live until the executor is closed.

Where a process dies (out of memory, a crash in external code), nobody knows which job it was. Those that may have been
under way are done again one by one, each in a process of its own; all others go to new processes. So only a job that
ends its process twice is lost.
"""

from __future__ import annotations

import multiprocessing
import warnings
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain
from typing import Any

from tellegen.analyses.child_processes import START_METHOD, begin_child
from tellegen.analyses.executors.window import Numbered, Window
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

    def answers(self, jobs: Iterable[Any]) -> Iterator[Answer]:
        """As they are done."""
        rest = iter(enumerate(jobs))
        under_way: dict[int, Any] = {}
        is_over = False
        while not is_over:
            left = tuple(under_way.items())
            is_over = yield from self._round(under_way, chain(left, rest))
            if not is_over:
                for number in sorted(under_way)[: 2 * self.count + 1]:
                    yield self._alone(number, under_way.pop(number))

    def _round(self, under_way: dict[int, Any], jobs: Numbered) -> Generator[Answer, None, bool]:
        """Do all jobs; False where a process died, and then those under way are the ones that wait."""
        pool = self._pool or self._started(self.count)

        def submit(number: int, job: Any) -> Future[Any]:
            under_way[number] = job
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # fork beside threads: they hold no lock of ours
                return pool.submit(_call, job)

        self._is_busy = True
        try:
            for number, future in Window(submit, self.count).done(jobs):
                result = future.result()
                del under_way[number]
                self._has_answered = True
                yield answer(number, result)
        except BrokenProcessPool as error:
            self.close()
            if not self._has_answered and START_METHOD == "spawn":
                raise _not_started() from error
            return False
        self._is_busy = False
        return True

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

"""Jobs in this process: one after the other, or in threads."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tellegen.analyses.executors.window import Window
from tellegen.analyses.executors.work import Answer, Work, answer, call


class Series:
    """One after the other, here."""

    count = 1

    def __init__(self, work: Work) -> None:
        self.work = work

    def answers(self, jobs: Iterable[Any]) -> Iterator[Answer]:
        """In order; what is raised comes with its own traceback."""
        for number, job in enumerate(jobs):
            yield Answer(number, self.work.function(self.work.shared, job))

    def close(self) -> None:
        """Nothing is under way."""


class Threads:
    """Threads of this process: native code runs side by side, Python code does not."""

    def __init__(self, work: Work, count: int) -> None:
        self.work = work
        self.count = count
        self._over = threading.Event()
        self._pool = ThreadPoolExecutor(count)

    def answers(self, jobs: Iterable[Any]) -> Iterator[Answer]:
        """As they are done."""
        window = Window(lambda _, job: self._pool.submit(self._call, job), self.count)
        for number, future in window.done(iter(enumerate(jobs))):
            yield answer(number, future.result())

    def _call(self, job: Any) -> Any:
        return None if self._over.is_set() else call(self.work, job)

    def close(self) -> None:
        """Begin no more jobs."""
        self._over.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

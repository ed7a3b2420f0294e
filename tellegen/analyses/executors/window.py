"""Jobs that are given out when somebody is ready for them: only so many are under way, however many there are.

A million jobs need no memory before it is their turn, and whoever cuts them learns from the first ones how long they
take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from typing import Any

FOR_EACH = 3
"""Jobs under way for each worker: one that it does, and others that it need not wait for."""

Numbered = Iterator[tuple[int, Any]]
"""Jobs with their numbers."""


class Window:
    """Futures of the kind of concurrent.futures; `pending` are those under way, with the numbers of their jobs."""

    def __init__(self, submit: Callable[[int, Any], Future[Any]], workers: int) -> None:
        self.pending: dict[Future[Any], int] = {}
        self._submit = submit
        self._room = FOR_EACH * workers

    def done(self, jobs: Numbered) -> Iterator[tuple[int, Future[Any]]]:
        """Every job when it is done; others take its place."""
        self.fill(jobs)
        while self.pending:
            finished, _ = wait(self.pending, return_when=FIRST_COMPLETED)
            for future in finished:
                yield self.pending[future], future
                del self.pending[future]
            self.fill(jobs)

    def fill(self, jobs: Numbered) -> None:
        """Give out jobs as long as there is room."""
        for number, job in islice(jobs, max(self._room - len(self.pending), 0)):
            self.pending[self._submit(number, job)] = number

    def cancel(self) -> None:
        """What has not begun."""
        for future in self.pending:
            future.cancel()

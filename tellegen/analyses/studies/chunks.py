"""Runs cut into batches, each when a worker is ready for it: as many as take about a tenth of a second by then.

The first run is not a good guess: it loads code, and runs with other numbers take other times. So each batch that comes
back corrects it. Towards the end batches get smaller, so that no worker waits long for the others.
"""

from __future__ import annotations

from collections.abc import Iterator

from tellegen.analyses.studies.jobs import Batch, Jobs

_BATCH_SECONDS = 0.1
_MANY_WORKERS = 20  # above, batches get longer: whoever gives them out has 5 ms for each
_SHARE = 4  # batches for each worker at least
_NEW = 0.3  # weight of a new batch in the time of a run


class Chunks:
    """See the top of this file; `given` are the batches under way, numbered as they were given out."""

    def __init__(self, jobs: Jobs, workers: int, each: float) -> None:
        self.given: dict[int, Jobs] = {}
        self._jobs = jobs
        self._workers = workers
        self._each = each  # seconds that a run takes

    def __iter__(self) -> Iterator[Jobs]:
        first = 0
        number = 0
        while first < len(self._jobs):
            last = first + self.size(len(self._jobs) - first)
            self.given[number] = self._jobs.part(first, last)
            yield self.given[number]
            first = last
            number += 1

    def size(self, left: int) -> int:
        """Runs of the next batch."""
        seconds = _BATCH_SECONDS * max(1.0, self._workers / _MANY_WORKERS)
        wanted = min(seconds / self._each, -(-left // (_SHARE * self._workers)))
        return min(max(int(wanted), 1), left)

    def learn(self, batch: Batch) -> None:
        """How long runs took."""
        if batch.ran:
            mean = sum(one.seconds for one in batch.ran) / len(batch.ran)
            if mean > 0.0:
                self._each += _NEW * (mean - self._each)

"""Memory of the head over a long study on a cluster of this machine: what it keeps of a run is its row of results.

    python benchmarks/cluster_memory.py                  Dask and Ray, 10 000 and 50 000 runs
    python benchmarks/cluster_memory.py --runs 1000000 dask

Runs are short, so that the head has as much to do as it can have. Printed are, for each size, the resident memory
before the study and its peak until its result is there, by how much it grew while runs came in (after the first fifth
of them, when all arrays are there), and between two sizes the growth of the peak for each 10^5 runs. Of that are the
arrays that stay: the numbers of runs as they were given, as the rows that are run and as a coordinate with its index,
and the arrays of the result.
"""

from __future__ import annotations

import argparse
import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.analyses.executors import cluster
from tellegen.analyses.studies.columns import Columns
from tellegen.analyses.studies.jobs import Ran

_WORKERS = 2
_SIZES = (10_000, 50_000)
_MEGABYTE = 1e6
_FIRST_PART = 0.2  # of the runs, in which what is needed once is loaded


class Decay(tg.Component):
    """One state: as short as runs get."""

    T = tg.parameter(2.0, "s", min=0.0)
    x = tg.variable("V", start=1.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield self.T * tg.der(self.x) == -self.x


def resident() -> float:
    """Memory of this process now, in MB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / _MEGABYTE


class Peak:
    """The most memory while it is watched."""

    def __init__(self) -> None:
        self.most = resident()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._over.wait(0.05):
            self.most = max(self.most, resident())

    def end(self) -> float:
        """Stop to watch."""
        self._over.set()
        self._thread.join()
        return self.most


@contextmanager
def runs_counted() -> Iterator[list[tuple[int, float]]]:
    """How many runs have come in, and the memory then; a note for each batch."""
    seen = [(0, resident())]
    plain = Columns.take

    def counted(self: Columns, ran: Iterable[Ran]) -> None:
        batch = list(ran)
        plain(self, batch)
        seen.append((seen[-1][0] + len(batch), resident()))

    setattr(Columns, "take", counted)  # noqa: B010 - it is put back below
    try:
        yield seen
    finally:
        setattr(Columns, "take", plain)  # noqa: B010


def growth(seen: list[tuple[int, float]], runs: int) -> float:
    """MB between a fifth of the runs and the last ones."""
    later = [memory for done, memory in seen if done >= _FIRST_PART * runs]
    return later[-1] - later[0]


@contextmanager
def started(name: str) -> Iterator[None]:
    """A cluster of this machine."""
    if name == "dask":
        with cluster.dask_client(_WORKERS):
            yield
    else:
        ray = cluster.ray_cluster(_WORKERS)
        yield
        ray.shutdown()


def measured(executor: str, model: Any, runs: int) -> tuple[float, float]:
    """The peak of one study and what its arrays take, in MB."""
    before = resident()
    peak = Peak()
    began = time.process_time()
    rates = np.linspace(0.5, 2.0, runs)
    given: dict[str, Any] = {"outputs": ["final(x)"], "stop": 1.0, "points": 2}
    with runs_counted() as seen:
        study = tg.study(model, {"T": rates}, executor=executor, workers=_WORKERS, **given)
    most = peak.end()
    assert study.success
    error = np.abs(study["final(x)"].values - np.exp(-1.0 / rates)).max()
    seconds = time.process_time() - began
    print(f"{executor:5} {runs:9,} runs   before {before:7.1f} MB   peak {most:7.1f} MB   error {error:.1e}", end="")
    print(f"   while runs came in {growth(seen, runs):+5.1f} MB in {len(seen) - 1} batches", end="")
    print(f"   CPU of the head {seconds / runs * 1e6:6.1f} us a run")
    return most, (study.data.nbytes + 3 * rates.nbytes) / _MEGABYTE


def main() -> None:
    """Both, or those that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("executors", nargs="*", default=["dask", "ray"])
    parser.add_argument("--runs", type=int, nargs="*", default=list(_SIZES))
    asked = parser.parse_args()
    for executor in asked.executors:
        model = tg.compile(Decay())
        with started(executor):
            measured(executor, model, 2000)  # what is loaded once
            peaks = [measured(executor, model, runs) for runs in asked.runs]
        for k in range(1, len(peaks)):
            more, own = np.subtract(peaks[k], peaks[k - 1]) / (asked.runs[k] - asked.runs[k - 1]) * 1e5
            print(f"{executor:5} {more:.1f} MB more for each 10^5 runs, {own:.1f} of them its arrays")


if __name__ == "__main__":
    main()

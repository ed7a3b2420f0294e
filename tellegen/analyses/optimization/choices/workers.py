"""Nodes and leaves on all cores: in processes, once there is enough to do for them."""

from __future__ import annotations

import multiprocessing
import warnings
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from time import perf_counter

from tellegen.analyses.child_processes import START_METHOD, available_cores, begin_child
from tellegen.analyses.optimization.choices.leaves import Leaf, LeafSearch
from tellegen.analyses.optimization.choices.node import Node
from tellegen.analyses.optimization.choices.relaxation.bounding import Bounded, Sampled, bound, sampled
from tellegen.analyses.optimization.choices.space import Place, Space
from tellegen.ir.model import FloatArray

_PATIENCE_SECONDS = 1.0


@dataclass(frozen=True, eq=False)
class LeafJob:
    """A combination to search, from a guess."""

    place: Place
    guess: FloatArray


@dataclass(frozen=True, eq=False)
class BoundJob:
    """A node to bound; `known` is the objective of the best leaf so far (bounding.py)."""

    node: Node
    known: float
    confirmations: int


@dataclass(frozen=True, eq=False)
class SampleJob:
    """Runs of the relaxed problem of a shape, at combinations drawn at random."""

    shape: int
    count: int


Job = BoundJob | LeafJob | SampleJob
Done = Bounded | Leaf | Sampled


@dataclass(frozen=True, eq=False)
class Work:
    """What all jobs have in common."""

    space: Space
    leaves: LeafSearch

    def do(self, job: Job) -> Done:
        """One job."""
        if isinstance(job, LeafJob):
            return self.leaves.solve(self.space, job.place, job.guess)
        if isinstance(job, SampleJob):
            return sampled(self.space.shapes[job.shape], job.shape, job.count)
        return bound(self.space.shapes[job.node.shape], job.node, job.known, job.confirmations)


class Workers:
    """Do jobs here at first, and in processes after a second; a context manager."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self._began = perf_counter()
        self._pool: ProcessPoolExecutor | None = None
        self.count = available_cores() if START_METHOD == "fork" else 1

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            before = multiprocessing.active_children()
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in before:
                process.terminate()

    def do(self, jobs: Sequence[Job]) -> list[Done]:
        """All jobs, in their order."""
        if self._pool is None and self.count > 1 and perf_counter() - self._began > _PATIENCE_SECONDS:
            context = multiprocessing.get_context(START_METHOD)
            self._pool = ProcessPoolExecutor(self.count, context, initializer=_begin, initargs=(self.work,))
        if self._pool is None or len(jobs) < 2:
            return [self.work.do(job) for job in jobs]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # fork beside threads: they hold no lock of ours
            return list(self._pool.map(_do, jobs))


_WORK: Work | None = None  # of this process


def _begin(work: Work) -> None:
    global _WORK
    _WORK = work
    begin_child()


def _do(job: Job) -> Done:
    assert _WORK is not None
    return _WORK.do(job)

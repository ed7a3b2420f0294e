"""Nodes and leaves on all cores, or on a cluster; on this machine in processes, once there is enough to do for them.

A worker that is lost loses nothing: its job is done again (executors/processes.py). A job that ends its process again
says nothing: its leaf has failed, its node has no bound and is split.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock
from time import perf_counter
from typing import Any

import numpy as np

from tellegen.analyses.child_processes import START_METHOD, available_cores
from tellegen.analyses.executors.choose import chosen
from tellegen.analyses.executors.work import Executor, Lost, Work
from tellegen.analyses.optimization.choices.leaves import Leaf, LeafSearch
from tellegen.analyses.optimization.choices.node import Node
from tellegen.analyses.optimization.choices.relaxation.bounding import Bounded, Sampled, bound, sampled
from tellegen.analyses.optimization.choices.space import Place, Space
from tellegen.analyses.optimization.formulation.evaluation import Evaluation
from tellegen.analyses.optimization.formulation.search_variables import wrong
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here

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
class SpaceSearch:
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

    def without(self, job: Job, reason: str) -> Done:
        """What is known of a job whose worker gave no answer, twice."""
        if isinstance(job, LeafJob):
            variables = self.space.shapes[job.place.shape].leaf_problem.variables
            label = str(self.space.choice(job.place))
            failed = Evaluation(variables.guess(self.leaves.first), failed=reason, label=label)
            return Leaf(job.place, (failed,), reason)
        if isinstance(job, SampleJob):
            return Sampled(job.shape, ())
        variables = self.space.shapes[job.node.shape].relaxed.problem.variables
        guess = job.node.guess if len(job.node.guess) else variables.guess(None)
        influence = np.zeros(len(variables.names))
        return Bounded(replace(job.node, bound=-np.inf, guess=guess, influence=influence, reached=np.inf), ())


class Workers:
    """Do jobs here at first, and in processes after a second, or elsewhere from the beginning; a context manager."""

    def __init__(self, search: SpaceSearch, executor: Any = "processes") -> None:
        if executor == "threads":
            raise wrong("a search over choices is not done in threads: its runs are Python", 'executor="processes"')
        self.search = search
        self._make = chosen(executor, here())
        self._began = perf_counter()
        self._executor: Executor | None = None
        forks = executor != "processes" or START_METHOD == "fork"
        self.count = available_cores() if forks and executor != "serial" else 1
        self._patience = _PATIENCE_SECONDS if executor == "processes" else 0.0

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor is not None:
            self._executor.close()

    def do(self, jobs: Sequence[Job]) -> list[Done]:
        """All jobs, in their order."""
        if self._executor is None and self.count > 1 and perf_counter() - self._began >= self._patience:
            self._executor = self._make(Work(_do, self.search), self.count)
        if self._executor is None or len(jobs) < 2:
            return [self.search.do(job) for job in jobs]
        done: dict[int, Done] = {}
        for answer in self._executor.answers(jobs):
            job = jobs[answer.number]
            lost = isinstance(answer.result, Lost)
            done[answer.number] = self.search.without(job, answer.result.reason) if lost else answer.result
        return [done[number] for number in range(len(jobs))]


_one_at_a_time = Lock()  # problems remember their runs, and workers of a cluster may have several threads


def _do(search: SpaceSearch, job: Job) -> Done:
    with _one_at_a_time:
        return search.do(job)

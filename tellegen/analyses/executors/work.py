"""A function and what all its jobs have in common, and what becomes of a job.

What a function raises is raised where the jobs are given out. A worker that gives no answer (out of memory, a crash in
external code, a machine that is gone) is an answer of its own: `Lost`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import uuid4


@dataclass(frozen=True, eq=False)
class Work:
    """`function(shared, job)` for every job; pickles once for each worker, which knows it by `token` from then on."""

    function: Callable[[Any, Any], Any]
    shared: Any
    token: str = field(default_factory=lambda: uuid4().hex)


@dataclass(frozen=True, eq=False)
class Raised:
    """What the function raised."""

    error: Exception


@dataclass(frozen=True)
class Lost:
    """A job whose worker gave no answer."""

    reason: str


@dataclass(frozen=True, eq=False)
class Answer:
    """A job by its number, and what the function returned for it."""

    number: int
    result: Any


class Executor(Protocol):
    """Does jobs, as often as it is asked to, until it is closed."""

    def answers(self, jobs: Sequence[Any]) -> Iterator[Answer]:
        """To all jobs, in the order in which they are done."""
        ...

    def close(self) -> None:
        """Give up whatever is under way, and what the executor started itself."""
        ...


def call(work: Work, job: Any) -> Any:
    """One job, where it is done."""
    try:
        return work.function(work.shared, job)
    except Exception as error:  # raised again by `answer` where the jobs are given out
        return Raised(error)


_known: dict[str, Work] = {}  # the last one, in a process of a cluster


def call_known(work: Work, job: Any) -> Any:
    """One job in a process to which the work travels with every job: what it has learnt from earlier ones is kept."""
    if work.token not in _known:
        _known.clear()
        _known[work.token] = work
    return call(_known[work.token], job)


def answer(number: int, result: Any) -> Answer:
    """What came back, as an answer."""
    if isinstance(result, Raised):
        raise result.error
    return Answer(number, result)

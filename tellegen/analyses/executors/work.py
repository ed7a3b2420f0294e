"""A function and what all its jobs have in common, and what becomes of a job.

What a function raises is raised where the jobs are given out. A worker that gives no answer (out of memory, a crash in
external code, a machine that is gone) is an answer of its own: `Lost`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol
from uuid import uuid4

from tellegen.engine.native.machine_code import objects_in_use, take_objects


@dataclass(frozen=True, eq=False)
class Work:
    """`function(shared, job)` for every job; pickles once for each worker, which knows it by `token` from then on.

    With `objects`, the machine code of this process travels along, and workers that have its processor compile nothing.
    """

    function: Callable[[Any, Any], Any]
    shared: Any
    token: str = field(default_factory=lambda: uuid4().hex)
    objects: Mapping[str, bytes] = field(default_factory=dict)

    def with_objects(self) -> Work:
        """For other machines, which do not see the files of compiled code that are here."""
        return replace(self, objects=objects_in_use())


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

    @property
    def count(self) -> int:
        """Jobs that are done at a time, as far as is known now."""
        ...

    def answers(self, jobs: Iterable[Any]) -> Iterator[Answer]:
        """To all jobs, in the order in which they are done; a job is asked for when there is room for it."""
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
    return call_fetched(work.token, lambda: work, job)


def call_fetched(token: str, fetch: Callable[[], Work], job: Any) -> Any:
    """One job of a work that is fetched where this process does not know it."""
    if token not in _known:
        work = fetch()
        take_objects(work.objects)
        _known.clear()
        _known[token] = work
    return call(_known[token], job)


def answer(number: int, result: Any) -> Answer:
    """What came back, as an answer."""
    if isinstance(result, Raised):
        raise result.error
    return Answer(number, result)

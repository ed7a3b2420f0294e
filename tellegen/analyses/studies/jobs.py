"""The runs themselves: what a process, a thread or a machine of a cluster gets, does and gives back.

A run that fails is a result as well: its code, its reason and how far it came.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from tellegen.analyses.studies.outputs import Output
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.native.outcome import OutcomeCode
from tellegen.engine.request.run_request import RunRequest
from tellegen.engine.results.solution import Solution
from tellegen.ensembles.refused import RefusedError
from tellegen.errors import DesignError, TellegenError
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.source_location import SourceLocation

SUCCESS = OutcomeCode.SUCCESS.value
INTERRUPTED = OutcomeCode.INTERRUPTED.value
NOT_RUN = "not-run"
DIED = "died"


@dataclass(frozen=True, eq=False)
class RunColumns:
    """What differs between runs: a path for each column of numbers, in declared units, and whether it is a start."""

    paths: tuple[str, ...]
    are_starts: tuple[bool, ...]
    numbers: FloatArray

    def parameters_first(self) -> RunColumns:
        """The same columns in the order that kernels read them: start values are last."""
        order = sorted(range(len(self.paths)), key=self.are_starts.__getitem__)
        return RunColumns(
            paths=tuple(self.paths[k] for k in order),
            are_starts=tuple(self.are_starts[k] for k in order),
            numbers=self.numbers[:, order],
        )


@dataclass(frozen=True, eq=False)
class Task:
    """All that runs of a study have in common; pickles once for each worker."""

    compiled: CompiledModel
    request: RunRequest
    paths: tuple[str, ...]
    are_starts: tuple[bool, ...]
    outputs: tuple[Output, ...]
    grid: FloatArray

    def values_of(self, numbers: FloatArray) -> tuple[dict[str, float], dict[str, float]]:
        """Parameters and start values of a run."""
        parameters: dict[str, float] = {}
        starts: dict[str, float] = {}
        for path, is_start, number in zip(self.paths, self.are_starts, numbers, strict=True):
            (starts if is_start else parameters)[path] = float(number)
        return parameters, starts

    def simulate(self, numbers: FloatArray) -> Solution:
        """One run, with its own numbers on top of the common ones."""
        return self.compiled.run(self.request.with_values(*self.values_of(numbers)), throw=False)

    def in_lanes(self, numbers: FloatArray) -> RunColumns:
        """The numbers of all runs as lanes want them, which may be more than those that are varied."""
        if self.compiled.flat.tangents is not None and self.compiled.reduced.events is not None:
            raise RefusedError("its tangents jump at events")
        return RunColumns(self.paths, self.are_starts, numbers)


@dataclass(frozen=True, slots=True)
class Job:
    """A run to do."""

    number: int
    numbers: FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class Jobs:
    """Runs to do, as two arrays: their numbers, and a row of values for each."""

    which: IntArray
    rows: FloatArray

    def __len__(self) -> int:
        return len(self.which)

    def __iter__(self) -> Iterator[Job]:
        for number, numbers in zip(self.which.tolist(), self.rows, strict=True):
            yield Job(number, numbers)

    def part(self, first: int, last: int) -> Jobs:
        """Some of them."""
        return Jobs(self.which[first:last], self.rows[first:last])


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that was done. `values` are those of the outputs, None where the run has none."""

    number: int
    code: str
    reason: str
    reached: float
    seconds: float
    values: tuple[FloatArray | None, ...]

    @property
    def ok(self) -> bool:
        """Whether it went to the end and all outputs could be computed."""
        return self.code == SUCCESS


@dataclass(frozen=True, slots=True)
class Batch:
    """Some runs, and how often each warning was given."""

    ran: list[Ran]
    warned: Counter[str] = field(default_factory=Counter)

    def __reduce__(self) -> tuple[Any, ...]:
        """It travels as a few arrays: a thousand records take as long to put together as short runs to be made."""
        return _unpacked, (Packed.of(self.ran), self.warned)


@dataclass(frozen=True, eq=False, slots=True)
class Packed:
    """Runs as columns. An output is an array with a row for each run, or a list where they have no common shape."""

    numbers: IntArray
    codes: list[str]
    code: IntArray  # of a run, by its place among the codes
    reasons: dict[int, str]  # of runs that have one, by their places
    reached: FloatArray
    seconds: FloatArray
    values: list[Any]

    @staticmethod
    def of(ran: list[Ran]) -> Packed:
        """So that `runs` are these again."""
        codes = list(dict.fromkeys(one.code for one in ran))
        place = {code: k for k, code in enumerate(codes)}
        columns = zip(*(one.values for one in ran), strict=True)
        return Packed(
            numbers=np.array([one.number for one in ran], np.int64),
            codes=codes,
            code=np.array([place[one.code] for one in ran], np.int64),
            reasons={k: one.reason for k, one in enumerate(ran) if one.reason},
            reached=np.array([one.reached for one in ran]),
            seconds=np.array([one.seconds for one in ran]),
            values=[_stacked(column) for column in columns],
        )

    def runs(self) -> list[Ran]:
        """One by one."""
        rows = zip(*self.values, strict=True) if self.values else ((),) * len(self.numbers)
        told = zip(self.numbers.tolist(), self.code.tolist(), self.reached.tolist(), self.seconds.tolist(), strict=True)
        return [
            Ran(
                number=number,
                code=self.codes[code],
                reason=self.reasons.get(k, ""),
                reached=reached,
                seconds=seconds,
                values=tuple(None if value is None else np.asarray(value) for value in row),
            )
            for k, ((number, code, reached, seconds), row) in enumerate(zip(told, rows, strict=True))
        ]


def _stacked(column: tuple[FloatArray | None, ...]) -> Any:
    kinds = {None if one is None else (np.shape(one), np.asarray(one).dtype) for one in column}
    return np.array(column) if len(kinds) == 1 and None not in kinds else list(column)


def _unpacked(packed: Packed, warned: Counter[str]) -> Batch:
    return Batch(packed.runs(), warned)


def run_jobs(task: Task, jobs: Jobs, strict: SourceLocation | None = None) -> Batch:
    """Do some runs, outside of threads: the warnings are gathered, to be reported once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ran = [run_job(task, job, strict) for job in jobs]
    return Batch(ran, Counter(str(one.message) for one in caught))


def run_job(task: Task, job: Job, strict: SourceLocation | None = None) -> Ran:
    """One run. With `strict`, an external function that fails is an error at that place, not a failed run."""
    began = perf_counter()
    try:
        solution = task.simulate(job.numbers)
    except TellegenError as error:
        reason = "\n".join([error.message, *error.details])
        return Ran(job.number, error.code, reason, np.nan, perf_counter() - began, (None,) * len(task.outputs))
    except Exception as error:  # external code inside the model, or a fault of ours: one run of many
        reason = str(error)
        return Ran(
            job.number, type(error).__name__, reason, np.nan, perf_counter() - began, (None,) * len(task.outputs)
        )
    outcome = solution.outcome
    code = outcome.code.value
    reason = "" if outcome.ok else "\n".join([outcome.message, *outcome.details])
    values: list[FloatArray | None] = []
    for output in task.outputs:
        value = None
        if outcome.ok or output.how in ("curve", "value"):  # of half a run there is no final value
            try:
                value = output.read(solution, task.grid)
            except Exception as error:  # the user's function may raise anything
                why = error.message if isinstance(error, TellegenError) else error
                what = f"the output '{output.name}' failed: {type(error).__name__}: {why}"
                if strict is not None:
                    advice = "fix the function; for runs without such a value it may return float('nan')"
                    raise DesignError("E603", f"{what} (in the first run)", location=strict, advice=advice) from error
                code, reason = (code, reason) if code != SUCCESS else ("output-failed", what)
        values.append(value)
    return Ran(job.number, code, reason, outcome.time, perf_counter() - began, tuple(values))

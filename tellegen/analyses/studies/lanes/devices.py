"""Runs of a study in lanes of the processor or on a GPU, as many as go there; all others are left to single runs.

    device="cpu"     lanes, on `workers` cores
    device="gpu"     one run in each thread of a GPU
    device="auto"    what is there and worth it; single runs where the model is not for lanes

A few runs are made both ways. Where the two differ by more than the tolerances allow, the study says so.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from tellegen.analyses.child_processes import available_cores
from tellegen.analyses.performance.expression import Performance
from tellegen.analyses.performance.measured import Asked
from tellegen.analyses.studies.columns import Columns
from tellegen.analyses.studies.jobs import NOT_RUN, SUCCESS, Task
from tellegen.analyses.studies.lanes.performance import Measures
from tellegen.analyses.studies.outputs import REDUCTIONS, Output
from tellegen.engine.readout.quantity import quantity
from tellegen.engine.request.path_lookup import find, find_given
from tellegen.engine.results.solution import Solution
from tellegen.ensembles.devices.cuda import GpuError
from tellegen.ensembles.devices.gpu import gpu_kernel
from tellegen.ensembles.devices.host import HostKernel, host_kernel
from tellegen.ensembles.kernel import ADAPTIVE
from tellegen.ensembles.kernels.job import Status
from tellegen.ensembles.kernels.sizes import FINAL, LEAST, MOST, SQUARES, SUM
from tellegen.ensembles.numbers import Numbers, Results
from tellegen.ensembles.prepare import Ensemble, prepare
from tellegen.ensembles.refused import RefusedError
from tellegen.ensembles.wanted import Varied, Wanted
from tellegen.errors import DesignError, TellegenError, warn_user
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.source_location import here

DEVICES = ("auto", "cpu", "gpu")
_WORTH_A_GPU = 20_000
"""Runs from which on `auto` asks for a GPU: below, lanes are done before its code is loaded."""
_CHUNK = 65_536  # runs of lanes in one call, so that Ctrl-C, progress and saving are not far
_TRIES = 5  # first runs, until one succeeds
_APART = 100.0  # tolerances by which a run may differ from the same one by the scalar engine
_MANY = 10_000  # runs of which more are compared
_STIFF_TOGETHER = 8  # stiff runs that are worth a kernel of the Rosenbrock method

Notify = Callable[[IntArray], None]
"""Is called with the numbers of runs that have been made."""


class Kernel(Protocol):
    """Makes runs of an ensemble, of so many as a chunk has in one call."""

    @property
    def chunk(self) -> int:
        """Runs."""
        ...

    def run(self, numbers: Numbers) -> Results:
        """All of them."""
        ...


@dataclass(frozen=True, eq=False)
class _Lanes:
    """A kernel and the threads that run it."""

    kernel: HostKernel
    threads: int
    chunk: int = _CHUNK

    def run(self, numbers: Numbers) -> Results:
        return self.kernel.run(numbers, self.threads)


@dataclass(frozen=True, eq=False)
class Chosen:
    """Where runs are made, in words."""

    device: str
    workers: int | None


def check_device(device: Any) -> None:
    """E609 where there is no such device."""
    if device is not None and device not in DEVICES:
        advice = "device='auto', 'cpu' (vector lanes), 'gpu'; without it, single runs by executor="
        raise DesignError("E609", f"there is no device {device!r}", location=here(), advice=advice)


def run_on_device(
    task: Task, numbers: FloatArray, chosen: Chosen, columns: Columns, waiting: IntArray, notify: Notify
) -> str:
    """Make those of the waiting runs that a device can make; in words, where that was, or why nothing was made."""
    try:
        return _Study(task, numbers, chosen, columns, notify).run(waiting)
    except (RefusedError, GpuError) as refused:
        if chosen.device != "auto":
            name = task.compiled.flat.name
            what = f"{name} does not run on device='{chosen.device}': {refused}"
            advice = "device='auto' takes what is there; without device= every run is made by itself"
            raise DesignError("E609", what, location=here(), advice=advice) from None
        return f"single runs: {refused}"


class _Study:
    """A study on its way."""

    def __init__(self, task: Task, numbers: FloatArray, chosen: Chosen, columns: Columns, notify: Notify) -> None:
        self.task = task
        self.numbers = numbers
        self.runs = task.in_lanes(numbers).parameters_first()
        self.chosen = chosen
        self.columns = columns
        self.notify = notify
        self.measures = Measures.of([one.function for one in task.outputs if isinstance(one.function, Performance)])
        self.measured: dict[int, tuple[FloatArray, FloatArray]] = {}
        self.outputs = tuple(_reader(task, output, self.measures) for output in task.outputs)
        self.selections = tuple(
            find(task.compiled.flat, path) if is_start else find_given(task.compiled.reduced, path)
            for path, is_start in zip(self.runs.paths, self.runs.are_starts, strict=True)
        )

    def run(self, waiting: IntArray) -> str:
        """See run_on_device."""
        if not len(waiting):
            return ""
        number, first = self._first_run(waiting)
        self.compared = {number, *self._others(waiting)}
        ensemble = self._prepared(first, "")
        kernel, where = self._kernel(ensemble, len(waiting))
        rows = self._si_rows()
        inside = waiting[self._within_bounds(rows[waiting])]
        self._make(ensemble, kernel, rows, inside)
        stiff = inside[self.columns.codes.are(_STIFF)[inside]]
        if len(stiff) >= _STIFF_TOGETHER and ensemble.method == "rk45" and self.task.request.options.solver == "auto":
            again = self._prepared(first, "rodas")
            self._make(again, self._kernel(again, len(stiff))[0], rows, stiff)
        self._leave_failed(inside)
        self._compare(number, first)
        self._compare_others(self.compared - {number})
        left = len(waiting) - int(self.columns.codes.are(SUCCESS)[waiting].sum())
        return f"{where}, {ensemble.method}" + (f"; {left} of {len(waiting)} one by one" if left else "")

    def _first_run(self, waiting: IntArray) -> tuple[int, Solution]:
        """By the scalar engine: the first of those that succeeds, and its number."""
        for number in waiting[:_TRIES].tolist():
            try:
                solution = self.task.simulate(self.numbers[number])
            except TellegenError:
                continue
            if solution.outcome.ok:
                return number, solution
        raise RefusedError("its first runs fail")

    def _prepared(self, first: Solution, method: str) -> Ensemble:
        varied = tuple(
            Varied(selection, is_start)
            for selection, is_start in zip(self.selections, self.runs.are_starts, strict=True)
        )
        plain = [read for read in self.outputs if isinstance(read, _Read)]
        measures, drives = self.measures.wanted(first, first.compiled or self.task.compiled)
        wanted = Wanted(
            paths=tuple(read.path for read in plain),
            has_curves=any(read.how == "curve" for read in plain),
            has_grid=any(read.how != "final" for read in plain),
            measures=measures,
            drives=drives,
        )
        return prepare(self.task.compiled, self.task.request, first, varied, wanted, method)

    def _kernel(self, ensemble: Ensemble, runs: int) -> tuple[Kernel, str]:
        """Where the runs are made, and what that is called."""
        if self.chosen.device == "gpu" or (self.chosen.device == "auto" and runs >= _WORTH_A_GPU):
            try:
                found = gpu_kernel(ensemble.model, ADAPTIVE)
                return found, f"gpu: {found.device.name}, a run in each thread"
            except GpuError:
                if self.chosen.device == "gpu":
                    raise
        threads = self.chosen.workers or available_cores()
        lanes = _Lanes(host_kernel(ensemble.model, ADAPTIVE), threads)
        cores = "1 core" if threads == 1 else f"{threads} cores"
        return lanes, f"cpu: {lanes.kernel.lanes} lanes on {cores}"

    def _si_rows(self) -> FloatArray:
        """The numbers of all runs in SI units."""
        columns = [
            selection.member.unit.to_si(column)
            for selection, column in zip(self.selections, self.runs.numbers.T, strict=True)
        ]
        return np.column_stack(columns)

    def _within_bounds(self, rows: FloatArray) -> Any:
        """Runs whose parameters are within their bounds; single runs of the others say what is wrong."""
        good = np.isfinite(rows).all(axis=1)
        for k, (selection, is_start) in enumerate(zip(self.selections, self.runs.are_starts, strict=True)):
            if not is_start:
                low, high = (selection.member.attributes.get(bound) for bound in ("min", "max"))
                good &= rows[:, k] >= (-np.inf if low is None else low)
                good &= rows[:, k] <= (np.inf if high is None else high)
        return good

    def _make(self, ensemble: Ensemble, kernel: Kernel, rows: FloatArray, which: IntArray) -> None:
        """Runs in chunks; those that are not done keep the code of their status."""
        for begin in range(0, len(which), kernel.chunk):
            part = which[begin : begin + kernel.chunk]
            since = perf_counter()
            results = kernel.run(ensemble.numbers(rows[part]))
            each = (perf_counter() - since) / len(part)
            values = self._values(results, ensemble.base)
            good = results.status == Status.DONE
            for read, found in zip(self.outputs, values, strict=True):
                good &= read.are_finite(found, _is_reached(ensemble.base, results))
            done = part[good]
            self.columns.codes.mark(part, _LEFT)
            self.columns.codes.mark(part[results.status == Status.STIFF], _STIFF)
            self.columns.codes.mark(done, SUCCESS)
            self.columns.reached[part] = results.reached
            self.columns.seconds[part] = each
            for k, found in enumerate(values):
                self.columns.array(k, found.shape[1:])[done] = found[good]
            self._keep_measured(part, results)
            self.notify(done)

    def _keep_measured(self, part: IntArray, results: Results) -> None:
        """What was measured of runs that are made both ways."""
        for column in np.flatnonzero(np.isin(part, list(self.compared))).tolist():
            asked = len(self.measures.asked)  # drives follow
            values, sizes = results.measured[:asked, 0, column], self.measures.sizes(results)[:asked, column]
            self.measured[int(part[column])] = values.copy(), sizes.copy()

    def _values(self, results: Results, base: Numbers) -> list[FloatArray]:
        """Of all outputs."""
        offsets = np.cumsum([0, *(read.count for read in self.outputs)]).tolist()
        return [read.values(results, offset, base) for read, offset in zip(self.outputs, offsets, strict=False)]

    def _leave_failed(self, which: IntArray) -> None:
        """Runs that the device did not finish are made again one by one."""
        left = which[self.columns.codes.are(_STIFF, _LEFT)[which]]
        self.columns.codes.mark(left, NOT_RUN)
        for column in (self.columns.reached, self.columns.seconds):
            column[left] = np.nan

    def _others(self, waiting: IntArray) -> set[int]:
        """Runs that are made once more by the scalar engine: the last one, and of many those with extreme numbers."""
        chosen = {int(waiting[-1])}
        if len(waiting) >= _MANY:
            for column in self.numbers[waiting].T:
                chosen |= {int(waiting[column.argmin()]), int(waiting[column.argmax()])}
        return chosen

    def _compare_others(self, chosen: set[int]) -> None:
        for number in sorted(chosen):
            if self.columns.codes.of(number) == SUCCESS:
                try:
                    self._compare(number, self.task.simulate(self.numbers[number]))
                except TellegenError as error:
                    warn_user(f"run {number} went to the end, and by the scalar engine it does not: {error.message}")

    def _compare(self, number: int, solution: Solution) -> None:
        """A run with what the scalar engine made of it."""
        if self.columns.codes.of(number) == SUCCESS:
            for k, output in enumerate(self.task.outputs):
                if output.how != "function":
                    self._compare_output(number, k, output, solution)
            for asked, own, size in zip(self.measures.asked, *self.measured[number], strict=True):
                self._compare_measure(number, asked, float(own), float(size), solution)

    def _compare_measure(self, number: int, asked: Asked, own: float, size: float, solution: Solution) -> None:
        """Unless the run has too few output points for what is between them, as its performance functions say."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                other = asked.single(solution)
            except TellegenError:
                return
        if not caught:
            self._judge(number, str(asked), abs(own - other), size)

    def _compare_output(self, number: int, k: int, output: Output, solution: Solution) -> None:
        other = output.read(solution, self.task.grid)
        own = self.columns.stacked(k)[number]
        size = abs(output.factor) * float(np.abs(np.asarray(solution[output.path], float)).max(initial=0.0))
        apart = float(np.nanmax(np.abs(own - other), initial=0.0))
        if _is_smooth(solution, output):
            self._judge(number, output.name, apart, size)

    def _judge(self, number: int, name: str, apart: float, size: float) -> None:
        if apart > _APART * self.task.request.options.rtol * size + 1e-12 * size:
            warn_user(
                f"run {number}: {name} is {apart:.2g} away from what the scalar engine computes, of {size:.2g}; "
                "where small differences grow (chaos, unstable equilibria) that is so, and where a curve has peaks "
                "between the steps (make the study without device= then), else please report it"
            )


_ROUNDING = 1e-12
_STIFF = "stiff"
_LEFT = "left"


def _is_reached(base: Numbers, results: Results) -> Any:
    """Whether a run (column) has come to an output time (row): one may end by itself, before the stop time."""
    slack = _ROUNDING * float(np.abs(base.times).max())
    return base.times[:, None] <= results.reached + slack


def _is_smooth(solution: Solution, output: Output) -> bool:
    """Whether a curve may be compared point by point: at a jump a rounding of its instant decides."""
    return output.how != "curve" or not solution.stats.get("events")


def _reader(task: Task, output: Output, measures: Measures) -> _Read | _MeasuredRead:
    if isinstance(output.function, Performance):
        return _MeasuredRead(output.function, measures)
    return _Read.of(task, output)


@dataclass(frozen=True, eq=False)
class _MeasuredRead:
    """How a performance function is computed from what was measured."""

    function: Performance
    measures: Measures
    count = 0
    """Scalars among the paths."""

    def are_finite(self, values: FloatArray, _: Any) -> Any:
        """Which runs have a number."""
        return np.isfinite(values)

    def values(self, results: Results, _: int, base: Numbers) -> FloatArray:
        """The values of all runs."""
        return self.measures.values(self.function, results, base)


@dataclass(frozen=True, eq=False)
class _Read:
    """How an output is read from results: a path of `count` scalars, and its unit."""

    path: str
    how: str
    shape: tuple[int, ...]
    unit: Any
    factor: float

    @property
    def count(self) -> int:
        """Scalars."""
        return int(np.prod(self.shape, dtype=int))

    @staticmethod
    def of(task: Task, output: Output) -> _Read:
        if output.how != "curve" and output.how not in REDUCTIONS:
            raise RefusedError(f"the output '{output.name}' is computed by Python")
        what = quantity(task.compiled.reduced, output.path)
        return _Read(output.path, output.how, what.shape, what.unit, output.factor)

    def are_finite(self, values: FloatArray, is_reached: Any) -> Any:
        """Which runs have numbers for all of the output, as far as they came."""
        if self.how != "curve":
            return np.isfinite(values.reshape(len(values), -1)).all(axis=1)
        flat = values.reshape(*values.shape[:2], -1)
        return (np.isfinite(flat) | ~is_reached.T[:, :, None]).all(axis=(1, 2))

    def values(self, results: Results, offset: int, base: Numbers) -> FloatArray:
        """The values of all runs, in the unit of the path."""
        rows = slice(offset, offset + self.count)
        if self.how == "curve":
            curves = np.where(_is_reached(base, results)[:, None], results.curves[:, rows], np.nan)
            found = self.factor * self.unit.from_si(curves).transpose(2, 0, 1)
            return found.reshape(len(found), found.shape[1], *self.shape)
        reduced = results.reduced[rows]
        length = results.reached - base.start
        if self.how == "rms":
            plain = np.sqrt(reduced[:, SQUARES] / length)
        else:
            number = {"final": FINAL, "min": LEAST, "max": MOST, "mean": SUM}[self.how]
            plain = reduced[:, number] / (length if self.how == "mean" else 1.0)
        found = self.factor * self.unit.from_si(plain).T
        return found.reshape(len(found), *self.shape)

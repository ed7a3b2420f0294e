"""What does it do over a range of its parameters: many runs of one model, compiled once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Unpack

import numpy as np

from tellegen.analyses.executors.choose import chosen
from tellegen.analyses.sensitivities.design_variables import Wanted
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.analyses.studies.columns import Columns
from tellegen.analyses.studies.design import Design, designed
from tellegen.analyses.studies.executors import carry_out
from tellegen.analyses.studies.jobs import INTERRUPTED, NOT_RUN, SUCCESS, Jobs, Ran, Task
from tellegen.analyses.studies.lanes.devices import Chosen, check_device, run_on_device
from tellegen.analyses.studies.lanes.tangent_runs import with_sensitivities
from tellegen.analyses.studies.outputs import read_outputs
from tellegen.analyses.studies.plan import planned
from tellegen.analyses.studies.progress_bar import Bar
from tellegen.analyses.studies.stored_runs import Kept, marks
from tellegen.analyses.studies.study_result import Study, gathered
from tellegen.compile import compile_model
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.request.run_request import RunKeywords, RunRequest, request_run, run_call
from tellegen.errors import DesignError, warn_user
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.source_location import here

_MOST_WARNINGS = 5  # different warnings that are repeated in full


@run_call()
def study(
    model: Any,
    variables: Any,
    *,
    outputs: Any = None,
    stop: float | str | None = None,
    executor: Any = "processes",
    device: str | None = None,
    workers: int | None = None,
    save: str | PathLike[str] | None = None,
    sensitivities: Sequence[Wanted] | Wanted | None = None,
    **run: Unpack[RunKeywords],
) -> Study:
    """Run a model for every combination of values, or for every sample of a design.

    `variables` are the paths to vary: {"motor.R": [1, 2, 3], "load.J": [0.01, 0.02]} is a grid of six runs; samples are
    made by tg.latin_hypercube, tg.sobol and tg.monte_carlo; a DataFrame has a run in each row. `outputs` are paths
    (curves at the output points), strings such as "final(load.w)" (also max, min, mean, rms), and functions of a
    Solution, in a list or a dict of names. The keywords from `start` on are those of tg.simulate, the same for all.

    `executor` is "processes" (all cores), "threads", "serial", "dask" or "ray", or a client or executor of your own.
    With `device="cpu"` runs are made side by side in vector lanes of the processor, with "gpu" one in each thread of an
    NVIDIA GPU: ten to a thousand times as fast. Outputs are paths and strings then, no functions; `device="auto"` takes
    what is there and makes single runs of models that are not for lanes; `study.device` says which and why.

    `sensitivities` names parameters, or variables for their start values, as `wrt` of tg.sensitivity does: every run
    then has the exact derivatives of its curves and final values, "d final(load.w)/d motor.R".

    With `save="drive.study"` the runs are kept in that file as they are done, and the same call continues where it was
    interrupted. Runs that fail are kept with their reason; Ctrl-C returns what is there.
    """
    compiled = compile_model(model)
    request = request_run(compiled.flat.experiment, stop, **run)
    chosen(executor, here())
    check_device(device)
    execution = Execution(executor, _workers(workers), save, device)
    return studied(compiled, designed(variables), outputs, request, execution, sensitivities)


@dataclass(frozen=True, eq=False)
class Execution:
    """Where runs are made, how many at a time, and the file that keeps them."""

    executor: Any = "processes"
    workers: int | None = None
    save: str | PathLike[str] | None = None
    device: str | None = None


def studied(
    compiled: CompiledModel,
    design: Design,
    outputs: Any,
    request: RunRequest,
    execution: Execution,
    sensitivities: Sequence[Wanted] | Wanted | None = None,
) -> Study:
    """All runs of a design, each with its own numbers in the request."""
    plan = planned(design, compiled, request.parameters)
    request.refuse_varied_starts(one.path for one in plan.coordinates if one.is_start)
    task = Task(
        compiled=compiled,
        request=request,
        paths=tuple(one.path for one in plan.coordinates),
        are_starts=tuple(one.is_start for one in plan.coordinates),
        outputs=read_outputs(compiled.reduced, outputs, plan.taken),
        grid=request.options.times(),
    )
    made: SensitivityModel | None = None  # it owns the machine code of tangents
    if sensitivities is not None:
        task, made = with_sensitivities(task, sensitivities)
    keep = Kept(execution.save, marks(task, plan.numbers)) if execution.save is not None else None
    with keep or nullcontext():
        columns, where = _all_runs(task, plan.numbers, keep, execution)
    found = gathered(task, plan, columns, where)
    _report(found, keep is not None)
    del made
    return found


def _all_runs(task: Task, numbers: FloatArray, keep: Kept | None, execution: Execution) -> tuple[Columns, str]:
    """Those in the file, those that a device makes, and all the others; and where they were made."""
    columns = Columns.room(len(numbers), len(task.outputs))
    shapes: list[Any] = [None] * len(task.outputs)
    where = ""
    if keep is not None:
        columns.take(_uniform(one, shapes) for one in keep.read())
    was_empty = not columns.made
    runs = _Runs(task, numbers, keep, execution, columns)
    with Bar(task.compiled.flat.name, len(numbers), columns.made) as bar:
        try:
            if execution.device is not None:
                where = runs.on_device(bar)
            runs.one_by_one(bar, shapes, strict=was_empty)
        except KeyboardInterrupt:
            pass
    return columns, where


@dataclass(frozen=True, eq=False)
class _Runs:
    """The runs of a study and where their results go."""

    task: Task
    numbers: FloatArray
    keep: Kept | None
    execution: Execution
    columns: Columns

    @property
    def waiting(self) -> IntArray:
        """The numbers of those that nobody has made."""
        return np.flatnonzero(self.columns.codes.are(NOT_RUN))

    def on_device(self, bar: Bar) -> str:
        """Those that a device makes; where it made them."""

        def notify(made: IntArray) -> None:
            if self.keep is not None:
                self.keep.add(self.columns.ran(made))
            bar.add(len(made), 0)

        device = Chosen(str(self.execution.device), self.execution.workers)
        return run_on_device(self.task, self.numbers, device, self.columns, self.waiting, notify)

    def one_by_one(self, bar: Bar, shapes: list[Any], *, strict: bool) -> None:
        """Those that are left, each by the scalar engine; `shapes` are those of the outputs so far."""
        waiting = self.waiting
        if not len(waiting):
            return
        jobs = Jobs(waiting, self.numbers[waiting])
        warned: Counter[str] = Counter()
        work = carry_out(self.task, jobs, self.execution.executor, self.execution.workers, strict=strict)
        try:
            for batch in work:
                ran = [_uniform(one, shapes) for one in batch.ran if one.code != INTERRUPTED]
                self.columns.take(ran)
                warned.update(batch.warned)
                if self.keep is not None:
                    self.keep.add(ran)
                bar.add(len(ran), sum(not one.ok for one in ran))
                if len(ran) < len(batch.ran):  # Ctrl-C, seen by the engine
                    break
        finally:
            work.close()
            _repeat_warnings(warned, len(jobs))


def _repeat_warnings(warned: Counter[str], runs: int) -> None:
    """What runs have warned of, once for each."""
    for text, count in warned.most_common(_MOST_WARNINGS):
        warn_user(f"{text} (in {count} of {runs} runs)" if count > 1 else text)
    if len(warned) > _MOST_WARNINGS:
        warn_user(f"{len(warned) - _MOST_WARNINGS} more warnings of this kind were given by runs")


def _uniform(ran: Ran, shapes: list[Any]) -> Ran:
    """A run whose outputs have the shape they have in the others; what a function returns may have any."""
    for k, value in enumerate(ran.values):
        if value is None:
            continue
        if shapes[k] is None:
            shapes[k] = value.shape
        elif value.shape != shapes[k]:
            reason = f"an output has the shape {value.shape}, in an earlier run {shapes[k]}"
            ran = replace(
                ran, code="output-failed", reason=reason, values=(*ran.values[:k], None, *ran.values[k + 1 :])
            )
    return ran


def _workers(workers: Any) -> int | None:
    if workers is None:
        return None
    if isinstance(workers, int | np.integer) and not isinstance(workers, bool) and workers >= 1:
        return int(workers)
    what = f"workers is the number of simultaneous runs, not {workers!r}"
    raise DesignError("E604", what, location=here(), advice="omit it to use all cores, or workers=2")


def _report(found: Study, kept: bool) -> None:
    """What should not be overlooked: runs that were not made, and a study in which every run failed."""
    if not found.complete:
        advice = "the same call resumes" if kept else "with save='name.study' the same call would resume"
        warn_user(f"interrupted: {found!r}; {advice}")
    if not found.success and not (found.data["outcome"] == SUCCESS).any():
        failures = found.failures()
        if not len(failures):
            return
        first = failures.iloc[0]
        warn_user(f"every run failed, the first one with {first['outcome']}: {first['reason']}")

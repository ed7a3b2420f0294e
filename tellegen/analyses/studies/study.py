"""What does it do over a range of its parameters: many runs of one model, compiled once."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Unpack

import numpy as np

from tellegen.analyses.executors.choose import chosen
from tellegen.analyses.studies.design import Design, designed
from tellegen.analyses.studies.executors import carry_out
from tellegen.analyses.studies.jobs import INTERRUPTED, Job, Ran, Task
from tellegen.analyses.studies.outputs import read_outputs
from tellegen.analyses.studies.plan import planned
from tellegen.analyses.studies.progress_bar import Bar
from tellegen.analyses.studies.stored_runs import Kept, marks
from tellegen.analyses.studies.study_result import Study, gathered
from tellegen.compile import compile_model
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.request.run_request import RunKeywords, RunRequest, request_run, run_call
from tellegen.errors import DesignError, warn_user
from tellegen.ir.model import FloatArray
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
    workers: int | None = None,
    save: str | PathLike[str] | None = None,
    **run: Unpack[RunKeywords],
) -> Study:
    """Run a model for every combination of values, or for every sample of a design.

    `variables` are the paths to vary: {"motor.R": [1, 2, 3], "load.J": [0.01, 0.02]} is a grid of six runs; samples are
    made by tg.latin_hypercube, tg.sobol and tg.monte_carlo; a DataFrame has a run in each row. `outputs` are paths
    (curves at the output points), strings such as "final(load.w)" (also max, min, mean, rms), and functions of a
    Solution, in a list or a dict of names. The keywords from `start` on are those of tg.simulate, the same for all.

    `executor` is "processes" (all cores), "threads", "serial", "dask" or "ray", or a client or executor of your own.
    With `save="drive.study"` the runs are kept in that file as they are done, and the same call continues where it was
    interrupted. Runs that fail are kept with their reason; Ctrl-C returns what is there.
    """
    compiled = compile_model(model)
    request = request_run(compiled.flat.experiment, stop, **run)
    chosen(executor, here())
    return studied(compiled, designed(variables), outputs, request, Execution(executor, _workers(workers), save))


@dataclass(frozen=True, eq=False)
class Execution:
    """Where runs are made, how many at a time, and the file that keeps them."""

    executor: Any = "processes"
    workers: int | None = None
    save: str | PathLike[str] | None = None


def studied(compiled: CompiledModel, design: Design, outputs: Any, request: RunRequest, execution: Execution) -> Study:
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
    keep = Kept(execution.save, marks(task, plan.numbers)) if execution.save is not None else None
    with keep or nullcontext():
        done, complete = _all_runs(task, plan.numbers, keep, execution)
    found = gathered(task, plan, done, complete)
    _report(found, keep is not None)
    return found


def _all_runs(task: Task, numbers: FloatArray, keep: Kept | None, execution: Execution) -> tuple[list[Ran], bool]:
    """Those in the file, and all the others; and whether none is left."""
    done = list(keep.read()) if keep is not None else []
    known = {one.number for one in done}
    jobs = [Job(k, row) for k, row in enumerate(numbers) if k not in known]
    warned: Counter[str] = Counter()
    shapes: list[Any] = [None] * len(task.outputs)
    for one in done:
        _uniform(one, shapes)
    with Bar(task.compiled.flat.name, len(numbers), len(done)) as bar:
        work = carry_out(task, jobs, execution.executor, execution.workers, strict=not done)
        try:
            for batch in work:
                ran = [_uniform(one, shapes) for one in batch.ran if one.code != INTERRUPTED]
                done += ran
                warned.update(batch.warned)
                if keep is not None:
                    keep.add(ran)
                bar.add(len(ran), sum(not one.ok for one in ran))
                if len(ran) < len(batch.ran):  # Ctrl-C, seen by the engine
                    break
        except KeyboardInterrupt:
            pass
        finally:
            work.close()
    for text, count in warned.most_common(_MOST_WARNINGS):
        warn_user(f"{text} (in {count} of {len(jobs)} runs)" if count > 1 else text)
    if len(warned) > _MOST_WARNINGS:
        warn_user(f"{len(warned) - _MOST_WARNINGS} more warnings of this kind were given by runs")
    return done, len(done) == len(numbers)


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
    failures = found.failures()
    if len(failures) and not (found.data["outcome"] == "success").any():
        first = failures.iloc[0]
        warn_user(f"every run failed, the first one with {first['outcome']}: {first['reason']}")

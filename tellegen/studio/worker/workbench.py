"""What a worker does: compile the model of a text, run it, read curves of the last run."""

from __future__ import annotations

import gc
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import tellegen as tg
from tellegen.errors import UndeterminedError
from tellegen.studio.document.made_parts import NOTHING, Structure
from tellegen.studio.messages.diagnostic import Diagnostic
from tellegen.studio.messages.questions import (
    Calibrate,
    Explain,
    Found,
    MakePage,
    Optimize,
    Question,
    Refused,
    Sensitivities,
    Study,
)
from tellegen.studio.messages.work import (
    Broken,
    Check,
    Checked,
    Printed,
    ReadCurves,
    ReadRun,
    ReadSources,
    Result,
    RunScript,
    Simulate,
    Simulated,
    Task,
)
from tellegen.studio.worker.design import calibrate, number, optimize, sensitivities, study
from tellegen.studio.worker.load_text import (
    MOST_MESSAGES,
    diagnostic_of,
    diagnostic_of_warning,
    evaluated,
    made,
    module_of,
)
from tellegen.studio.worker.pages import page
from tellegen.studio.worker.run_curves import read_curves, simulated
from tellegen.studio.worker.run_script import ScriptBench
from tellegen.studio.worker.sources import read_sources
from tellegen.studio.worker.structure import structure_of
from tellegen.studio.worker.understand import explained

DEFAULT_STOP = "1"


class Workbench:
    """The model that was checked last and its last run."""

    def __init__(self, tell: Callable[[Printed], None] = lambda _: None) -> None:
        self._script = ScriptBench(tell)
        self._file = ""
        self._module: Any = None
        self._model: Any = None
        self._compiled: Any = None
        self.solution: Any = None
        self._number = 0
        self._listing = 0
        """The first run of the model that was checked last."""
        self._structures: dict[str, Structure] = {}
        """What was sent about the structure of classes."""

    def done(self, task: Task) -> Result:
        """The result of a task; whatever the user's code raises is part of it."""
        match task:
            case Check():
                return self._check(task)
            case Simulate():
                return self._simulate(task)
            case ReadSources():
                return read_sources(task)
            case ReadCurves(names, number):
                return read_curves(self._run_of(number), names, number)
            case RunScript():
                return self._script.done(task)
            case ReadRun(number, curves):
                run = self._script.runs.solution(number)
                return Broken("the script has no such run any more") if run is None else simulated(run, (), 0.0, curves)
            case _:
                return self._answered(task)

    def _run_of(self, number: int) -> Any:
        """The last run, or one that the script made; None for others."""
        if number < 0:
            return self._script.runs.solution(-1 - number)
        return self.solution if number == self._number else None

    def _answered(self, task: Question) -> Result:
        """The answer to a question about the model that was checked last."""

        def answer() -> Found:
            if self._compiled is None:
                raise tg.DocumentError("E898", "the model has errors and cannot be run", advice="fix them first")
            match task:
                case Explain():
                    return explained(task, self._model, self._compiled, self.solution)
                case Sensitivities():
                    if self.solution is None:
                        raise tg.DocumentError("E898", "there is no run so far", advice="run the model first")
                    return sensitivities(task, self._compiled, self.solution)
                case Study():
                    return study(task, self._compiled)
                case Optimize():
                    return optimize(task, self._compiled)
                case Calibrate():
                    return calibrate(task, self._compiled)
                case MakePage():
                    return page(task, self._model, self.solution)

        value, found = _watched(answer, self._file)
        return Refused(found) if value is None else value

    def _check(self, task: Check) -> Checked:
        self._file = task.file
        self._compiled = None
        gc.unfreeze()

        left_open: list[UndeterminedError] = []

        def compiled() -> Any:
            self._module = module_of(task.text, task.file, task.imports)
            self._model = made(self._module, task.cls, task.model)
            try:
                return tg.compile(self._model)
            except UndeterminedError as error:
                if not task.has_ports:
                    raise
                left_open.append(error)

        self._compiled, found = _watched(compiled, task.file)
        if left_open:
            return Checked(False, (*found, _of_part(left_open[0], task.file)), "", is_part=True)
        if self._compiled is None:
            return Checked(False, found, "")
        self._listing = 0
        flat = self._compiled.flat
        stop = flat.experiment.stop
        asked = float(stop) if stop is not None else 0.0
        structure = structure_of(self._model, flat.tree.nodes[0].kind)
        same = self._structures.get(task.cls) == structure
        self._structures[task.cls] = structure
        summary = f"{flat.equation_count:,} equation{'' if flat.equation_count == 1 else 's'}"
        gc.freeze()  # runs make thousands of small records: whatever is there already is not searched for garbage
        scene = bool(flat.visuals)
        return Checked(True, found, summary, asked, NOTHING if same else structure, same, has_scene=scene)

    def _simulate(self, task: Simulate) -> Simulated:
        begin = time.perf_counter()
        self._number = task.number

        def run() -> Any:
            if self._compiled is None:
                raise tg.DocumentError("E898", "the model has errors and cannot be run", advice="fix them first")
            stop = task.stop or (None if self._compiled.flat.experiment.stop is not None else DEFAULT_STOP)
            options = {name: evaluated(self._module, text) for name, text in task.options.items()}
            options["parameters"] = {**(options.get("parameters") or {}), **task.parameters}
            options.setdefault("points", task.points)
            return tg.simulate(self._compiled, number(stop or ""), throw=False, **options)

        self.solution, found = _watched(run, self._file)
        seconds = time.perf_counter() - begin
        solution = self.solution
        if solution is None:
            return Simulated(False, "", found, seconds, "", (), (), (), "")
        outcome = solution.outcome
        if not outcome.ok:
            found = (*found, _of_outcome(outcome, self._file))
        self._listing = self._listing or task.number
        listed = task.listing != 0 and task.listing == self._listing
        said = simulated(solution, found, seconds, task.curves, task.columns, listed=listed)
        return replace(said, listing=self._listing)


def _of_part(error: UndeterminedError, file: str) -> Diagnostic:
    """What a component leaves to the model that connects its ports."""
    found = diagnostic_of(error, file)
    advice = "nothing, where a model connects its ports to what determines this; check that model. Otherwise: "
    return replace(found, warning=True, message=f"by itself: {found.message}", advice=advice + found.advice)


def _of_outcome(outcome: Any, file: str) -> Diagnostic:
    """Why a run ended early, with the component that was evaluated."""
    at = outcome.location
    line = at.line if at is not None and at.file == file else 0
    about = (at.scope,) if at is not None and at.scope else ()
    return Diagnostic("", outcome.message, tuple(outcome.details), outcome.advice, line, about=about)


def _watched(action: Callable[[], Any], file: str) -> tuple[Any, tuple[Diagnostic, ...]]:
    """The value of an action, or None, and what was said: its warnings, and the exception that it ended with."""
    said: list[Diagnostic] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = action()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a model may raise anything, SystemExit too
            value = None
            said.append(diagnostic_of(error, file))
    ours = [warning for warning in caught if issubclass(warning.category, UserWarning)]
    said += [diagnostic_of_warning(warning, file) for warning in ours[:MOST_MESSAGES]]
    if len(ours) > MOST_MESSAGES:
        said.append(Diagnostic("", f"{len(ours) - MOST_MESSAGES:,} more warnings", (), "", 0, warning=True))
    return value, tuple(said)

"""What happens when it runs: the curves of all variables over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol, Unpack
from weakref import WeakKeyDictionary

import numpy as np

from tellegen.compile import compile_model, compiled_for
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.native.outcome import Outcome, OutcomeCode
from tellegen.engine.request.run_request import RunKeywords, RunRequest, request_run, run_call
from tellegen.engine.results.solution import Solution
from tellegen.errors import DesignError, warn_user
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here
from tellegen.variation.ended import Ending, ended

_AT_ONCE = 1e-9  # of a run: what is violated so early is violated at its start

_WATCHING: WeakKeyDictionary[CompiledModel, tuple[Any, CompiledModel]] = WeakKeyDictionary()


class Loss(Protocol):
    """When a requirement was lost, and what happened."""

    @property
    def time(self) -> float: ...

    @property
    def text(self) -> str: ...


class Requirement(Protocol):
    """What a run can be required to fulfil (analyses/requirements/, a later room)."""

    stop_on_violation: bool

    @property
    def name(self) -> str: ...

    def verdict(self, run: Any) -> Any: ...

    def lost(self, solution: Solution) -> Loss | None: ...

    def endings(self, model: ReducedModel, start: float) -> list[Ending] | None: ...

    def violated(self, solution: Solution) -> str | None: ...


@run_call()
def simulate(
    model: Any,
    stop: float | str | None = None,
    *,
    throw: bool = True,
    requirements: Sequence[Any] | Any = (),
    **run: Unpack[RunKeywords],
) -> Solution:
    """Simulate a component (or flat or compiled model) from `start` to `stop`.

    `parameters` and `initial` give other values by path, in the declared units; `initial="steady"` starts from the
    steady state. `points` is a number of output points or the times themselves, increasing, from `start` to `stop`:
    then the output is the start and exactly these, and nothing after the last of them is computed. `start` and `stop`
    are seconds or strings with a unit ("20 ms"). `max_steps` may be taken from one output point to the next. A
    condition that switches back and forth without end stops the run; with `chattering="regularize"` it gets a narrow
    hysteresis instead, and a warning says which one and how wide. With `throw=False` a failed integration returns what
    was computed until then; its `outcome` says what happened.

    `requirements` (tg.require) that the run violates are warned of. One with `stop_on_violation` ends the run where no
    continuation can fulfil it any more; the `outcome` names it, and what was violated.
    """
    with compiled_for(model) as compiled:
        request = request_run(compiled.flat.experiment, stop, **run)
        required = _required(requirements)
        if not required:
            return compiled.run(request, throw)
        solution = _stopped(compiled, request, throw, required)
        for each in required:
            if solution.outcome.ok and not (verdict := each.verdict(solution)).holds:
                warn_user(f"{compiled.name} violates a requirement: {verdict}")
        return solution


def _required(given: Any) -> list[Requirement]:
    found = list(given) if isinstance(given, list | tuple) else [given]
    stranger = next((each for each in found if not hasattr(each, "stop_on_violation")), None)
    if stranger is not None:
        advice = "requirements=[tg.require(tg.always('y < 1.2'), 'calm', stop_on_violation=True)]"
        raise DesignError("E670", f"{stranger!r} is not a requirement", location=here(), advice=advice)
    return found


def _stopped(compiled: CompiledModel, request: RunRequest, throw: bool, required: list[Requirement]) -> Solution:
    """The run, up to where the first of its requirements that stop it is lost."""
    stopping = [each for each in required if each.stop_on_violation]
    if not stopping:
        return compiled.run(request, throw)
    found = _ended(compiled, request, throw, stopping) if request.run_state is None else None
    return _repeated(compiled, request, throw, stopping) if found is None else found


def _ended(compiled: CompiledModel, request: RunRequest, throw: bool, stopping: list[Requirement]) -> Solution | None:
    """A run that watches for violations and ends at one; None where an instant alone does not show them."""
    start = request.options.start
    endings = [each.endings(compiled.reduced, start) for each in stopping]
    if any(each is None for each in endings):
        return None
    every = [ending for each in endings if each is not None for ending in each]
    solution = _watching(compiled, every).run(request, throw)
    for each in stopping:
        if solution.outcome.terminated and (text := each.violated(solution)) is not None:
            return replace(solution, outcome=_lost(each, text, solution.outcome.time))
    is_lost = solution.outcome.ok and any(each.lost(solution) for each in stopping)
    return None if is_lost else solution  # lost where nothing is watched: at the start of models of other languages


def _watching(compiled: CompiledModel, endings: list[Ending]) -> CompiledModel:
    """The model with these conditions; the last one is kept, for a model may be run again and again."""
    key = tuple((ending.condition, ending.scalars, ending.message) for ending in endings)
    kept = _WATCHING.get(compiled)
    if kept is None or kept[0] != key:
        kept = key, compile_model(ended(compiled.flat, endings))
        _WATCHING[compiled] = kept
    return kept[1]


def _lost(culprit: Requirement, text: str, time: float) -> Outcome:
    return Outcome(OutcomeCode.VIOLATION, f"the requirement '{culprit.name}' is lost: {text}", time)


def _repeated(compiled: CompiledModel, request: RunRequest, throw: bool, stopping: list[Requirement]) -> Solution:
    """The whole run first, then once more until a requirement is lost.

    Which continuations could still fulfil a requirement shows on the curves of the run, so it is judged when these are
    known. What fails after that instant does not matter.
    """
    solution = compiled.run(request, throw=False)
    if not solution.outcome.ok and solution.time[-1] <= solution.time[0]:
        return compiled.run(request, throw)  # it has failed where it starts: there is nothing to judge
    losses = [(loss, each) for each in stopping if (loss := each.lost(solution)) is not None]
    if not losses:
        return solution if solution.outcome.ok or not throw else compiled.run(request, throw)
    loss, culprit = min(losses, key=lambda pair: pair[0].time)
    outcome = _lost(culprit, loss.text, loss.time)
    start = float(solution.time[0])
    if loss.time - start <= _AT_ONCE * (float(solution.time[-1]) - start):
        return solution.until(1, outcome)
    options = request.options
    points = options.points
    if not isinstance(points, int):
        given = np.asarray(points, float)
        points = np.append(given[given < loss.time], loss.time)
    shorter = replace(request, options=replace(options, stop=loss.time, points=points))
    return replace(compiled.run(shorter, throw=False), outcome=outcome)

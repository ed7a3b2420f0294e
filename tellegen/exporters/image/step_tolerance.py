"""How tight the steps of an exported model have to be, so that the errors of a run are within ten times its tolerance.

Steps are judged by their own errors. Models that remember (a load between volumes of oil, an oscillation that is hardly
damped) add them up: with the Rosenbrock method, whose steps are long, they came to a hundred tolerances. So a second
trial run with a tenth of the tolerance shows what the first one was worth.
"""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np

from tellegen.engine.compiled import CompiledModel
from tellegen.engine.request.run_request import RunRequest
from tellegen.engine.results.solution import Solution
from tellegen.errors import NumericError
from tellegen.exporters.image.trial_run import TrialRun

_MOSTLY = 95.0  # percent of the points: beside jumps either side is right
_WANTED = 4.0  # tolerances
_TIGHTER = 0.1
_TIGHTEST = 0.03
"""Steps may become three times as many; where that is not enough, errors are not those of steps."""


def with_tight_steps(trial: TrialRun, compiled: CompiledModel, request: RunRequest) -> TrialRun:
    """The trial run with as much of the tolerance for steps as its errors allow; all of it with the explicit method,
    which is for models that are not stiff."""
    if trial.method != "rodas":
        return trial
    options = trial.options
    tighter = replace(request, options=replace(options, solver=trial.method, rtol=_TIGHTER * options.rtol))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the first run gave them
        try:
            better = compiled.run(tighter)
        except NumericError:
            return trial
    error = _difference(trial.solution, better, options.times())
    part = _WANTED * options.rtol / error if error > _WANTED * options.rtol else 1.0
    return replace(trial, step_part=max(part, _TIGHTEST))


def _difference(one: Solution, other: Solution, times: np.ndarray) -> float:
    """By how much two runs of a model differ, but for a few points: of the worst state, in parts of its largest value
    or its size; zero where they have chosen other states."""
    model = one.compiled
    if model is None or model is not other.compiled or one.settings is None:
        return 0.0
    states = model.ode.program.states
    size = one.settings.start.starts.scales.size[states]
    moments = times[times <= min(one.time[-1], other.time[-1])]
    here, there = (_at_points(each, moments)[:, states] for each in (one, other))
    largest = np.maximum(np.abs(there).max(axis=0, initial=0.0), size)
    return float((np.percentile(np.abs(here - there), _MOSTLY, axis=0) / largest).max(initial=0.0))


def _at_points(solution: Solution, times: np.ndarray) -> np.ndarray:
    """The unknowns at output times, after what happens there."""
    return np.asarray(solution.unknowns)[np.searchsorted(solution.time, times, side="right") - 1]

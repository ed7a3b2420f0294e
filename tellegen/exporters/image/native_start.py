"""Whether an exported model finds its initial values without Python, and from which guesses.

Python tries more than the native steps do: other guesses, homotopy, steady states. Where these steps fail from the
start values of the model they begin from the values that the trial run has found.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tellegen.engine.initialization.initialize import free_at_start
from tellegen.engine.runtime.instance.instance_record import Status
from tellegen.engine.runtime.runtimes import instance_runtime
from tellegen.errors import ExportError
from tellegen.exporters.image.prepared_run import prepared_run
from tellegen.exporters.image.trial_run import TrialRun

_INITIALIZE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


def startable(trial: TrialRun) -> TrialRun:
    """The trial run with guesses from which an exported model finds its initial values; E450 where there are none."""
    if follows_from_states(trial):
        return trial
    begin = _INITIALIZE(instance_runtime().addresses["instance_initialize"])
    for each in _with_guesses(trial):
        prepared = prepared_run(each)
        if Status(begin(prepared.instance.address)) in (Status.DONE, Status.TERMINATED):
            return each
    raise ExportError(
        "E450",
        f"{trial.model.flat.name} cannot be exported: its initial values are found here, but not by the steps that an "
        "exported model has",
        advice="give start values that are nearer to the solution",
    )


def follows_from_states(trial: TrialRun) -> bool:
    """Whether the initial values need no search: everything follows from the start values of states, in order."""
    model = trial.model
    return trial.start.gives_states_alone(model) and not len(model.ode.iterated)


def _with_guesses(trial: TrialRun) -> Iterator[TrialRun]:
    """Those of the model, then those found."""
    yield trial
    starts = trial.start.starts
    is_free = free_at_start(trial.model, starts).free.values | ~(trial.model.reduced.is_state | starts.fixed)
    found = trial.solution.at(trial.options.start).unknowns
    guessed = replace(
        starts,
        value=np.where(is_free & np.isfinite(found), found, starts.value),
        source=np.where(is_free, -1, starts.source),
    )
    yield replace(trial, start=trial.start._replace(starts=guessed))

"""The choices of states that an exported model may make while it runs (engine/runtime/instance/instance_choice.py).

    pendulum, x*x + y*y == L*L:    x is the state and y follows, or the other way round

Those are prepared that are best somewhere along the trial run; others than these it does not know.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.integrators.dynamic_state_selection import StateWatch, depends_on_point
from tellegen.engine.integrators.one_step import OneStep
from tellegen.engine.integrators.rodas import Rodas
from tellegen.engine.integrators.watched_choice import WatchedChoice
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.native.record import Record
from tellegen.engine.runtime.instance.instance_record import ChosenStates
from tellegen.engine.runtime.runtimes import watch_runtime
from tellegen.exporters.image.projected_states import begin_projection
from tellegen.exporters.image.trial_run import TrialRun
from tellegen.procedures.language import field_names

_LOOKS = 200  # points of the trial run
_MOST = 16  # choices


class ChoiceMemory:
    """The records of all choices, the first of which is that of the trial run's beginning."""

    def __init__(self, system: OdeSystem, run: OneStep, trial: TrialRun) -> None:
        self.models = [trial.model, *_others(trial)]
        self._owners: list[Any] = []
        rows = []
        watches = []
        absolute = trial.step_options.absolute(trial.start.starts.scales)
        per_step = run.per_step
        for model in self.models:
            system.select(model)
            if isinstance(run, Rodas):
                self._owners.append(system.newton_factors(trial.options.start, trial.options.length))
            watch = WatchedChoice(model, system.p)
            watches.append(watch)
            atol = per_step * absolute.start[system.states]
            part = per_step * absolute.part[system.states]
            self._owners.append(begin_projection(system, trial, atol, run.rtol))
            choice = Record(field_names(ChosenStates))
            copied = Record(tuple(system.record.number))
            copied.words[:] = system.record.words
            choice.set(ode=copied.address, watch=watch.record.address, atol=atol, part=part)
            rows.append(choice.words)
            self._owners += [choice, copied, dict(system.record.kept), watch]
        system.select(trial.model)
        self.rows = np.array(rows, np.int64)
        look = watch_runtime().addresses["choice_is_doubtful"]
        run.record.set(watch=watches[0].record.address, choice_is_doubtful=look)


def choice_memory(system: OdeSystem, run: OneStep, trial: TrialRun) -> ChoiceMemory | None:
    """None where the same states are good everywhere."""
    return ChoiceMemory(system, run, trial) if depends_on_point(trial.model) else None


def _others(trial: TrialRun) -> list[NativeModel]:
    """The model with the states that are best at points of the trial run, in the order they are met."""
    model = trial.model
    watch = model.derived(StateWatch)
    solution = trial.solution
    found: dict[bytes, Any] = {}
    for number in np.unique(np.linspace(0, len(solution.time) - 1, _LOOKS).astype(int)).tolist():
        at = solution.at(float(solution.time[number]))
        stages = watch.soundest(at.t, at.unknowns, at._p)
        found.setdefault(b"".join(stage.tobytes() for stage in stages), stages)
    assert model.reduced.candidates is not None
    found.pop(b"".join(stage.tobytes() for stage in model.reduced.candidates.stages), None)
    others = [model.with_states(stages) for stages in list(found.values())[: _MOST - 1]]
    return [other for other in others if not other.ode.reason]

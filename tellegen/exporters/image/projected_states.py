"""The projection onto the invariants of a model in an exported run, ranks as at the beginning of the trial run."""

from __future__ import annotations

from tellegen.engine.loaded.invariant_projection import InvariantProjection
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.exporters.image.trial_run import TrialRun
from tellegen.ir.model import FloatArray


def begin_projection(system: OdeSystem, trial: TrialRun, atol: FloatArray, rtol: float) -> InvariantProjection | None:
    """Let steps of the system project its states; None where the model has no invariants."""
    projection = system.projection
    if projection is None:
        return None
    at = trial.solution.at(trial.options.start)
    before = system.w.copy()
    system.y[:] = at.unknowns
    projection.begin(at.t, at.unknowns[system.states], atol, rtol)
    system.w[:] = before
    return projection

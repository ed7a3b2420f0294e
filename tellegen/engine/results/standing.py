"""Where a run stood at one of its instants, for another run to continue from there (engine/request/run_state.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.run_state import NO_LAST_STEP, RunState
from tellegen.ir.model import FloatArray

if TYPE_CHECKING:
    from tellegen.engine.results.solution import Solution


def run_state(solution: Solution, t: float, values: Consistent, p: FloatArray) -> RunState:
    """The run at a time, with its unknowns, their rates and the parameters and discrete values there."""
    history = solution.history
    settings = solution.settings
    last = solution.last if t == solution.time[-1] else NO_LAST_STEP
    hystereses = [] if history is None else [each for each in history.hystereses if each.time <= t]
    notes = None if history is None else history.notes
    return RunState(
        solution._reduced,
        t,
        values.y.copy(),
        values.yp.copy(),
        p.copy(),
        float(solution.time[-1] - solution.time[0]) if settings is None else settings.options.length,
        None if settings is None else settings.scales,
        None if last is NO_LAST_STEP else solution.peaks,
        None if notes is None else notes.until(t),
        hystereses[-1] if hystereses else None,
        last,
        solution.warned_before.union(entry.condition for entry in solution.warnings if entry.time <= t),
    )

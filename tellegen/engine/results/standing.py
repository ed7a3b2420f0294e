"""Where a run stood at one of its instants, for another run to continue from there (engine/request/run_state.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tellegen.engine.request.run_state import NO_LAST_STEP, RunState
from tellegen.engine.request.scales import Peaks
from tellegen.ir.model import FloatArray

if TYPE_CHECKING:
    from tellegen.engine.results.solution import Solution


def run_state(solution: Solution, t: float, values: tuple[FloatArray, FloatArray], p: FloatArray) -> RunState:
    """The run at a time, with its unknowns, their rates and the parameters and discrete values there."""
    history = solution.history
    settings = solution.settings
    is_last = bool(t == solution.time[-1])
    hystereses = [] if history is None else [each for each in history.hystereses if each.time <= t]
    notes = None if history is None else history.notes
    unknowns, rates = values
    return RunState(
        solution._reduced,
        t,
        unknowns.copy(),
        rates.copy(),
        p.copy(),
        float(solution.time[-1] - solution.time[0]) if settings is None else settings.options.length,
        None if settings is None else settings.scales,
        solution.peaks if is_last else _peaks(solution, t),
        None if notes is None else notes.until(t),
        hystereses[-1] if hystereses else None,
        solution.last if is_last else NO_LAST_STEP,
        solution.warned_before.union(entry.condition for entry in solution.warnings if entry.time <= t),
    )


def _peaks(solution: Solution, t: float) -> Peaks | None:
    """The largest values up to a time, as the output points show them."""
    peaks = solution.peaks
    if peaks is None:
        return None
    rows = int(solution.time.searchsorted(t, side="right"))
    return Peaks(peaks.unknowns, np.abs(solution.unknowns[:rows, peaks.unknowns]).max(axis=0), False)

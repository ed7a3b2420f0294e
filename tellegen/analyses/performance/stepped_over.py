"""Whether a run has stepped over a narrow peak of what drives its states.

Between two output points a state changes by the integral of its rate. Where points had to be filled in for a peak, the
rates there are known well enough to compare both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tellegen.engine.results.solution import Solution
from tellegen.ir.show.reduced_rows import variable_text

_MANY = 40  # points filled in between two: there is a narrow peak
_DIFFERENT = 0.02  # of how far a state goes there and back
_TOLERANCES = 100.0  # of the run


@dataclass(frozen=True)
class SteppedOver:
    """The state that should have changed, and when."""

    state: str
    time: float


def stepped_over(run: Solution, filled: Solution) -> SteppedOver | None:
    """The first state that a run does not change as its rates say, where points are filled in."""
    if run.settings is None or filled.rates is None:
        return None
    reduced = run._reduced
    states = np.flatnonzero(reduced.is_state & ~reduced.is_tied)
    size = np.abs(run.unknowns[:, states]).max(axis=0)
    gaps = np.searchsorted(run.time, filled.time, "right") - 1
    for k in np.unique(gaps).tolist():
        mine = np.flatnonzero(gaps == k)
        mine = mine[np.argsort(filled.time[mine])]
        rates = filled.rates[mine[:, None], states]
        if len(mine) < _MANY or np.isnan(rates).any():
            continue
        times = np.concatenate([[run.time[k]], filled.time[mine], [run.time[k + 1]]])
        ends = run._dense.rate(k)[states], run._dense.rate(k + 1)[states]
        rates = np.concatenate([ends[:1], rates, ends[1:]])
        change = np.trapezoid(rates, times, axis=0)
        unsure = np.abs(np.diff(rates, axis=0)).T @ np.diff(times)  # rates rise or fall from point to point
        way = np.trapezoid(np.abs(rates), times, axis=0)
        done = run.unknowns[k + 1, states] - run.unknowns[k, states]
        allowed = _DIFFERENT * way + unsure + _TOLERANCES * run.settings.options.rtol * size
        wrong = np.flatnonzero(np.abs(change - done) > allowed)
        if len(wrong):
            steepest = int(np.argmax(np.abs(rates[:, wrong[0]])))
            name = variable_text(reduced, int(reduced.unknowns[states[wrong[0]]]))
            return SteppedOver(name, float(times[steepest]))
    return None

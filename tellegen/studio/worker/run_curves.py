"""A run as messages: its curves, its events, and what else there is to choose from."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from tellegen.studio.messages.diagnostic import Diagnostic
from tellegen.studio.messages.work import Curve, CurvesRead, Quantity, Simulated
from tellegen.studio.worker.thin_out import points_to_show

MOST_SLIDERS = 2000
MOST_EVENTS = 2000


def simulated(
    solution: Any,
    found: tuple[Diagnostic, ...],
    seconds: float,
    names: tuple[str, ...],
    columns: int = 0,
    *,
    listed: bool = False,
) -> Simulated:
    """A run with some of its curves; what there is to choose from is left out where it was `listed` before."""
    outcome = solution.outcome
    times, curves, thin = _curves(solution, names, columns)
    known, states, parameters = ((), (), ()) if listed else _listing(solution)
    events = _event_times(solution)
    return Simulated(outcome.ok, str(outcome), found, seconds, times, curves, known, states, events, parameters, thin)


def read_curves(solution: Any, names: tuple[str, ...], number: int) -> CurvesRead:
    """Curves with all points; none of no run."""
    return CurvesRead(number, *(_curves(solution, names, 0)[:2] if solution is not None else ("", ())))


def _listing(solution: Any) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Quantity, ...]]:
    """Names of all curves, states, and parameters that can have another value in a run."""
    plain = [(path, value) for path, value in solution.parameters.items() if isinstance(value, float)]
    shown = [Quantity(path, value, solution.unit(path)) for path, value in plain[:MOST_SLIDERS]]
    return tuple(solution.names()), tuple(solution.states()), tuple(shown)


def _event_times(solution: Any) -> str:
    """Times of events; of those that no plot shows apart the first."""
    times = np.array([event.time for event in solution.events])
    span = solution.time[-1] - solution.time[0]
    if len(times) > MOST_EVENTS and span > 0:
        places = np.floor((times - solution.time[0]) / span * MOST_EVENTS)
        times = times[np.diff(places, prepend=-1.0) != 0]
    return _doubles(times)


def _curves(solution: Any, names: tuple[str, ...], columns: int) -> tuple[str, tuple[Curve, ...], bool]:
    """Times and curves; whether points are left out that so many columns of pixels cannot show."""
    known = [name for name in names if name in solution]
    values = [np.asarray(solution[name], float) for name in known]
    times = np.asarray(solution["time"], float)
    shown = points_to_show(times, values, columns)
    if shown is not None:
        times = times[shown]
        values = [row[shown] for row in values]
    rows = zip(known, values, strict=True)
    curves = tuple(Curve(name, solution.unit(name), _doubles(row)) for name, row in rows)
    return _doubles(times), curves, shown is not None


def _doubles(values: Any) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode()

"""Steady state: the values of all variables when all derivatives are zero."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tellegen.compile import compiled_for
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import initialize
from tellegen.engine.readout.snapshot import Snapshot
from tellegen.engine.request.argument_checks import by_path, seconds
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector, starts
from tellegen.engine.results.check_assertions import warn_of_points
from tellegen.errors import users_call
from tellegen.sheet import Result


class SteadyState(Snapshot, Result):
    """All variables in steady state, by path and in the declared units: `rest["load.w"]`."""

    @property
    def when(self) -> str:
        """In words."""
        return "in steady state"

    def _title(self) -> str:
        return f"SteadyState of {self.name}: {len(self)} variables"


@users_call
def steady_state(
    model: Any,
    *,
    parameters: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
    time: float | str = 0.0,
) -> SteadyState:
    """The point where all derivatives are zero, found by Newton's method from the start values.

    `parameters` gives other values of parameters and inputs by path, `initial` where to look (a model may have several
    steady states, or none), `time` the time at which time-dependent sources are evaluated.
    """
    guesses = by_path("initial", initial, "E185")
    with compiled_for(model) as compiled:
        found = steady_at(compiled, seconds("time", time), by_path("parameters", parameters, "E175"), guesses)
        warn_of_points(compiled, [found], lambda point: point.when)
        return found


def steady_at(
    compiled: CompiledModel, time: float, parameters: Mapping[str, Any], guesses: Mapping[str, Any]
) -> SteadyState:
    """The steady state at a time, looked for from guesses."""
    p = parameter_vector(compiled, parameters)
    first = starts(compiled, p, guesses)
    y, _ = initialize(compiled, Point(time, p), first, steady=True, jumps=False)
    return SteadyState(compiled.reduced, time, Consistent(y, np.zeros(len(y))), p)

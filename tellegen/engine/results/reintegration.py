"""Values inside an interval between two output points, by integrating it again.

Nothing of the integrator's own steps is kept: an interval in which a curve is faster than the output points show is
short work, and only those that are asked for are integrated.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tellegen.engine.events.continued_events import continue_events
from tellegen.engine.initialization.events_of_system import events_of
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.run_start import RunStart
from tellegen.engine.integrators.dynamic_state_selection import depends_on_point
from tellegen.engine.integrators.ida import integrate
from tellegen.engine.integrators.rk45 import Rk45
from tellegen.engine.integrators.solver_fallback import run_smooth
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.run_options import Options
from tellegen.engine.request.run_state import DelayedSignals, RunState
from tellegen.engine.request.scales import Scales
from tellegen.ir.model import FloatArray
from tellegen.start.records import dataclass


class Settings(NamedTuple):  # every run has one, and a dataclass takes twice the time
    """How a run was made: what is needed to make it, or a part of it, again."""

    solver: str
    options: Options
    start: RunStart

    @property
    def scales(self) -> Scales:
        """The sizes of unknowns that tolerances were relative to."""
        return self.start.starts.scales


@dataclass(frozen=True, eq=False)
class Interval:
    """From one output point to the next, with the numbers that hold in between and consistent values at its start."""

    start: float
    stop: float
    p: FloatArray
    first: Consistent
    delayed: DelayedSignals | None = None  # what was before it, in models with delays


def integrated(model: NativeModel, settings: Settings, interval: Interval, times: FloatArray) -> FloatArray | None:
    """All unknowns at increasing times inside an interval, one row each; None where the integration fails."""
    options = replace(
        settings.options, start=interval.start, stop=interval.stop, points=times, solver="auto", max_steps=200_000
    )
    if interval.delayed is not None:
        return _with_delays(model, settings, options, interval)
    if settings.solver == "ida" or depends_on_point(model):
        point = Point(interval.start, interval.p)
        first = Consistent(interval.first.y, np.nan_to_num(interval.first.yp))
        _, output, outcome = integrate(model, point, options, first, settings.scales)
    else:
        system = model.ode.lease(model, interval.p, settings.scales.size)
        system.y[:] = interval.first.y
        system.yp[:] = np.nan_to_num(interval.first.yp)
        if not system.rhs(interval.start, interval.first.y[system.states]):
            return None
        ran = run_smooth(system, "rk45", options, options.absolute(settings.scales))
        output = ran.output.copy()
        outcome = ran.outcome
        model.ode.give_back(system)
    return output[1:] if outcome.ok else None


def _with_delays(model: NativeModel, settings: Settings, options: Options, interval: Interval) -> FloatArray | None:
    """The same in a model with delays. Nothing happens inside an interval: events are output points."""
    first = interval.first
    state = RunState(
        model.reduced,
        interval.start,
        first.y,
        first.yp,
        interval.p,
        options.length,
        delayed=interval.delayed,
    )
    system = model.ode.lease(model, interval.p, settings.scales.size)
    machine = events_of(system, options)
    system.y[:] = first.y
    continue_events(machine, state, interval.p)
    assert machine.delays is not None
    run = Rk45(system, options, options.absolute(settings.scales), machine)
    run.largest = min(run.largest, machine.delays.shortest(interval.start))
    run.stats["stiff"] = True  # the run has warned of it
    flag = run.integrate()
    output = run.output[1 : run.total].copy()
    model.ode.give_back(system)
    return output if flag == 0 else None

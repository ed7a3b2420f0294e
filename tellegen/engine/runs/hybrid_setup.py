"""A run with events from numbers to Solution: initial values at rest, the integrator, the run, rows in order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tellegen.engine.diagnostics.one_of_several import warn_of_one_of_several
from tellegen.engine.events.check_levels import check_levels
from tellegen.engine.events.check_sample_periods import check_samples
from tellegen.engine.events.continued_events import continue_events, memory
from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.events.step_limit_for_events import longest_step
from tellegen.engine.initialization.events_of_system import events_of
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import continued
from tellegen.engine.initialization.run_start import RunStart
from tellegen.engine.integrators.algebraic_tolerances import Tolerances
from tellegen.engine.integrators.choose_solver import STEPS_WITHOUT_STATES, SolverChoice, follows_loops
from tellegen.engine.integrators.ida import Ida
from tellegen.engine.integrators.ode_integrator import OdeRun
from tellegen.engine.integrators.segment_driver import (
    IdaSegmentDriver,
    OdeSegmentDriver,
    SegmentDriver,
    UnknownsAtEvents,
)
from tellegen.engine.integrators.solver_fallback import first_method
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.run_options import Options
from tellegen.engine.request.run_state import LastStep, RunState
from tellegen.engine.results.reintegration import Settings
from tellegen.engine.results.solution import Solution
from tellegen.engine.runs.find_scales import FoundScales
from tellegen.engine.runs.hybrid_loop import HybridRun, Staggered
from tellegen.start.later import later

with later():
    from tellegen.engine.diagnostics.invariant_drift import drift_of_rows


def run_with_events(
    model: NativeModel,
    options: Options,
    start: RunStart,
    choice: SolverChoice,
    staggered: Staggered | None = None,
) -> Solution:
    """The solution as far as it goes."""
    kept = start
    start = start.copied()
    system: OdeSystem | None = None
    if choice.solver == "ida":
        machine = EventHandler(model, start.point.p)
        machine.reset(options.start, options.length, options.rtol)
        segments = _with_ida(model, options, machine, start)
    else:
        system = model.ode.lease(model, start.point.p, start.starts.scales.size)
        if choice.shares_loads:
            system.share_loads()
        machine = events_of(system, options)
        segments = _in_ode_mode(system, options, machine, start, choice)
    check_samples(machine, options)
    hybrid = HybridRun(model, options, machine, segments, staggered, start.state is not None)
    if start.state is not None and start.state.hysteresis is not None:
        hybrid.track.hystereses.append(start.state.hysteresis)
    outcome = hybrid.run()
    times, rows, history = hybrid.track.history(*segments.rows())
    check_levels(model, history)
    if machine.delays is not None:
        history = replace(history, notes=machine.delays.notes())
    run = segments.run
    drift: dict[str, float] = {}
    if isinstance(run, Ida):
        drift = drift_of_rows(model, rows, start.point.p, options.rtol, run.tolerances.atol)
    peaks = run.tolerances.peaks() if isinstance(run, Ida) else run.peaks()
    stats = {
        **run.stats,
        **drift,
        "solver_reason": choice.reason,
        "events": len(history.log),
        "scales": FoundScales(model.reduced, start.starts.scales, peaks),
    }
    step_control = b"" if isinstance(run, Ida) else run.step_control()
    last = LastStep(run.stats["solver"], step_control, memory(machine))
    if system is not None:
        warn_of_one_of_several(system)
        model.ode.give_back(system)
    return Solution(
        model.reduced,
        times,
        rows,
        history.first,
        outcome,
        stats,
        model,
        history=history,
        settings=Settings(run.stats["solver"], options, kept),
        peaks=peaks,
        last=last,
    )


def _in_ode_mode(
    system: OdeSystem, options: Options, machine: EventHandler, start: RunStart, choice: SolverChoice
) -> SegmentDriver:
    _set_initial_values(system, machine, start)
    scales = start.starts.scales
    if not choice.keeps_sizes:
        scales = scales.with_small(system.machine.iterated, system.y)
        if start.steady:
            scales = scales.with_small(system.states, system.y, options.rtol)
    if scales is not start.starts.scales:
        system.take_sizes(scales.size)
    without_states = not len(system.states)
    explicit_alone = choice.is_last or without_states
    chosen = first_method(choice.solver, options, explicit_alone)
    run = chosen(system, options, options.absolute(scales), machine)
    if start.state is not None:
        run.resume(start.state)
    run.largest = min(run.largest, longest_step(machine, options.start, options.stop))
    has_past = machine.delays is not None
    if without_states and (machine.roots_to_watch or has_past or follows_loops(system.model)):
        run.largest = min(run.largest, options.length / STEPS_WITHOUT_STATES)
    _limit_by_delays(run, machine, options)
    return OdeSegmentDriver(system, machine, options, scales, run)


def _limit_by_delays(run: OdeRun | Ida, machine: EventHandler, options: Options) -> None:
    """No step is longer than the shortest delay. Those that vary limit steps as they go."""
    if machine.delays is not None:
        run.largest = min(run.largest, machine.delays.shortest(options.start))


def _with_ida(model: NativeModel, options: Options, machine: EventHandler, start: RunStart) -> SegmentDriver:
    tolerances = Tolerances(options, start.starts.scales, model)
    if start.state is None:
        initial = start.consistent(model)
    else:
        initial = _continued_values(model, machine, start.state)
        tolerances.resume(start.state)
    run = Ida(model, machine.p, options, tolerances, machine)
    y, yp = (np.array(part, float) for part in initial)
    machine.bind(y, yp, lambda *_: None)
    run.largest = min(run.largest, longest_step(machine, options.start, options.stop))
    _limit_by_delays(run, machine, options)
    segments = IdaSegmentDriver(run, y, yp)
    machine.bind(run.y, run.yp, UnknownsAtEvents(run, start.starts.scales.size), is_iterated=True)
    return segments


def _continued_values(model: NativeModel, machine: EventHandler, state: RunState) -> Consistent:
    """All unknowns of a run that continues, after what other parameters do."""
    y = state.unknowns.copy()
    yp = np.nan_to_num(state.rates)
    machine.bind(y, yp, lambda t, y, yp: continued(model, Point(t, machine.p), y, yp))
    continue_events(machine, state, machine.p.copy())
    return Consistent(y, yp)


def _set_initial_values(system: OdeSystem, machine: EventHandler, start: RunStart) -> None:
    """Consistent initial values: from the states alone where nothing else was asked for."""
    t = start.point.t
    if start.state is not None:
        system.y[:] = start.state.unknowns
        continue_events(machine, start.state, start.point.p)
        return
    system.y[:] = start.starts.value
    if start.gives_states_alone(system.model):
        machine.begin(t)
        if system.rhs(t, system.y[system.states]) and machine.settle(t).failed is None:
            if machine.events.reads_initial:
                system.rhs(t, system.y[system.states])  # the equations differ after the initial instant
            return
        system.p[:] = start.point.p
    system.y[:], system.yp[:] = start.consistent(system.model)
    system.p[:] = start.point.p

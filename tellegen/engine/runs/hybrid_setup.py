"""A run with events from numbers to Solution: initial values at rest, the integrator, the run, rows in order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tellegen.engine.events.check_sample_periods import check_samples
from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.events.step_limit_for_events import longest_step
from tellegen.engine.initialization.initialize import Point, continued, initialize
from tellegen.engine.integrators.algebraic_tolerances import Tolerances
from tellegen.engine.integrators.ida import Ida
from tellegen.engine.integrators.segment_driver import IdaSegmentDriver, OdeSegmentDriver, SegmentDriver
from tellegen.engine.integrators.solver_fallback import first_method
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.request.parameter_and_start_vectors import Starts
from tellegen.engine.request.run_options import Options
from tellegen.engine.results.solution import Solution
from tellegen.engine.runs.hybrid_loop import HybridRun, Staggered
from tellegen.engine.runtime.event_iteration import event_runtime
from tellegen.engine.runtime.ode_rhs import ode_runtime
from tellegen.ir.model import FloatArray


def run_with_events(
    model: NativeModel,
    options: Options,
    point: Point,
    begin: tuple[Starts, bool],
    choice: tuple[str, str],
    staggered: Staggered | None = None,
) -> Solution:
    """The solution as far as it goes. `begin` holds start values and whether to begin in steady state."""
    (first, steady), (solver, reason) = begin, choice
    system: OdeSystem | None = None
    if solver == "ida":
        machine = EventHandler(model, point.p)
        machine.reset(options.start, options.stop, options.rtol)
        stretches = _with_ida(model, options, machine, initialize(model, point, first, steady), first.nominal)
    else:
        system = model.ode.lease(model, point.p, first.nominal)
        machine = _machine(system, options)
        _place(system, machine, point, first, steady)
        atol = options.absolute(first.nominal)
        chosen = first_method(solver, options.solver, machine.delays is not None)
        run = chosen(system, options, atol, machine)
        run.largest = min(run.largest, longest_step(machine, options.start, options.stop))
        if machine.delays is not None:
            run.largest = min(run.largest, machine.delays.shortest(options.start))
        stretches = OdeSegmentDriver(system, machine, options, run)
    check_samples(machine, options.start)
    hybrid = HybridRun(model, options, machine, stretches, staggered)
    outcome = hybrid.run()
    times, rows, history = hybrid.track.history(*stretches.rows())
    if machine.delays is not None:
        history = replace(history, notes=machine.delays.notes())
    stats = {**stretches.run.stats, "solver_reason": reason, "events": len(history.log)}
    if system is not None:
        model.ode.give_back(system)
    return Solution(model.reduced, times, rows, history.first, outcome, stats, model, history=history)


def _with_ida(
    model: NativeModel,
    options: Options,
    machine: EventHandler,
    initial: tuple[FloatArray, FloatArray],
    nominal: FloatArray,
) -> SegmentDriver:
    run = Ida(model, machine.p, options, Tolerances(options, nominal, model.reduced.is_state), machine)
    y, yp = (np.array(part, float) for part in initial)
    machine.bind(y, yp, lambda *_: None)
    run.largest = min(run.largest, longest_step(machine, options.start, options.stop))
    stretches = IdaSegmentDriver(run, y, yp)
    machine.bind(run.y, run.yp, lambda t, y, yp: continued(run.model, Point(t, machine.p), y, yp))
    return stretches


def _machine(system: OdeSystem, options: Options) -> EventHandler:
    """The events of a system in ODE mode; kept with it from run to run."""
    machine = system.attached.get("events")
    if machine is None:
        machine = system.attached["events"] = EventHandler(system.model, system.p)
    machine.reset(options.start, options.stop, options.rtol)

    def rescue(t: float, y: FloatArray, yp: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """All unknowns at once by the Newton of initial values, then in order again."""
        found = continued(system.model, Point(t, system.p), y, yp)
        if found is None:
            return None
        system.y[:], system.yp[:] = found
        return (system.y, system.yp) if system.rhs(t, system.y[system.states]) else None

    fill = event_runtime().addresses["event_fill"] if machine.delays is not None else 0
    system.record.set(events=machine.record.address, event_fill=fill)
    code = (ode_runtime().addresses["ode_again"], system.record.address)
    machine.bind_native(system.y, system.yp, code, rescue)
    return machine


def _place(system: OdeSystem, machine: EventHandler, point: Point, first: Starts, steady: bool) -> None:
    """Consistent initial values: from the states alone where nothing else was asked for."""
    model = system.model
    system.y[:] = first.value
    if not steady and not model.program.initial_size and first.states_alone:
        machine.begin(point.t)
        if system.rhs(point.t, first.value[system.states]) and machine.settle_bound(point.t).failed is None:
            if machine.events.reads_initial:
                system.rhs(point.t, system.y[system.states])  # equations are others behind the start
            return
        system.p[:] = point.p
    system.y[:], system.yp[:] = initialize(model, point, first, steady)
    system.p[:] = point.p

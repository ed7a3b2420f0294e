"""One run of a compiled model from numbers: initial values, integration, Solution out."""

from __future__ import annotations

from time import perf_counter

from tellegen.engine.events.event_free_interval import settled
from tellegen.engine.initialization.initialize import Point, initialize
from tellegen.engine.initialization.propagate_guesses import with_guesses
from tellegen.engine.integrators.choose_solver import choose, has_delays
from tellegen.engine.integrators.ida import integrate
from tellegen.engine.integrators.solver_fallback import method
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.request.parameter_and_start_vectors import Starts
from tellegen.engine.request.run_options import Options
from tellegen.engine.results.solution import Solution
from tellegen.engine.runs.hybrid_loop import Staggered
from tellegen.engine.runs.hybrid_setup import run_with_events

_RESTLESS = ("chattering", "event")


def one_run(
    compiled: NativeModel,
    options: Options,
    point: Point,
    begin: tuple[Starts, bool],
    staggered: Staggered | None = None,
) -> Solution:
    """The solution as far as it goes; its outcome tells how it ended.

    `begin` holds start values and whether to begin in steady state; `staggered` may end a run with events
    (engine/runs/hybrid_loop.py).
    """
    began = perf_counter()
    first, steady = with_guesses(compiled, point, begin[0]), begin[1]
    solver, reason = choose(compiled, options.solver)
    if compiled.reduced.events is not None and not settled(compiled, options, point.p):
        return _with_events(compiled, options, point, ((first, steady), (solver, reason)), staggered)
    if solver == "ida":
        consistent = initialize(compiled, point, first, steady)
        ready = perf_counter()
        integration, output, outcome = integrate(compiled, point, options, consistent, first.nominal)
    else:
        system = _started(compiled, point, first, steady)
        ready = perf_counter()
        chosen = method(solver, options.solver)
        integration, output, outcome = chosen(system, options, options.absolute(first.nominal))
        compiled.ode.give_back(system)
        if outcome.code == "no-convergence" and options.solver == "auto":  # a loop that cannot be solved by itself
            consistent = initialize(compiled, point, first, steady)
            again = integrate(compiled, point, options, consistent, first.nominal)
            if again[2].time > outcome.time:
                integration, output, outcome = again
                reason += "; a loop that cannot be solved by itself, so all unknowns at once"
    stats = {"initialization_seconds": ready - began, **integration.stats, "solver_reason": reason}
    return Solution(compiled.reduced, integration.times[: len(output)], output, point.p, outcome, stats, compiled)


def _with_events(
    compiled: NativeModel,
    options: Options,
    point: Point,
    how: tuple[tuple[Starts, bool], tuple[str, str]],
    staggered: Staggered | None,
) -> Solution:
    """A run with events; where conditions come to no rest under explicit steps that nobody asked for, CVODE tries.

    A stiff circuit of diodes whose currents all begin at zero is such a case: an explicit step overshoots the corner.
    """
    begin, choice = how
    solution = run_with_events(compiled, options, Point(point.t, point.p.copy()), begin, choice, staggered)
    explicit = options.solver == "auto" and solution.stats["solver"] == "rk45"
    alone = explicit and compiled.reduced.is_state.any() and not has_delays(compiled)
    if alone and solution.outcome.code in _RESTLESS:
        again = run_with_events(compiled, options, point, begin, ("cvode", choice[1]))
        return again if again.outcome.time > solution.outcome.time else solution
    return solution


def _started(compiled: NativeModel, point: Point, first: Starts, steady: bool) -> OdeSystem:
    """ODE mode at consistent initial values: from the states alone where nothing else was asked for."""
    system = compiled.ode.lease(compiled, point.p, first.nominal)
    if not steady and not compiled.program.initial_size and first.states_alone:
        system.y[:] = first.value
        if system.rhs(point.t, first.value[system.states]):
            return system
    system.y[:], system.yp[:] = initialize(compiled, point, first, steady)
    return system

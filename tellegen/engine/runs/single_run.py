"""One run of a compiled model from numbers: initial values, integration, Solution out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.engine.events.event_free_interval import settled
from tellegen.engine.initialization.assembly.assemble import assembled
from tellegen.engine.initialization.propagate_guesses import with_guesses
from tellegen.engine.initialization.run_start import RunStart
from tellegen.engine.integrators.choose_solver import SolverChoice, choose, has_states, other_method
from tellegen.engine.integrators.ida import integrate
from tellegen.engine.integrators.solver_fallback import (
    all_unknowns_may_help,
    another_may_help,
    cvode_may_help,
    ida_may_help,
    no_matrix_may_help,
    run_smooth,
    shared_loads_may_help,
    states_may_help,
)
from tellegen.engine.loaded.computed_rows import ComputedRows, is_large, is_recomputable
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.native.outcome import OutcomeCode
from tellegen.engine.native.waiting_for_code import working_time
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.run_options import Options
from tellegen.engine.request.run_state import LastStep
from tellegen.engine.request.scales import Scales
from tellegen.engine.results.reintegration import Settings
from tellegen.engine.results.solution import Solution
from tellegen.engine.runs.find_scales import FoundScales, fits, with_found_scales
from tellegen.engine.runs.hybrid_loop import Staggered
from tellegen.engine.runs.hybrid_setup import run_with_events
from tellegen.start.later import later

with later():
    from tellegen.engine.diagnostics.invariant_drift import drift_of_rows

_FAILED = (
    OutcomeCode.NO_CONVERGENCE,
    OutcomeCode.STEP_TOO_SMALL,
    OutcomeCode.NOT_FINITE,
    OutcomeCode.OVERFLOW,
    OutcomeCode.POLE,
    OutcomeCode.SINGULAR,
)


def one_run(compiled: NativeModel, options: Options, start: RunStart, staggered: Staggered | None = None) -> Solution:
    """The solution as far as it goes; its outcome says how it ended.

    `staggered` may end a run with events (engine/runs/hybrid_loop.py).
    """
    choice = choose(compiled, options.solver)  # may compile ODE mode, which is not a part of the run
    guessed = start.starts
    if start.state is None:
        guessed = with_guesses(compiled, start.point, guessed)
        if not start.steady:
            guessed = assembled(compiled, start.point, guessed)
    if guessed is not start.starts:
        start = RunStart(start.point, guessed, start.steady)

    first = _attempt(compiled, options, start, choice, staggered)
    if fits(compiled, options, guessed.scales, first):
        return first

    begin = _with_values_found(compiled, start, first)

    def attempt(scales: Scales) -> Solution:
        scaled = begin._replace(starts=replace(begin.starts, scales=scales))
        return _attempt(compiled, options, scaled, choice, staggered)

    return with_found_scales(compiled, options, guessed.scales, first, attempt)


def _attempt(
    compiled: NativeModel, options: Options, start: RunStart, choice: SolverChoice, staggered: Staggered | None
) -> Solution:
    """A run with given scales."""
    began = working_time()
    if compiled.reduced.events is not None and not settled(compiled, options, start.point.p):
        return _with_events(compiled, options, start, choice, staggered)
    if choice.solver != "ida":
        return _in_ode_mode(compiled, options, start, choice, began)
    solution = _with_ida(compiled, options, start, choice, began)
    other = other_method(compiled, "ida")
    if not states_may_help(solution.outcome, options) or not other:
        return solution
    reason = f"{choice.reason}, in which no step was small enough for all unknowns together"
    again = _with_states(compiled, options, start, SolverChoice(other, reason), began)
    return _furthest(solution, again)


def _with_ida(compiled: NativeModel, options: Options, start: RunStart, choice: SolverChoice, began: float) -> Solution:
    """All unknowns at once."""
    consistent = _consistent(compiled, start)
    initialization_seconds = working_time() - began
    integration, output, outcome = integrate(compiled, start.point, options, consistent, start.starts.scales)
    peaks = integration.tolerances.peaks()
    stats = {
        "initialization_seconds": initialization_seconds,
        **integration.stats,
        **drift_of_rows(compiled, output, start.point.p, options.rtol, integration.tolerances.atol),
        "solver_reason": choice.reason,
        "scales": FoundScales(compiled.reduced, start.starts.scales, peaks),
    }
    times = integration.times[: len(output)].copy()
    settings = Settings("ida", options, start)
    return Solution(
        compiled.reduced, times, output, start.point.p, outcome, stats, compiled, settings=settings, peaks=peaks
    )


def _consistent(compiled: NativeModel, start: RunStart) -> Consistent:
    """Where all unknowns begin. Forces of closed loops need not be determined: ODE mode knows which."""
    mechanism = compiled.flat.mechanism
    has_loops = mechanism is not None and bool(mechanism.loops)
    if not has_loops or compiled.ode.reason or not start.gives_states_alone(compiled):
        return start.consistent(compiled)
    system = _started(compiled, start)
    found = Consistent(system.y.copy(), system.yp.copy())
    compiled.ode.give_back(system)
    return found


def _in_ode_mode(
    compiled: NativeModel, options: Options, start: RunStart, choice: SolverChoice, began: float
) -> Solution:
    """The states alone, or all unknowns where an algebraic loop has no solution by itself."""
    solution = _with_states(compiled, options, start, choice, began)
    if not ida_may_help(solution.outcome, options):
        return solution
    reason = f"{choice.reason}; an algebraic loop that cannot be solved by itself, so all unknowns simultaneously"
    again = _with_ida(compiled, options, start, SolverChoice("ida", reason), began)
    return _furthest(solution, again)


def _with_states(
    compiled: NativeModel, options: Options, start: RunStart, choice: SolverChoice, began: float
) -> Solution:
    """The states alone."""
    system = _started(compiled, start)
    initialization_seconds = working_time() - began
    first: Any = None
    stores_states = is_large(compiled, options) and is_recomputable(compiled)
    if stores_states:
        first = system.y.copy()
        system.keep_states_only(True)
    ran = run_smooth(system, choice.solver, options, options.absolute(start.starts.scales), start.state)
    times = ran.integration.times
    times = times.copy() if len(times) == len(ran.output) else times[: len(ran.output)].copy()
    unknowns: Any = ran.output
    if stores_states:
        unknowns = ComputedRows(compiled, start.point.p, times, ran.output, first)
        system.keep_states_only(False)
    compiled.ode.give_back(system)
    peaks = ran.integration.peaks()
    stats = {
        "initialization_seconds": initialization_seconds,
        **ran.integration.stats,
        "solver_reason": choice.reason,
        "scales": FoundScales(compiled.reduced, start.starts.scales, peaks),
    }
    settings = Settings(choice.solver, options, start)
    p = start.point.p
    return Solution(
        compiled.reduced,
        times,
        unknowns,
        p,
        ran.outcome,
        stats,
        compiled,
        settings=settings,
        peaks=peaks,
        last=LastStep(ran.integration.solver, ran.integration.step_control()),
    )


def _with_events(
    compiled: NativeModel, options: Options, start: RunStart, choice: SolverChoice, staggered: Staggered | None
) -> Solution:
    """A run with events, repeated with other solvers where that may help; the one that gets furthest counts."""
    solution = run_with_events(compiled, options, start, choice, staggered)
    if choice.solver != "ida" and solution.outcome.code in _FAILED and _has_small_unknowns(compiled, start, solution):
        as_given = replace(choice, keeps_sizes=True)
        solution = _furthest(solution, run_with_events(compiled, options, start.copied(), as_given))
    other = _other_solver(compiled, options, solution)
    if other:
        begin = _with_values_found(compiled, start, solution)
        solution = _furthest(solution, run_with_events(compiled, options, begin, SolverChoice(other, choice.reason)))
    if no_matrix_may_help(solution.outcome, solution.stats["solver"], options) and has_states(compiled):
        begin = _with_values_found(compiled, start, solution)
        reason = f"{choice.reason}; a matrix that is singular at t = {solution.outcome.time:.6g}, so without one"
        explicit = SolverChoice("rk45", reason, is_last=True)
        solution = _furthest(solution, run_with_events(compiled, options, begin, explicit))
    if shared_loads_may_help(solution.outcome, options) and _may_share_loads(compiled):
        begin = _with_values_found(compiled, start, solution)
        sharing = SolverChoice("rk45", f"{choice.reason}; with loads shared", is_last=True, shares_loads=True)
        solution = _furthest(solution, run_with_events(compiled, options, begin, sharing))
    return solution


def _has_small_unknowns(compiled: NativeModel, start: RunStart, solution: Solution) -> bool:
    """Whether a run took small values at the start for sizes of unknowns.

    A force may grow from a rounding of 1e-17 N: Newton's method would be relative to noise.
    """
    if compiled.ode.reason or not len(solution.unknowns):
        return False
    given = start.starts.scales
    return given.with_small(compiled.ode.iterated, solution.unknowns[0]) is not given


def _may_share_loads(compiled: NativeModel) -> bool:
    """Whether a model may have one of several solutions: by the rules of Modelica, whose friction passes through modes
    that leave loads open. Modes of Python that are impossible together are reported by their names."""
    events = compiled.reduced.events
    return events is not None and not events.reinit_at_once and not compiled.ode.reason


def _other_solver(compiled: NativeModel, options: Options, solution: Solution) -> str:
    """The solver that a run with events is worth repeating with; empty where there is none."""
    solver = solution.stats["solver"]
    if all_unknowns_may_help(solution.outcome, solver, options):
        return "ida"
    if has_states(compiled):
        is_worth_it = cvode_may_help(solution.outcome, solver, options)
    else:
        is_worth_it = another_may_help(solution.outcome, options)
    return other_method(compiled, solver) if is_worth_it else ""


def _furthest(one: Solution, other: Solution) -> Solution:
    return other if other.outcome.time > one.outcome.time else one


def _with_values_found(compiled: NativeModel, start: RunStart, found: Solution) -> RunStart:
    """A run that is repeated: what initialization has solved for is the guess; in steady state, that is everything."""
    if start.state is not None:
        return start
    starts = start.starts
    first = found.unknowns[0]
    is_given = compiled.reduced.is_state | starts.fixed | starts.wanted | starts.promised
    is_guess = np.isfinite(first) & (start.steady | ~is_given)
    return start._replace(starts=replace(starts, value=np.where(is_guess, first, starts.value)))


def _started(compiled: NativeModel, start: RunStart) -> OdeSystem:
    """ODE mode at consistent initial values: from the states alone where nothing else was asked for."""
    system = compiled.ode.lease(compiled, start.point.p, start.starts.scales.size)
    if start.state is not None or start.gives_states_alone(compiled):
        system.y[:] = start.starts.value
        if system.rhs(start.point.t, start.starts.value[system.states]):
            return system
    system.y[:], system.yp[:] = start.consistent(compiled)
    return system

"""A run of a compiled model as it was asked for: parameters and start values in, Solution out.

A run that gets stuck is tried once more with the kinks of min, max and abs as events, and then with all relations: at
the fold of a comparator with positive feedback that is written with these, the model has to jump, which it does at
events alone. At last, where there are no states, steep places are stepped over. One that fails because parameters
cancel each other is repeated with a model for exactly these parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from tellegen.engine.diagnostics.step_log import StepLog
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import repeated_conditions
from tellegen.engine.initialization.propagate_guesses import with_shared
from tellegen.engine.initialization.run_start import RunStart
from tellegen.engine.integrators.dynamic_state_selection import chosen_at_start
from tellegen.engine.integrators.solver_fallback import with_advice_on_solver
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.outcome import OutcomeCode
from tellegen.engine.request.parameter_and_start_vectors import Starts, parameter_vector, starts
from tellegen.engine.request.run_request import RunRequest
from tellegen.engine.results.check_assertions import checked, is_judged
from tellegen.engine.results.interrupted import SimulationInterrupted
from tellegen.engine.results.solution import Solution
from tellegen.engine.runs.kinks_as_events import all_relations_as_events, kinks_as_events
from tellegen.engine.runs.partitioned_run import lookout
from tellegen.engine.runs.single_run import one_run
from tellegen.errors import DependentByValuesError, NumericError, RunFailedError, TellegenError
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.start.later import later

with later():
    from tellegen.engine.runs.continued_run import start_of_continued
    from tellegen.engine.runs.exact_values import is_singular_at_the_end, with_exact_values
    from tellegen.engine.runs.partitioned_run import run_by_islands
    from tellegen.network.mechanics.checks.check_numbers import check_mechanism, check_rigid_loops

_STUCK = (
    OutcomeCode.NO_CONVERGENCE,
    OutcomeCode.STEP_TOO_SMALL,
    OutcomeCode.CHATTERING,
    OutcomeCode.OVERFLOW,
)
_UNSOLVED = (*_STUCK, OutcomeCode.SINGULAR)
_CANCELLING = "compiled again for parameter values that cancel each other"
_KINKS = "repeated with the kinks of min, max and abs as events"
_ALL_RELATIONS = "repeated with all relations as events, those inside no_event and smooth as well"
_STEEP = "repeated with steep places stepped over"
_STEPS_AT_A_STEEP_PLACE = 10_000  # between two output points


def run_model(compiled: NativeModel, request: RunRequest) -> Solution:
    """The solution as far as it goes; its outcome says how it ended."""
    try:
        solution = _run(compiled, request)
    except DependentByValuesError as error:
        exact = with_exact_values(compiled, error.parameters)
        if exact is None:
            raise
        return _explained(_run(exact, request), _CANCELLING)
    if solution.outcome.code not in _UNSOLVED:
        return solution
    if compiled.flat.tangents is None:
        solution = _repeated(compiled, request, solution)
    outcome = with_advice_on_solver(solution.outcome, request.options)
    return solution if outcome is solution.outcome else replace(solution, outcome=outcome)


def _repeated(compiled: NativeModel, request: RunRequest, solution: Solution) -> Solution:
    """A run that is stuck, or the same run with another form of the model that gets further."""
    if is_singular_at_the_end(solution) and (exact := with_exact_values(compiled, solution._p)) is not None:
        return _further(solution, exact, request, _CANCELLING)
    for form, why in ((kinks_as_events, _KINKS), (all_relations_as_events, _ALL_RELATIONS)):
        if solution.outcome.code in _STUCK and (located := form(compiled)) is not None:
            solution = _further(solution, located, request, why)
    if solution.outcome.code in _STUCK and not compiled.reduced.is_state.any():
        few = min(request.options.max_steps, _STEPS_AT_A_STEEP_PLACE)
        stepping = replace(request, options=replace(request.options, steps_over=True, max_steps=few))
        solution = _further(solution, compiled, stepping, _STEEP)
    return solution


def _further(first: Solution, model: NativeModel, request: RunRequest, why: str) -> Solution:
    """The run repeated with another model from the same initial values, if that gets further."""
    try:
        again = _run(model, request, first)
    except TellegenError:  # the first failure counts
        return first
    return _explained(again, why) if again.outcome.time > first.outcome.time else first


def _explained(solution: Solution, why: str) -> Solution:
    solution.stats["solver_reason"] += f"; {why}"
    return solution


def _guesses_from(solution: Solution, model: ReducedModel, starts: Starts) -> Starts:
    """Start values that are near the initial values of another run, of a model with the same variables.

    At the start an equation with several solutions has one of them: there the repeated run has to start as well.
    """
    known = solution._reduced.unknowns
    if solution.unknowns.shape != (len(solution.time), len(known)) or not len(solution.time):
        return starts
    position = np.full(max(known.max(initial=-1), model.unknowns.max(initial=-1)) + 1, -1)
    position[known] = np.arange(len(known))
    mine = position[model.unknowns]
    is_guess = (mine >= 0) & ~starts.fixed
    return replace(starts, value=np.where(is_guess, solution.unknowns[0][mine], starts.value))


def _run(compiled: NativeModel, request: RunRequest, near: Solution | None = None) -> Solution:
    """The model as it is, from initial values near those of another run if there is one."""
    options = request.options
    if request.run_state is not None:
        compiled, start = start_of_continued(compiled, request.run_state, request.parameters)
        solution = one_run(compiled, options, start)
        return _judged(compiled, replace(solution, continues=True, warned_before=request.run_state.warned))
    given = request.start_values
    model = compiled.reduced
    p, first = numbers(compiled, request.parameters, given)
    point = Point(options.start, p)
    if model.flat.tangents is not None:
        first = with_shared(model, point, first)
    compiled = chosen_at_start(compiled, point, first)
    if compiled.reduced is not model:
        model = compiled.reduced
        first = with_shared(model, point, starts(compiled, p, given))
    if near is not None:
        first = _guesses_from(near, model, first)
    start = RunStart(point, first, request.steady)
    run = partial(one_run, compiled, options, start, lookout(compiled, options))
    if compiled.flat.mechanism is not None and request.parameters:
        solution = _explained_by_mechanism(compiled, request, p, run)
    else:
        solution = run()
    if not solution.outcome.ok and solution.outcome.code is OutcomeCode.STAGGERED:
        return run_by_islands(compiled, options, start)
    if not request.steady and (repeated := repeated_conditions(compiled, first)):
        solution.stats["repeated_initial_conditions"] = repeated
    return _judged(compiled, solution)


def _explained_by_mechanism(
    compiled: NativeModel, request: RunRequest, p: FloatArray, run: Callable[[], Solution]
) -> Solution:
    """A run of a mechanism with other parameters; what these make of it was checked with those as declared only.

    Circles of rigid connections are checked before, for no equation notices them. The rest explains failures at the
    start: a joint whose lump has no inertia divides by zero.
    """
    flat = compiled.flat
    values = p[: flat.parameters.count]
    check_rigid_loops(flat, values)
    try:
        solution = run()
    except NumericError:
        check_mechanism(flat, values)
        raise
    if not solution.outcome.ok and solution.outcome.time <= request.options.start:
        check_mechanism(flat, values)
    return solution


def _judged(compiled: NativeModel, solution: Solution) -> Solution:
    return checked(solution) if is_judged(compiled) else solution


def numbers(
    compiled: NativeModel, parameters: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[FloatArray, Starts]:
    """Parameters and start values; as declared they are found once, for most runs change nothing.

    Other parameters move start values only where these are computed from parameters.
    """
    changed = len(parameters) > 0
    if len(given) or (changed and compiled.flat.start_bindings):
        p = parameter_vector(compiled, parameters)
        return p, starts(compiled, p, given)
    p, first = compiled.derived(_as_declared)
    return (parameter_vector(compiled, parameters) if changed else p.copy()), first


def _as_declared(compiled: NativeModel) -> tuple[FloatArray, Starts]:
    p = parameter_vector(compiled, None)
    return p, starts(compiled, p, None)


def repeat_run(compiled: NativeModel, solution: Solution, log: StepLog) -> Solution:
    """A run once more, up to where it came, with its steps in a log."""
    settings = solution.settings
    assert settings is not None
    options = replace(settings.options, step_log=log)
    end = solution.outcome.time
    if not solution.success and end > options.start:
        times = options.times()
        options = replace(options, points=np.append(times[times < end], end))
    return one_run(compiled, options, settings.start)


def complete(solution: Solution) -> Solution:
    """The solution, or the error that says why it is not complete."""
    outcome = solution.outcome
    if outcome.ok:
        return solution
    if outcome.code is OutcomeCode.INTERRUPTED:
        raise SimulationInterrupted(solution)
    if outcome.cause is not None:
        outcome.cause.solution = solution
        raise outcome.cause
    error = RunFailedError(
        "E310",
        f"the simulation of {solution.name} stopped at t = {outcome.time:.6g}: {outcome.message}",
        location=outcome.location,
        details=outcome.details,
        advice="\n".join(filter(None, [outcome.advice, "simulate(..., throw=False) returns what was computed"])),
    )
    error.solution = solution
    raise error

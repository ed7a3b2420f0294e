"""One run of a compiled model: numbers in, initial values, integration, Solution out."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

from tellegen.engine.asked import by_path
from tellegen.engine.assertions import checked
from tellegen.engine.choose import choose, has_delays
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.first_guesses import with_guesses, with_shared
from tellegen.engine.hybrid_start import run_with_events
from tellegen.engine.initialize import Point, initialize
from tellegen.engine.integrate import integrate
from tellegen.engine.methods import method
from tellegen.engine.ode import OdeSystem
from tellegen.engine.options import Options
from tellegen.engine.quiet import settled
from tellegen.engine.reselect import chosen_at_start
from tellegen.engine.solution import Solution
from tellegen.engine.values import Starts, parameter_vector, starts
from tellegen.engine.watch import SimulationInterrupted
from tellegen.errors import LanguageError, NumericError
from tellegen.ir.model import FloatArray
from tellegen.ir.place import here

_RESTLESS = ("chattering", "event")


def run(
    compiled: CompiledModel,
    options: Options,
    parameters: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | str | None = None,
) -> Solution:
    """The solution as far as it goes; its outcome tells how it ended."""
    if isinstance(initial, str) and initial != "steady":
        raise LanguageError("E185", f"initial is 'steady' or values by path, not '{initial}'", place=here())
    steady = initial == "steady"
    given = None if initial is None or isinstance(initial, str) else initial
    began = perf_counter()
    model = compiled.sorted
    p, first = numbers(compiled, parameters, given)
    point = Point(options.start, p)
    if model.flat.report.get("shared"):
        first = with_shared(model, point, first)
    compiled = chosen_at_start(compiled, point, first)
    if compiled.sorted is not model:
        model = compiled.sorted
        first = with_shared(model, point, starts(model, p, given))
    first = with_guesses(compiled, point, first)
    solver, reason = choose(compiled, options.solver)
    if compiled.sorted.events is not None and not settled(compiled, options, p):
        solution = _with_events(compiled, options, point, (first, steady), (solver, reason))
        return checked(solution) if compiled.flat.assertions else solution
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
    solution = Solution(model, integration.times[: len(output)], output, p, outcome, stats, compiled)
    return checked(solution) if compiled.flat.assertions else solution


def _with_events(
    compiled: CompiledModel, options: Options, point: Point, begin: tuple[Starts, bool], choice: tuple[str, str]
) -> Solution:
    """A run with events; where conditions come to no rest under explicit steps that nobody asked for, CVODE tries.

    A stiff circuit of diodes whose currents all begin at zero is such a case: an explicit step overshoots the corner.
    """
    solution = run_with_events(compiled, options, Point(point.t, point.p.copy()), begin, choice)
    alone = options.solver == "auto" and solution.stats["solver"] == "rk45" and not has_delays(compiled)
    if alone and solution.outcome.code in _RESTLESS:
        again = run_with_events(compiled, options, point, begin, ("cvode", choice[1]))
        return again if again.outcome.time > solution.outcome.time else solution
    return solution


def numbers(
    compiled: CompiledModel, parameters: Mapping[str, Any] | None, given: Mapping[str, Any] | None
) -> tuple[FloatArray, Starts]:
    """Parameters and start values; as declared they are found once, for most runs change nothing.

    Other parameters move start values only where these are computed from parameters.
    """
    changed, moved = len(by_path("parameters", parameters, "E175")), len(by_path("initial", given, "E185"))
    if moved or (changed and compiled.flat.start_bindings):
        p = parameter_vector(compiled.sorted, parameters)
        return p, starts(compiled.sorted, p, given)
    if "declared" not in compiled.__dict__:
        p = parameter_vector(compiled.sorted, None)
        compiled.__dict__["declared"] = p, starts(compiled.sorted, p, None)
    p, first = compiled.__dict__["declared"]
    return (parameter_vector(compiled.sorted, parameters) if changed else p.copy()), first


def _started(compiled: CompiledModel, point: Point, first: Starts, steady: bool) -> OdeSystem:
    """ODE mode at consistent initial values: from the states alone where nothing else was asked for."""
    system = compiled.ode.lease(compiled, point.p, first.nominal)
    if not steady and not compiled.program.initial_size and first.states_alone:
        system.y[:] = first.value
        if system.rhs(point.t, first.value[system.states]):
            return system
    system.y[:], system.yp[:] = initialize(compiled, point, first, steady)
    return system


def complete(solution: Solution) -> Solution:
    """The solution, or the error that tells why it is not complete."""
    outcome = solution.outcome
    if outcome.ok:
        return solution
    if outcome.code == "interrupted":
        raise SimulationInterrupted(solution)
    error = NumericError(
        "E310",
        f"the simulation of {solution.model.flat.name} stopped at t = {outcome.time:.6g}: {outcome.message}",
        place=outcome.place,
        details=outcome.details,
        advice="\n".join(filter(None, [outcome.advice, "simulate(..., throw=False) returns what was computed"])),
    )
    error.solution = solution
    raise error

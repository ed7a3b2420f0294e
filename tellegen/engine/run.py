"""One run of a compiled model: numbers in, initial values, integration, Solution out."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

from tellegen.engine.assertions import checked
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.initialize import Point, initialize
from tellegen.engine.integrate import integrate
from tellegen.engine.options import Options
from tellegen.engine.solution import Solution
from tellegen.engine.values import parameter_vector, starts
from tellegen.engine.watch import SimulationInterrupted
from tellegen.errors import LanguageError, NumericError
from tellegen.ir.place import here


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
    p = parameter_vector(model, parameters)
    first = starts(model, p, given)
    point = Point(options.start, p)
    consistent = initialize(compiled, point, first, steady)
    ready = perf_counter()
    integration, output, outcome = integrate(compiled, point, options, consistent, first.nominal)
    stats = {"initialization_seconds": ready - began, **integration.stats}
    solution = Solution(model, integration.times[: len(output)], output, p, outcome, stats, compiled)
    return checked(solution) if compiled.flat.assertions else solution


def complete(solution: Solution) -> Solution:
    """The solution, or the error that tells why it is not complete."""
    outcome = solution.outcome
    if outcome.ok:
        return solution
    if outcome.code == "interrupted":
        raise SimulationInterrupted(solution)
    raise NumericError(
        "E310",
        f"the simulation of {solution.model.flat.name} stopped at t = {outcome.time:.6g}: {outcome.message}",
        details=outcome.details,
        advice="\n".join(filter(None, [outcome.advice, "simulate(..., throw=False) returns what was computed"])),
    )

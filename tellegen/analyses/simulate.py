"""What happens when it runs: the initial values, then the integration over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

from tellegen.engine.compiled import CompiledModel
from tellegen.engine.initialize import Point, initialize
from tellegen.engine.integrate import integrate
from tellegen.engine.options import Options
from tellegen.engine.solution import Solution
from tellegen.engine.values import parameter_vector, starts
from tellegen.errors import LanguageError, NumericError
from tellegen.ir.model import FloatArray


def simulate(
    compiled: CompiledModel,
    stop: float,
    *,
    start: float = 0.0,
    rtol: float = 1e-6,
    atol: float | None = None,
    points: int | Sequence[float] | FloatArray = 500,
    solver: str = "auto",
    parameters: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | str | None = None,
    throw: bool = True,
) -> Solution:
    """Simulate from `start` to `stop`.

    `parameters` and `initial` give other values by path, in the declared units; `initial="steady"` starts from rest.
    `points` is a number of output points or the times themselves. With `throw=False` a failed integration returns
    what was computed until then; its `outcome` tells what happened.
    """
    options = Options(start=start, stop=stop, rtol=rtol, atol=atol, points=points, solver=solver)
    if isinstance(initial, str) and initial != "steady":
        raise LanguageError("E174", f"initial is 'steady' or values by path, not '{initial}'")
    steady = initial == "steady"
    given = None if initial is None or isinstance(initial, str) else initial
    began = perf_counter()
    model = compiled.sorted
    p = parameter_vector(model, parameters)
    first = starts(model, p, given)
    point = Point(start, p)
    y, yp = initialize(compiled, point, first, steady)
    ready = perf_counter()
    integration, output, outcome = integrate(compiled, point, options, (y, yp), first.nominal)
    stats = {"initialization_seconds": ready - began, **integration.stats}
    solution = Solution(model, integration.times[: len(output)], output, p, outcome, stats)
    if throw and not outcome.ok:
        raise NumericError(
            "E310",
            f"the simulation of {model.flat.name} stopped at t = {outcome.time:.6g}: {outcome.message}",
            details=outcome.details,
            advice="\n".join(filter(None, [outcome.advice, "simulate(..., throw=False) returns what was computed"])),
        )
    return solution

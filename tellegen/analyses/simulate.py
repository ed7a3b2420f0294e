"""What happens when it runs: the curves of all variables over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tellegen.engine.runs.run  # noqa: F401 - loaded with the package, not during somebody's first run
from tellegen.compile import compile_model
from tellegen.engine.request.run_options import MAX_STEPS
from tellegen.engine.results.solution import Solution
from tellegen.errors import users_call
from tellegen.ir.model import FloatArray


@users_call
def simulate(
    model: Any,
    stop: float | str | None = None,
    *,
    start: float | str = 0.0,
    rtol: float = 1e-6,
    atol: float | None = None,
    points: int | Sequence[float] | FloatArray = 500,
    solver: str = "auto",
    max_steps: int = MAX_STEPS,
    chattering: str = "stop",
    parameters: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | str | None = None,
    throw: bool = True,
) -> Solution:
    """Simulate a component (or flat or compiled model) from `start` to `stop`.

    `parameters` and `initial` give other values by path, in the declared units; `initial="steady"` starts from rest.
    `points` is a number of output points or the times themselves, increasing, from `start` to `stop`: then the output
    is the start and exactly these, and nothing after the last of them is computed. `start` and `stop` are seconds or
    texts with a unit ("20 ms"). `max_steps` may be taken from one output point to the next. A condition that
    switches back and forth without end stops the run; with `chattering="regularize"` it gets a narrow hysteresis
    instead, and a warning tells which one and how wide. With `throw=False` a failed integration returns what was
    computed until then; its `outcome` tells what happened.
    """
    return compile_model(model).simulate(
        stop,
        start=start,
        rtol=rtol,
        atol=atol,
        points=points,
        solver=solver,
        max_steps=max_steps,
        chattering=chattering,
        parameters=parameters,
        initial=initial,
        throw=throw,
    )

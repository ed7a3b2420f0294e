"""What happens when it runs: the curves of all variables over time."""

from __future__ import annotations

from typing import Any, Unpack

from tellegen.compile import compile_model
from tellegen.engine.request.run_request import RunKeywords, request_run, run_call
from tellegen.engine.results.solution import Solution


@run_call()
def simulate(
    model: Any, stop: float | str | None = None, *, throw: bool = True, **run: Unpack[RunKeywords]
) -> Solution:
    """Simulate a component (or flat or compiled model) from `start` to `stop`.

    `parameters` and `initial` give other values by path, in the declared units; `initial="steady"` starts from the
    steady state. `points` is a number of output points or the times themselves, increasing, from `start` to `stop`:
    then the output is the start and exactly these, and nothing after the last of them is computed. `start` and `stop`
    are seconds or strings with a unit ("20 ms"). `max_steps` may be taken from one output point to the next. A
    condition that switches back and forth without end stops the run; with `chattering="regularize"` it gets a narrow
    hysteresis instead, and a warning says which one and how wide. With `throw=False` a failed integration returns what
    was computed until then; its `outcome` says what happened.
    """
    compiled = compile_model(model)
    return compiled.run(request_run(compiled.flat.experiment, stop, **run), throw)

"""tg.robustness: what tolerances of parameters do to the numbers of a run.

found = tg.robustness(
    model,
    stop=0.1,
    of=[tg.rise_time("c.v"), tg.overshoot("c.v") <= 0.1],
    tolerances={"r.R": "5 %", "c.C": ("20 %", "normal")},
    samples=1000,
)
print(found)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tellegen.analyses.robust.robustness_result import Robustness, analysed
from tellegen.analyses.robust.sampling import sampled
from tellegen.analyses.robust.toleranced_runs import Runs, read_numbers, run_options
from tellegen.analyses.robust.tolerances import paths_in, read_tolerances
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.engine.request.run_options import MAX_STEPS
from tellegen.errors import users_call
from tellegen.ir.model import FloatArray


@users_call
def robustness(
    model: Any,
    stop: float | str | None = None,
    *,
    of: Any,
    tolerances: Mapping[str, Any],
    distribution: str = "uniform",
    correlation: Mapping[tuple[str, str], float] | None = None,
    worst: str | None = "corner",
    samples: int = 0,
    sampling: str = "monte carlo",
    seed: int = 0,
    executor: Any = "processes",
    start: float | str = 0.0,
    rtol: float = 1e-7,
    atol: float | None = None,
    points: int | Sequence[float] | FloatArray = 500,
    solver: str = "auto",
    max_steps: int = MAX_STEPS,
    parameters: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
) -> Robustness:
    """The spread of performance functions when parameters and start values have tolerances.

    `of` lists performance functions, or comparisons such as tg.overshoot("y") <= 0.1, whose yield is told too. A
    tolerance is "5 %", "0.1 ohm" or a number; `distribution` is "uniform", "normal" (3 sigma) or "triangular", and may
    stand beside a tolerance: ("5 %", "normal"). One run gives exact gradients; from them follow the variance to first
    order and what each tolerance has in it. `worst` is "corner", "vertices" or "search". With `samples`, as many runs
    follow, by "monte carlo" or "latin hypercube" `sampling`. The keywords behind `executor` are tg.simulate's.
    """
    numbers = read_numbers(of)
    made = SensitivityModel(model, paths_in("tolerances", tolerances, "'r.R': '5 %'"))
    given = dict(parameters or {}), dict(initial or {})
    numerics = {"rtol": rtol, "atol": atol, "points": points, "solver": solver, "max_steps": max_steps}
    options = run_options(made, stop, start, **numerics, parameters=given[0], initial=given[1])
    runs = Runs(made, numbers, read_tolerances(made, tolerances, given, distribution, correlation), options, executor)
    return analysed(runs, worst, sampled(runs, samples, sampling, seed) if samples else None)

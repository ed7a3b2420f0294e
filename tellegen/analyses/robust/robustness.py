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

from collections.abc import Mapping
from typing import Any, Unpack

from tellegen.analyses.robust.robustness_result import Robustness, analysed
from tellegen.analyses.robust.sampling import sampled
from tellegen.analyses.robust.toleranced_runs import Runs, read_numbers
from tellegen.analyses.robust.tolerances import paths_in, read_tolerances
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.engine.request.run_options import GRADIENTS
from tellegen.engine.request.run_request import RunKeywords, run_call


@run_call(rtol=GRADIENTS)
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
    sampling: str = "monte_carlo",
    seed: int = 0,
    executor: Any = "processes",
    **run: Unpack[RunKeywords],
) -> Robustness:
    """The spread of performance functions when parameters and start values have tolerances.

    `of` lists performance functions, or comparisons such as tg.overshoot("y") <= 0.1, whose yield is also computed. A
    tolerance is "5 %", "0.1 ohm" or a number; `distribution` is "uniform", "normal" (3 sigma) or "triangular", and may
    stand beside a tolerance: ("5 %", "normal"). One run gives exact gradients; from them follow the variance to first
    order and what each tolerance has in it. `worst` is "corner", "vertices" or "search". With `samples`, as many runs
    follow, by "monte_carlo" or "latin_hypercube" `sampling`. The keywords from `start` on are those of
    tg.simulate.
    """
    numbers = read_numbers(of)
    made = SensitivityModel(model, paths_in("tolerances", tolerances, "'r.R': '5 %'"))
    request = made.request(stop, **run)
    found = read_tolerances(made, tolerances, request, distribution, correlation)
    runs = Runs(made, numbers, found, request, executor)
    return analysed(runs, worst, sampled(runs, samples, sampling, seed) if samples else None)

"""tg.estimate: states and parameters of a model from measurements, with how well they are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tellegen.analyses.estimation.estimated import Estimate
from tellegen.analyses.estimation.kalman_filters import extended, unscented
from tellegen.analyses.estimation.late_measurements import ArrivedRun, LatePropagation, waiting
from tellegen.analyses.estimation.moving_horizon import moving_horizon
from tellegen.analyses.estimation.observability import unobservable
from tellegen.analyses.estimation.particles import particle_filter
from tellegen.analyses.estimation.problem import Asked, problem_of, wrong
from tellegen.analyses.estimation.propagation import Propagation
from tellegen.compile import compile_model
from tellegen.errors import users_call, warn_user

METHODS = ("ekf", "ukf", "mhe", "particle")
_ACCURATE = 1e-8  # relative tolerance of runs: far below the noise


@users_call
def estimate(
    model: Any,
    data: Any,
    *,
    states: Mapping[str, float | str],
    sigma: Mapping[str, float | str],
    parameters: Mapping[str, float | str] | None = None,
    noise: Mapping[str, float | str] | None = None,
    method: str = "ekf",
    inputs: Mapping[str, str] | None = None,
    match: Mapping[str, str] | None = None,
    time: str = "time",
    delays: Mapping[str, float | str] | None = None,
    window: int = 10,
    particles: int = 200,
    seed: int = 0,
    initial: Mapping[str, Any] | None = None,
    rtol: float = _ACCURATE,
    solver: str = "auto",
) -> Estimate:
    """States and parameters over time from measured data: a DataFrame, a CSV file or a dict of arrays.

    `states` are the standard deviations of start values, `parameters` those of parameters to be estimated (what is not
    named is known), `sigma` those of the measured curves. `noise` lets states and parameters walk: deviation per square
    root of a second. `match` says which curve a column is, `inputs` which column an input of the model follows, held
    from row to row; NaN is a value that was not measured. `delays` says of which measured curves a row shows the past:
    how long ago. Start values are those of the model, or `initial`.

    `method` is "ekf" (extended Kalman filter), "ukf" (unscented), "mhe" (least squares over the last `window` times) or
    "particle" (so many `particles`, drawn with `seed`). `rtol` and `solver` are those of the runs between measurements.
    """
    if method not in METHODS:
        raise wrong(f"method={method!r}", f"one of {', '.join(map(repr, METHODS))}")
    least = {"window": window, "particles": particles}
    short = next((name for name, value in least.items() if value < 1), None)
    if short is not None:
        raise wrong(f"{short}={least[short]!r}", "give a positive integer")
    compiled = compile_model(model)
    asked = Asked(states, parameters or {}, noise or {}, sigma, match, time, inputs or {}, delays)
    problem = problem_of(compiled, data, asked, initial or {})
    plan = waiting(problem) if problem.delays.any() else None
    propagation = Propagation(compiled, problem, {"rtol": rtol, "solver": solver})
    if plan is not None:
        propagation = LatePropagation(propagation, plan)
        window = -(-window * len(plan.rows) // len(problem.time))
    if method == "ekf":
        run = extended(propagation)
    elif method == "ukf":
        run = unscented(propagation)
    elif method == "mhe":
        run = moving_horizon(propagation, window)
    else:
        run = particle_filter(propagation, particles, seed)
    hidden = unobservable(propagation.problem, run) if method != "particle" else ()
    if plan is not None:
        run = ArrivedRun(run, plan.given, len(problem.mean))
    for names in hidden:
        warn_user(f"{compiled.name}: the data say nothing about {' together with '.join(names)}")
    return Estimate(compiled.name, method, problem, run, hidden)

"""tg.estimate: states and parameters of a model from measurements, with how well they are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tellegen.analyses.estimation.estimated import Estimate
from tellegen.analyses.estimation.filtered_run import FilteredRun
from tellegen.analyses.estimation.kalman_filters import extended, unscented
from tellegen.analyses.estimation.late_measurements import ArrivedRun, LatePropagation, waiting
from tellegen.analyses.estimation.moving_horizon import moving_horizon
from tellegen.analyses.estimation.observability import unobservable
from tellegen.analyses.estimation.particles import particle_filter
from tellegen.analyses.estimation.problem import Asked, problem_of
from tellegen.analyses.estimation.propagation import Propagation
from tellegen.analyses.estimation.records import Columns, Estimator, NoiseLevels, columns_of, estimator_of, noise_of
from tellegen.compile import compile_model
from tellegen.errors import users_call, warn_user


@users_call
def estimate(
    model: Any,
    data: Any,
    *,
    states: Mapping[str, float | str],
    noise: NoiseLevels,
    parameters: Mapping[str, float | str] | None = None,
    method: str | Estimator = "ekf",
    columns: Columns | None = None,
    initial: Mapping[str, Any] | None = None,
) -> Estimate:
    """States and parameters over time from measured data: a DataFrame, a CSV file or a dict of arrays.

    `states` are the standard deviations of start values, `parameters` those of parameters to be estimated; what is not
    named is known. `noise` says how noisy the measured curves are, and which states and parameters walk:
    tg.NoiseLevels(measured={...}, walk={...}). NaN is a value that was not measured. `columns` says what the columns of
    the data are where their names do not: tg.Columns(inputs={...}, match={...}, time=..., delays={...}). Start values
    are those of the model, or `initial`.

    `method` is "ekf" (extended Kalman filter), "ukf" (unscented), "mhe" (moving horizon) or "particle", or a
    tg.Estimator with the window, the number of particles or the tolerance of runs.
    """
    estimator = estimator_of(method)
    compiled = compile_model(model)
    asked = Asked(states, parameters or {}, noise_of(noise), columns_of(columns))
    problem = problem_of(compiled, data, asked, initial or {})
    plan = waiting(problem) if problem.delays.any() else None
    propagation = Propagation(compiled, problem, {"rtol": estimator.rtol, "solver": estimator.solver})
    window = estimator.window
    if plan is not None:
        propagation = LatePropagation(propagation, plan)
        window = -(-window * len(plan.rows) // len(problem.time))
    run = _run(propagation, estimator, window)
    hidden = unobservable(propagation.problem, run) if estimator.method != "particle" else ()
    if plan is not None:
        run = ArrivedRun(run, plan.given, len(problem.mean))
    for names in hidden:
        warn_user(f"{compiled.name}: the data say nothing about {' together with '.join(names)}")
    return Estimate(compiled.name, estimator.method, problem, run, hidden)


def _run(propagation: Propagation, estimator: Estimator, window: int) -> FilteredRun:
    if estimator.method == "ekf":
        return extended(propagation)
    if estimator.method == "ukf":
        return unscented(propagation)
    if estimator.method == "mhe":
        return moving_horizon(propagation, window)
    return particle_filter(propagation, estimator.particles, estimator.seed)

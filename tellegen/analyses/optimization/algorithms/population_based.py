"""Populations that come to a front without gradients: NSGA-II of pymoo, and Optuna.

For models that cannot be differentiated, objectives that jump, and fronts with gaps. Both packages are optional.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from scipy.stats import qmc

from tellegen.analyses.optimization.algorithms.gradient_based import Limits
from tellegen.analyses.optimization.formulation.evaluation import Evaluation, Searchable, objectives
from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here

_LEAST = 24  # of a population
_PER_VARIABLE = 8
_BAD = 1e12  # for runs that fail

PACKAGES = {"nsga2": "pymoo", "optuna": "optuna"}


def package(method: str) -> Any:
    """The package of a method, or the error that says how to get it."""
    name = PACKAGES[method]
    try:
        return import_module(name)
    except ImportError:
        advice = f"pip install 'tellegen[{name}]', or method='auto'"
        raise DesignError(
            "E606", f"method={method!r} needs the package {name}", location=here(), advice=advice
        ) from None


def _population(problem: Searchable, first: FloatArray, limits: Limits, designs: int) -> FloatArray:
    """The first generation, as numbers from 0 to 1: where the search begins, the rest spread evenly."""
    n = len(first)
    count = max(_LEAST, 2 * designs, _PER_VARIABLE * n)
    spread = qmc.LatinHypercube(n, rng=limits.seed).random(count - 1)
    return np.vstack([problem.variables.normalized(first), spread])


def _limits(problem: Searchable, found: Evaluation) -> FloatArray:
    """How far each limit is exceeded, of its size; negative where it is kept."""
    others = problem.asked.others
    values = found.constraints[others:]
    sizes = problem.sizes[others:]
    low = problem.asked.low[others:]
    high = problem.asked.high[others:]
    away = np.concatenate([(low - values) / sizes, (values - high) / sizes])
    return away[np.isfinite(np.concatenate([low, high]))]


def _looked_at(problem: Searchable, u: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Objectives and how far limits are exceeded, for values from 0 to 1."""
    found = problem.evaluate(problem.variables.values(np.asarray(u, float)), gradient=False)
    if found.failed:
        others = problem.asked.others
        count = int(np.isfinite([*problem.asked.low[others:], *problem.asked.high[others:]]).sum())
        return np.full(1 + others, _BAD), np.full(count, _BAD)
    return objectives(problem, found), _limits(problem, found)


def nsga2(problem: Searchable, first: FloatArray, limits: Limits, designs: int) -> None:
    """K. Deb and others, IEEE Transactions on Evolutionary Computation 6, 2002; as many generations as iterations."""
    from pymoo.algorithms.moo.nsga2 import NSGA2  # pyright: ignore[reportMissingImports]
    from pymoo.core.problem import ElementwiseProblem  # pyright: ignore[reportMissingImports]
    from pymoo.optimize import minimize  # pyright: ignore[reportMissingImports]

    begin: Any = _population(problem, first, limits, designs)
    counts = [len(part) for part in _looked_at(problem, begin[0])]

    class Wrapped(ElementwiseProblem):
        def __init__(self) -> None:
            super().__init__(n_var=len(first), n_obj=counts[0], n_ieq_constr=counts[1], xl=0.0, xu=1.0)

        def _evaluate(self, x: Any, out: Any, *_: Any, **__: Any) -> None:
            out["F"], out["G"] = _looked_at(problem, x)

    algorithm = NSGA2(pop_size=len(begin), sampling=begin)
    minimize(Wrapped(), algorithm, ("n_gen", limits.iterations), seed=limits.seed, verbose=False)


def optuna(problem: Searchable, first: FloatArray, limits: Limits, designs: int = 0) -> str:
    """Optuna: its NSGA-II for several objectives; for one its model of good and bad places (TPE). Runs are trials."""
    package_ = package("optuna")
    begin = _population(problem, first, limits, designs)
    several = problem.asked.others > 0
    count = len(begin) * limits.iterations if several else max(limits.iterations, len(begin))
    seen: dict[int, FloatArray] = {}

    def trial_of(trial: Any) -> Any:
        u = np.array([trial.suggest_float(str(k), 0.0, 1.0) for k in range(len(first))])
        values, seen[trial.number] = _looked_at(problem, u)
        return values.tolist() if several else float(values[0])

    def away(trial: Any) -> list[float]:
        return seen[trial.number].tolist()

    level = package_.logging.get_verbosity()
    package_.logging.set_verbosity(package_.logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its experimental features
            if several:
                sampler = package_.samplers.NSGAIISampler(
                    seed=limits.seed, population_size=len(begin), constraints_func=away
                )
            else:
                sampler = package_.samplers.TPESampler(seed=limits.seed, multivariate=True, constraints_func=away)
            study = package_.create_study(directions=["minimize"] * (1 + problem.asked.others), sampler=sampler)
            for row in begin if several else begin[:1]:
                study.enqueue_trial({str(k): float(v) for k, v in enumerate(row)})
            study.optimize(trial_of, n_trials=count)
    finally:
        package_.logging.set_verbosity(level)
    return ""


METHODS: dict[str, Callable[..., Any]] = {"nsga2": nsga2, "optuna": optuna}

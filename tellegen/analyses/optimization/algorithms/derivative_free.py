"""Methods without derivatives: Nelder-Mead near the start, differential evolution over the whole range.

For models that cannot be differentiated (delays, external code) and for objectives with many minima. Constraints are
added to the objective as penalties.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import Bounds, differential_evolution, minimize

from tellegen.analyses.optimization.algorithms.gradient_based import Limits
from tellegen.analyses.optimization.formulation.evaluation import Searchable
from tellegen.ir.model import FloatArray

_PENALTY = 100.0
_POPULATION = 8  # per variable


def _penalized(problem: Searchable, u: FloatArray) -> float:
    found = problem.evaluate(problem.variables.values(u), gradient=False)
    if found.failed:
        return 1e30
    away = np.maximum(problem.asked.low - found.constraints, found.constraints - problem.asked.high) / problem.sizes
    return found.objective / problem.size + _PENALTY * float(np.maximum(away, 0.0).sum())


def nelder_mead(problem: Searchable, start: FloatArray, limits: Limits) -> str:
    """A simplex that walks downhill from the start."""
    found = minimize(
        lambda u: _penalized(problem, u),
        problem.variables.normalized(start),
        bounds=Bounds(0.0, 1.0),  # type: ignore[arg-type]
        method="Nelder-Mead",
        options={
            "xatol": limits.tolerance**0.5 * 0.1,
            "fatol": limits.tolerance,
            "maxiter": 10 * limits.iterations,
            "adaptive": True,
        },
    )
    return "" if found.success else str(found.message)


def evolution(problem: Searchable, start: FloatArray, limits: Limits) -> str:
    """A population that covers the whole range."""
    n = len(start)
    found = differential_evolution(
        lambda u: _penalized(problem, u),
        [(0.0, 1.0)] * n,
        x0=problem.variables.normalized(start),
        popsize=_POPULATION,
        maxiter=limits.iterations,
        tol=max(limits.tolerance, 1e-6),
        rng=limits.seed,
        polish=False,
    )
    return "" if found.success else str(found.message)

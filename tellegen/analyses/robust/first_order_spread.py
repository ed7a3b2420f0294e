"""The spread of a number to first order: its gradient, and the covariance of the parameters.

    sigma^2 = g' C g            and the part that parameter i has in it:  g_i (C g)_i

Without correlations these parts are (g_i sigma_i)^2. They are exact where the number is a linear function of the
parameters, and the better the smaller the tolerances.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.stats import norm

from tellegen.analyses.performance.expression import Constraint
from tellegen.ir.model import FloatArray

_DRAWS = 200_000  # of the linear model, where several numbers have limits


def variance_parts(gradient: FloatArray, covariance: FloatArray) -> FloatArray:
    """What each parameter has in the variance of each number; rows as in the gradient."""
    return gradient * (gradient @ covariance)


def normal_yield(limit: Constraint, nominal: float, sigma: float) -> float:
    """The part of a normal distribution inside a limit."""
    if sigma == 0.0:
        return float(limit.low <= nominal <= limit.high)
    return float(norm.cdf((limit.high - nominal) / sigma) - norm.cdf((limit.low - nominal) / sigma))


def joint_normal_yield(
    limits: Sequence[Constraint], rows: Sequence[int], nominal: FloatArray, root: FloatArray
) -> float:
    """The part inside all limits at once, for numbers nominal + root z with normal z; drawn, except for one number."""
    low = np.full(len(nominal), -np.inf)
    high = np.full(len(nominal), np.inf)
    for limit, row in zip(limits, rows, strict=True):
        low[row] = max(low[row], limit.low)
        high[row] = min(high[row], limit.high)
    if len(set(rows)) == 1:
        row = rows[0]
        both = Constraint(limits[0].performance, low[row], high[row], "")
        return max(normal_yield(both, nominal[row], float(np.linalg.norm(root[row]))), 0.0)
    draws: Any = np.random.default_rng(0).standard_normal((_DRAWS, root.shape[1]))
    values = nominal + draws @ root.T
    return float(((values >= low) & (values <= high)).all(axis=1).mean())

"""What holds an optimum in its place: active constraints and bounds, and their multipliers.

At an optimum the gradient of the objective is balanced by those of what is active:  df + sum of lambda dc = 0, with
lambda >= 0 for an upper limit and <= 0 for a lower one. The multipliers are the least-squares solution of this,
whichever method found the point; what remains, relative to the objective, says how good the optimum is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import lsq_linear

from tellegen.analyses.optimization.formulation.evaluation import Evaluation
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.ir.model import FloatArray

_AT_LIMIT = 1e-4


@dataclass(frozen=True, eq=False)
class Balance:
    """Multipliers of active constraints and bounds by their text, and the part of the gradient that is not balanced."""

    multipliers: dict[str, float]
    remains: float


def balance(problem: Problem, at: Evaluation) -> Balance | None:
    """See the top of this file; None without gradients."""
    if at.slope is None or at.jacobian is None:
        return None
    variables = problem.variables
    asked = problem.asked
    scales = variables.scale(at.x)
    rows: list[FloatArray] = []
    texts: list[str] = []
    signs: list[float] = []
    for k, constraint in enumerate(asked.constraints):
        low = constraint.low
        high = constraint.high
        near = [abs(at.constraints[k] - limit) <= _AT_LIMIT * problem.sizes[k] for limit in (low, high)]
        if any(near):
            rows.append(at.jacobian[k] * scales)
            texts.append(constraint.text)
            signs.append(0.0 if low == high else 1.0 if near[1] else -1.0)
    normalized = variables.normalized(at.x)
    for j, name in enumerate(variables.names):
        for limit, sign, word in ((1.0, 1.0, "<="), (0.0, -1.0, ">=")):
            if abs(normalized[j] - limit) <= _AT_LIMIT:
                rows.append(np.eye(len(normalized))[j] * scales[j])
                texts.append(f"{name} {word} {(variables.high if sign > 0 else variables.low)[j]:g}")
                signs.append(sign)
    slope = at.slope * scales
    size = max(float(np.abs(slope).max(initial=0.0)), 1e-300)
    if not rows:
        return Balance({}, size / problem.size)
    matrix = np.array(rows).T
    scale = np.maximum(np.abs(matrix).max(axis=0), 1e-300)
    limits = np.array([(-np.inf if s <= 0 else 0.0, np.inf if s >= 0 else 0.0) for s in signs]).T
    found = lsq_linear(matrix / scale, -slope / size, bounds=(limits[0], limits[1]))
    multipliers = asked.sign * found.x * size / scale
    remains = float(np.abs(matrix / scale @ found.x + slope / size).max()) * size / problem.size
    of_text: dict[str, float] = {}
    for text, multiplier in zip(texts, multipliers.tolist(), strict=True):  # a path has one for each of its instants
        of_text[text] = of_text.get(text, 0.0) + multiplier
    return Balance(of_text, remains)

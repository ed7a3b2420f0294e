"""The independent states of a model with invariants: small deviations satisfy these, so some states follow from others.

G dx + H du = 0      G, H derivatives of the residuals      ->      dx_d = -G_d^+ (G_i dx_i + H du),    x_i remain

A four-bar has three angles and three speeds as states, and two independent ones: its linear model has two poles.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import ReducedModel
from tellegen.start.on_use import scipy

_REPEATED = 1e-6  # of rows of length one: a singular value below counts as zero
_ROUNDING = 1e-13  # positions do not follow from velocities, nor from derivatives of inputs
_FIXED = 0.1  # by how much more a state with a fixed start value must matter to a residual to follow from the others


@dataclass(frozen=True, eq=False)
class Matrices:
    """[A B] and [C D] in SI units, the columns of states and the sample time, None in continuous time."""

    ab: FloatArray
    cd: FloatArray
    states: IntArray
    dt: float | None


def independent(model: ReducedModel, values: FloatArray, found: Matrices) -> Matrices:
    """The matrices for independent states; `values` are the derivatives of all unknowns, states first."""
    if model.invariants is None:
        return found
    states = int(model.is_state.sum())
    residuals = values[model.position[model.invariants.residual]]
    length = np.linalg.norm(residuals[:, :states], axis=1)
    residuals = residuals[length > 0.0] / length[length > 0.0, None]
    rank = np.linalg.matrix_rank(residuals[:, :states], tol=_REPEATED)
    fixed = model.flat.variables.column("fixed")[model.written[model.is_state]] == 1.0
    order = scipy.linalg.qr(residuals[:, :states] * np.where(fixed, _FIXED, 1.0), mode="r", pivoting=True)[1]
    dependent = order[:rank]
    follow = np.eye(values.shape[1])
    inverse = np.linalg.pinv(residuals[:, dependent], rcond=_REPEATED)
    inverse[np.abs(inverse) <= _ROUNDING * np.abs(inverse).max(axis=1, initial=0.0, keepdims=True)] = 0.0
    follow[dependent] = -inverse @ residuals
    follow[:, dependent] = 0.0
    return replace(found, ab=found.ab @ follow, cd=found.cd @ follow, states=np.setdiff1d(found.states, dependent))

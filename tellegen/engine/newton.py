"""Damped Newton iteration for square sparse systems, affine invariant.

Steps are judged by the size of the next simplified correction in scaled unknowns, not by residuals, whose units
differ from row to row (natural monotonicity test; Deuflhard, Newton Methods for Nonlinear Problems, 2004, sec. 3.3).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

from tellegen.ir.model import FloatArray

_ITERATIONS = 60
_SMALLEST_STEP = 1e-5
_TOLERANCE = 1e-10
_ACCEPTABLE = 1e-6


class System(Protocol):
    """What Newton needs: residuals and their derivatives."""

    def residual(self, u: FloatArray) -> FloatArray: ...

    def jacobian(self, u: FloatArray) -> csc_array: ...


@dataclass(frozen=True, eq=False)
class Newton:
    """How it ended: "converged", "singular", "not finite" or "no progress", where, and after how many steps."""

    ended: str
    u: FloatArray
    iterations: int


def solve(system: System, guess: FloatArray, scale: FloatArray) -> Newton:
    """A root near the guess; `scale` is the size below which an unknown counts as small."""
    u = guess
    residual = system.residual(u)
    if not np.isfinite(residual).all():
        return Newton("not finite", u, 0)
    for iteration in range(1, _ITERATIONS + 1):
        factors = _factors(system.jacobian(u))
        if factors is None:
            return Newton("singular", u, iteration)
        step = -factors.solve(residual)
        if not np.isfinite(step).all():
            return Newton("singular", u, iteration)
        size = _norm(step, u, scale)
        damping = 1.0
        while True:
            trial = u + damping * step
            residual = system.residual(trial)
            if np.isfinite(residual).all():
                next_step = -factors.solve(residual)
                next_size = _norm(next_step, trial, scale)
                if next_size <= max((1.0 - damping / 4.0) * size, _TOLERANCE):
                    break
                if size <= _ACCEPTABLE:  # rounding is all that is left
                    return Newton("converged", u, iteration)
            damping /= 2.0
            if damping < _SMALLEST_STEP:
                return Newton("no progress", u, iteration)
        u = trial
        if damping == 1.0 and next_size <= _TOLERANCE:
            return Newton("converged", u + next_step, iteration)
    return Newton("no progress", u, _ITERATIONS)


def _norm(step: FloatArray, u: FloatArray, scale: FloatArray) -> float:
    return float(np.max(np.abs(step) / np.maximum(np.abs(u), scale), initial=0.0))


def _factors(matrix: csc_array) -> Any:
    """The LU factors, None for a matrix that is singular or not finite."""
    if not np.isfinite(matrix.data).all():
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return splu(matrix, permc_spec="COLAMD")
    except RuntimeError:
        return None

"""Damped Newton iteration for square sparse systems, affine invariant.

Steps are judged by the size of the next simplified correction in scaled unknowns, not by residuals, whose units
differ from row to row (natural monotonicity test; Deuflhard, Newton Methods for Nonlinear Problems, 2004, sec. 3.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.sparse import csc_array

from tellegen.engine.linear import Elimination, SingularMatrixError, SparseLU, choose_pivots
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern

_ITERATIONS = 60
_SMALLEST_STEP = 1e-12
_TOLERANCE = 1e-10
_ACCEPTABLE = 1e-6


class System(Protocol):
    """What Newton needs: residuals and their derivatives."""

    def residual(self, u: FloatArray) -> FloatArray: ...

    def jacobian(self, u: FloatArray) -> FloatArray: ...

    @property
    def pattern(self) -> Pattern: ...


@dataclass(frozen=True, eq=False)
class Newton:
    """How it ended: "converged", "singular", "not finite" or "no progress", where, and after how many steps."""

    ended: str
    u: FloatArray
    iterations: int
    elimination: Elimination | None = None


def solve(system: System, guess: FloatArray, scale: FloatArray, pivots: Elimination | None = None) -> Newton:
    """A root near the guess; `scale` is the size below which an unknown counts as small, `pivots` are old ones."""
    u = guess
    residual = system.residual(u)
    if not np.isfinite(residual).all():
        return Newton("not finite", u, 0)
    factors: SparseLU | None = None
    for iteration in range(1, _ITERATIONS + 1):
        values = system.jacobian(u)
        try:
            if factors is None:
                factors = SparseLU(system.pattern, pivots or choose_pivots(system.pattern, values))
            factors.factor(values)
        except SingularMatrixError:
            return Newton("singular", u, iteration)
        step = -factors.solve(residual)
        if not np.isfinite(step).all():
            return Newton("singular", u, iteration)
        sizes = np.maximum(np.abs(u), scale)  # for all trials, lest a flight to infinity look like progress
        size = _largest(step / sizes)
        damping = 1.0
        while True:
            trial = u + damping * step
            residual = system.residual(trial)
            if np.isfinite(residual).all():
                next_step = -factors.solve(residual)
                next_size = _largest(next_step / sizes)
                if next_size <= max((1.0 - damping / 4.0) * size, _TOLERANCE):
                    break
                if size <= _ACCEPTABLE:  # rounding is all that is left
                    return Newton("converged", u, iteration, factors.elimination)
            damping /= 2.0
            if damping < _SMALLEST_STEP:
                return Newton("no progress", u, iteration)
        u = trial
        if damping == 1.0 and _relative(next_step, u, scale) <= _TOLERANCE:
            return Newton("converged", u + next_step, iteration, factors.elimination)
    return Newton("no progress", u, _ITERATIONS)


def least_change(system: System, guess: FloatArray, scale: FloatArray) -> Newton:
    """A root nearest to the guess where the equations leave something open: Gauss-Newton steps of least size.

    For starts at which the equations depend on each other (a pendulum held at its turning point). Dense: small only.
    """
    u, pattern = guess, system.pattern
    for iteration in range(1, _ITERATIONS + 1):
        residual, values = system.residual(u), system.jacobian(u)
        if not (np.isfinite(residual).all() and np.isfinite(values).all()):
            return Newton("not finite", u, iteration)
        matrix = csc_array((values, pattern.indices, pattern.indptr), shape=pattern.shape).toarray() * scale
        rows = np.maximum(np.abs(matrix).max(axis=1, initial=0.0), 1e-300)
        step = -scale * np.linalg.lstsq(matrix / rows[:, None], residual / rows, rcond=1e-10)[0]
        u = u + step
        if _relative(step, u, scale) <= _TOLERANCE:
            left = np.abs(system.residual(u)) <= _ACCEPTABLE * rows
            return Newton("converged" if left.all() else "singular", u, iteration)
    return Newton("no progress", u, _ITERATIONS)


def _relative(step: FloatArray, u: FloatArray, scale: FloatArray) -> float:
    return _largest(step / np.maximum(np.abs(u), scale))


def _largest(values: FloatArray) -> float:
    return float(np.max(np.abs(values), initial=0.0))

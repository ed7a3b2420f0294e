"""Damped Newton iteration for square systems, affine invariant.

Steps are judged by the size of the next simplified correction in scaled unknowns, not by residuals, whose units
differ from row to row (natural monotonicity test; Deuflhard, Newton Methods for Nonlinear Problems, 2004, sec. 3.3).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.linear_algebra.pivoted_lu import DenseLU, SparseLU
from tellegen.engine.linear_algebra.pivots import Elimination, SingularMatrixError, choose_pivots
from tellegen.engine.linear_algebra.rounding_noise import rounding_noise
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern
from tellegen.start.on_use import scipy
from tellegen.start.records import dataclass

# an exponential from far away takes one step for each factor of e
_ITERATIONS = 200
_DENSE_ITERATIONS = 200
_SMALLEST_STEP = 1e-12
_LONGEST_STEP = 10.0  # in sizes of an unknown: where derivatives nearly vanish an angle would go round a million times
_TOLERANCE = 1e-10
_ACCEPTABLE = 1e-6
_MOST_SCALES = 5  # each smaller than the one before
_ABOVE_NOISE = 100.0
_DENSE = 40  # unknowns up to which a dense factorization is faster than a sparse one


class System:
    """What Newton needs: residuals and their derivatives. As a rule it is one block, of unknowns that all count."""

    begin: Any = np.zeros(1, np.int64)
    """Where each block begins among the unknowns; blocks do not depend on each other."""

    def residual(self, u: FloatArray) -> FloatArray:
        """As many numbers as unknowns."""
        raise NotImplementedError

    def jacobian(self, u: FloatArray) -> FloatArray:
        """Their derivatives, on `pattern`."""
        raise NotImplementedError

    @property
    def pattern(self) -> Pattern:
        """Where the derivatives stand."""
        raise NotImplementedError

    def follow(self, u: FloatArray) -> FloatArray:
        """The same point, with the unknowns that follow from others computed from these."""
        return u


@dataclass(frozen=True, eq=False)
class Newton:
    """How it ended: "converged", "singular", "not finite" or "no progress", where, and after how many steps."""

    ended: str
    u: FloatArray
    iterations: int
    elimination: Elimination | None = None
    failed: Any = None  # of several blocks those without a solution, if it is known; the others are solved


def solve(system: System, guess: FloatArray, scale: FloatArray, pivots: Elimination | None = None) -> Newton:
    """A root near the guess; `scale` is the size below which an unknown counts as small, `pivots` are old ones."""
    if not len(guess):
        return Newton("converged", guess, 0)
    with np.errstate(invalid="ignore", over="ignore"):  # a trial may go beyond all numbers: it is shortened
        iteration = _Iteration(system, scale, pivots)
        found = iteration.run(system.follow(guess))
        for _ in range(_MOST_SCALES):
            smaller = iteration.smaller_scale(found)
            if smaller is None:
                break
            iteration = _Iteration(system, smaller, found.elimination)
            again = iteration.run(found.u)
            if again.ended != "converged":
                break
            found = again
        return found


class _Iteration:
    """Newton's method for blocks side by side: each has its own damping and rests when it is solved."""

    def __init__(self, system: System, scale: FloatArray, pivots: Elimination | None) -> None:
        self.system = system
        self.scale = scale
        self.pivots = pivots
        self.block = np.repeat(np.arange(len(system.begin)), np.diff(np.append(system.begin, len(scale))))
        self.open = np.ones(len(system.begin), bool)
        self.failed = np.zeros(len(system.begin), bool)
        self.factors: SparseLU | DenseLU | None = None
        self.values = np.zeros(0)  # of the matrix
        self.correction = np.zeros(len(scale))  # the last one of each unknown

    def run(self, u: FloatArray) -> Newton:
        """From the guess to the end."""
        residual = self.system.residual(u)
        if not np.isfinite(residual).all():
            return Newton("not finite", u, 0)
        most = _DENSE_ITERATIONS if np.bincount(self.block).max() <= _DENSE else _ITERATIONS
        for iteration in range(1, most + 1):
            try:
                factors = self._factored(u)
            except SingularMatrixError:
                return Newton("singular", u, iteration)
            step = np.where(self.open[self.block], -factors.solve(residual), 0.0)
            if not np.isfinite(step).all():
                return Newton("singular", u, iteration)
            u, residual, next_step, damping = self._trial(u, step, factors)
            near = self.open & (damping == 1.0) & (self._largest(next_step, u) <= _TOLERANCE)
            u = np.where(near[self.block], u + next_step, u)
            self.correction = np.where(near[self.block], next_step, self.correction)
            self.correction = np.where((damping == 0.0)[self.block], step, self.correction)
            self.open &= ~near
            if not self.open.any():
                ended = "no progress" if self.failed.any() else "converged"
                return Newton(ended, u, iteration, factors.elimination, self.failed)
        return Newton("no progress", u, most, failed=self.failed | self.open)

    def smaller_scale(self, found: Newton) -> FloatArray | None:
        """Smaller sizes where unknowns turned out to be far below theirs and are not resolved; None: all of them are.

        What roundings make of an unknown that is zero cannot be resolved either.
        """
        correction = np.abs(self.correction)
        u = np.maximum(np.abs(found.u), correction)
        coarse = (correction > _TOLERANCE * u) & (u < self.scale)
        if found.ended != "converged" or not coarse.any() or self.factors is None:
            return None
        resolved = resolved_size(self.factors, self.values, u)
        coarse &= correction > _TOLERANCE * resolved
        return np.where(coarse, np.maximum(u, resolved), self.scale) if coarse.any() else None

    def _factored(self, u: FloatArray) -> SparseLU | DenseLU:
        values = self.system.jacobian(u)
        self.values = values
        pattern = self.system.pattern
        if self.factors is None and len(u) <= _DENSE:
            self.factors = DenseLU(pattern)
        elif self.factors is None:
            self.factors = SparseLU(pattern, self.pivots or choose_pivots(pattern, values))
        self.factors.factor(values)
        return self.factors

    def _trial(self, u: FloatArray, step: FloatArray, factors: SparseLU | DenseLU) -> Any:
        """The next point with its residual, the simplified correction there and the damping of each block."""
        size = self._largest(step, u)
        damping = np.minimum(1.0, _LONGEST_STEP / np.maximum(size, 1e-300))
        while True:
            trial = self.system.follow(u + damping[self.block] * step)
            residual = self.system.residual(trial)
            finite = np.isfinite(residual)
            residual = np.where(finite, residual, 0.0)  # of one block, and no other is to hear of it
            next_step = -factors.solve(residual)
            next_size = self._largest(next_step, u)  # in the old sizes, lest a flight to infinity look like progress
            sound = np.logical_and.reduceat(finite, self.system.begin)
            bad = self.open & ~(sound & (next_size <= np.maximum((1.0 - damping / 4.0) * size, _TOLERANCE)))
            if not bad.any():
                return trial, residual, next_step, damping
            rounding = bad & sound & (size <= _ACCEPTABLE)
            stuck = bad & ~rounding & (damping < 2.0 * _SMALLEST_STEP)
            self.failed |= stuck
            self.open &= ~(rounding | stuck)
            damping = np.where(rounding | stuck, 0.0, np.where(bad, damping / 2.0, damping))

    def _largest(self, step: FloatArray, u: FloatArray) -> FloatArray:
        """Per block the largest step relative to its unknown."""
        return np.maximum.reduceat(np.abs(step) / np.maximum(np.abs(u), self.scale), self.system.begin)


def resolved_size(factors: SparseLU | DenseLU, values: FloatArray, u: FloatArray) -> FloatArray:
    """The sizes of unknowns that roundings of a factored matrix with these values allow to distinguish from zero."""
    return _ABOVE_NOISE / _TOLERANCE * rounding_noise(factors, values, u)


def least_change(system: System, guess: FloatArray, scale: FloatArray) -> Newton:
    """A root nearest to the guess where the equations leave something open: Gauss-Newton steps of least size.

    For starts at which the equations depend on each other (a pendulum held at its turning point). Dense: small only.
    """
    u = guess
    pattern = system.pattern
    for iteration in range(1, _ITERATIONS + 1):
        residual = system.residual(u)
        values = system.jacobian(u)
        if not (np.isfinite(residual).all() and np.isfinite(values).all()):
            return Newton("not finite", u, iteration)
        matrix = (
            scipy.sparse.csc_array((values, pattern.indices, pattern.indptr), shape=pattern.shape).toarray() * scale
        )
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

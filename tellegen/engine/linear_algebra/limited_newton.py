"""Newton's method for circuits of exponentials: full steps, but arguments of exponentials grow by their logarithm.

    a junction at 0 V that the linear system wants at 5 V, 193 widths of 26 mV:   it goes to log(1 + 193) = 5.3 widths

Where an exponential is steep its current is known better than its voltage: the limited step is the one that reaches the
wanted current. All other unknowns take the whole step; the linear equations between them and the limited ones are
satisfied again by the next one. This is the junction limiting of circuit simulators (Nagel, SPICE2, 1975, sec. 5.1).
There is no test of descent: circuits of thousands of transistors have to pass through points that look worse.
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.linear_algebra.damped_newton import Newton, System, solve
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import Elimination, SingularMatrixError
from tellegen.ir.model import FloatArray

_ITERATIONS = 200
_NEAR = 1e-6  # of the size of an unknown: from here on ordinary steps do
_FREELY = 2.0  # widths by which an argument may grow at once
_FLAT = 5.0  # widths up to which an exponential is as gentle as other laws


def limited(system: System, guess: FloatArray, scale: FloatArray, width: FloatArray) -> Newton:
    """A root; `width` of an unknown is the change that makes an exponential e times larger, infinite without one."""
    steep = np.flatnonzero(np.isfinite(width))
    u = guess
    factors: SparseLU | None = None
    with np.errstate(invalid="ignore", over="ignore"):
        for iteration in range(1, _ITERATIONS + 1):
            residual = system.residual(u)
            values = system.jacobian(u)
            if not (np.isfinite(residual).all() and np.isfinite(values).all()):
                return Newton("not finite", u, iteration)
            try:
                if factors is None:
                    factors = SparseLU.of(system.pattern, values)
                step = -factors.solved_roughly(values, residual, np.maximum(np.abs(u), scale))
            except SingularMatrixError:
                return Newton("singular", u, iteration)
            if not np.isfinite(step).all():
                return Newton("singular", u, iteration)
            size = np.abs(step) / np.maximum(np.abs(u), scale)
            target = u + step
            target[steep] = _limited(u[steep] / width[steep], target[steep] / width[steep]) * width[steep]
            u = target
            if size.max() < _NEAR:
                return _polished(system, u, scale, factors.elimination)
    return Newton("no progress", u, _ITERATIONS)


def _limited(old: FloatArray, new: FloatArray) -> FloatArray:
    """Arguments of exponentials after a step from old to new."""
    base = np.maximum(old, 0.0)
    grown = new - base
    return np.where((grown > _FREELY) & (new > _FLAT), base + np.log1p(np.maximum(grown, 0.0)), new)


def _polished(system: System, u: FloatArray, scale: FloatArray, pivots: Elimination) -> Newton:
    return solve(system, u, scale, pivots)

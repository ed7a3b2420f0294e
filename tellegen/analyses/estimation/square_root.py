"""Kalman filters in square-root form: P = S S' is never formed, so it cannot become indefinite.

    [ R^(1/2)  H S ]         [ Sy   0  ]
    [   0       S  ]  Q  ->  [ K    S+ ]      Q orthogonal, by one QR factorization

(Kailath, Sayed and Hassibi, "Linear Estimation", 2000, chapter 12).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.ir.model import FloatArray
from tellegen.start.on_use import scipy

_SMALL = 1e-12  # singular values below this share of the largest are zero


@dataclass(frozen=True, eq=False)
class Gaussian:
    """A mean and a square root of the covariance."""

    mean: FloatArray
    root: FloatArray

    @property
    def covariance(self) -> FloatArray:
        """The covariance itself."""
        return self.root @ self.root.T

    @property
    def sigma(self) -> FloatArray:
        """Standard deviations."""
        return np.sqrt((self.root**2).sum(axis=1))


@dataclass(frozen=True, eq=False)
class Innovation:
    """Measurements less their prediction, whitened: independent with variance one if the model is right."""

    whitened: FloatArray
    log_determinant: float

    @property
    def squared(self) -> float:
        """The normalized innovation squared."""
        return float(self.whitened @ self.whitened)


def lower(*blocks: FloatArray) -> FloatArray:
    """A lower triangular root L with L L' = sum of the blocks times themselves."""
    stacked = np.hstack(blocks)
    size = stacked.shape[0]
    triangle: Any = scipy.linalg.qr(stacked.T, mode="r")[0][:size]
    if triangle.shape[0] < size:
        triangle = np.vstack([triangle, np.zeros((size - triangle.shape[0], size))])
    signs = np.where(np.diag(triangle) < 0.0, -1.0, 1.0)
    return (triangle * signs[:, None]).T


def measured(
    state: Gaussian, difference: FloatArray, by_state: FloatArray, sigma: FloatArray
) -> tuple[Gaussian, Innovation]:
    """After measurements: `difference` is what was measured less what was predicted, `by_state` its matrix H."""
    count = len(difference)
    size = len(state.mean)
    if count == 0:
        return state, Innovation(np.zeros(0), 0.0)
    above = np.hstack([np.diag(sigma), by_state @ state.root])
    below = np.hstack([np.zeros((size, count)), state.root])
    root = lower(np.vstack([above, below]))
    of_output = root[:count, :count]
    whitened = scipy.linalg.solve_triangular(of_output, difference, lower=True)
    mean = state.mean + root[count:, :count] @ whitened
    return Gaussian(mean, root[count:, count:]), Innovation(whitened, 2.0 * float(np.log(np.diag(of_output)).sum()))


def inverse_root(root: FloatArray) -> FloatArray:
    """The pseudo-inverse of a root, rows scaled to length one first: what is known exactly stays so."""
    length = np.sqrt((root**2).sum(axis=1))
    scale = np.where(length > 0.0, length, 1.0)
    return np.linalg.pinv(root / scale[:, None], rcond=_SMALL) / scale


@dataclass(frozen=True, eq=False)
class Step:
    """From one instant to the next: deviations from `filtered` become `transition` times them and noise."""

    filtered: Gaussian
    predicted: Gaussian
    transition: FloatArray
    noise: FloatArray


def smoothed(step: Step, after: Gaussian) -> Gaussian:
    """The state before a step, given all that is known after it (Rauch, Tung and Striebel, 1965)."""
    inverse = inverse_root(step.predicted.root)
    moved = step.transition @ step.filtered.root
    gain = step.filtered.root @ moved.T @ inverse.T @ inverse
    mean = step.filtered.mean + gain @ (after.mean - step.predicted.mean)
    kept = step.filtered.root - gain @ moved
    return Gaussian(mean, lower(kept, gain @ step.noise, gain @ after.root))

"""Gradient-enhanced Kriging: a Gaussian process that goes through all values and all slopes.

    cov z(u), z(v) = s2 exp(-sum of (w_j (u_j - v_j))^2 / 2)        the squared exponential, with a constant mean

Slopes of the process are Gaussian as well, their covariances the derivatives of this one, so data of both kinds enter
one linear system (C. E. Rasmussen and C. K. I. Williams, Gaussian Processes for Machine Learning, 2006, section 9.4; J.
Laurent et al., An overview of gradient-enhanced metamodels, 2019). All coefficients of a response share the inverse
lengths w_j, which make the data likeliest with a common variance: the largest coefficients then have the most say.
Predictions at samples left out, with their slopes, come from the same inverse matrix (O. Dubrule, 1983).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.metamodels.box import evenly
from tellegen.metamodels.fit import LeftOut, row, several

_NUGGET = 1e-9  # of the diagonal: rounding and errors of the simulations
_BOUNDS = (-3.5, 2.5)  # logarithms of w: nearly a parabola over the cube, and much finer than samples can see
_MIDDLE = -1.0  # and 1.5 to both sides: where the search begins
_LOOKED_AT = 5  # 2^5 lengths, of which the two likeliest are improved: there is more than one summit


class Kriging:
    """The process, conditioned on the data."""

    def __init__(self, points: FloatArray, data: FloatArray, inverse_lengths: FloatArray | None = None) -> None:
        if len(points) < 2:
            what = "Kriging needs at least two simulations to estimate length scales"
            raise DesignError("E662", what, location=here(), advice="samples=5, or method='taylor'")
        self.points = points
        self.gradients = len(data) > len(points)
        if inverse_lengths is None:
            inverse_lengths = self._likeliest(data)
        self.inverse_lengths = inverse_lengths
        covariance = covariances(points, inverse_lengths, self.gradients)
        ones = self._ones()
        self._precision = _inverse(covariance)
        self._toward_mean = self._precision @ ones
        self._trust = float(ones @ self._toward_mean)
        mean = self._toward_mean @ data / self._trust
        self.coefficients = np.vstack([self._precision @ (data - np.outer(ones, mean)), mean])
        self.left_out = self._without_each(data)

    def _ones(self) -> FloatArray:
        """What the mean contributes to the data: to values, not to slopes."""
        n, d = self.points.shape
        return np.concatenate([np.ones(n), np.zeros(n * d if self.gradients else 0)])

    def _likeliest(self, data: FloatArray) -> FloatArray:
        d = self.points.shape[1]
        ones = self._ones()

        def badness(logs: FloatArray) -> tuple[float, FloatArray]:
            """Minus twice the logarithm of the likelihood, less constants, and its slopes."""
            w = np.exp(logs)
            covariance = covariances(self.points, w, self.gradients)
            factor = cho_factor(covariance, lower=True)
            precision = cho_solve(factor, np.eye(len(data)))
            toward = precision @ ones
            rest = data - np.outer(ones, toward @ data / (ones @ toward))
            pulled = precision @ rest
            variance = np.sum(rest * pulled) / len(data) + 1e-300
            pull = precision - pulled @ pulled.T / variance
            slopes = [np.sum(pull * _by_log_length(covariance, self.points, w, j)) for j in range(d)]
            determinant = 2.0 * np.log(np.diag(factor[0])).sum()
            return float(len(data) * np.log(variance) + determinant), np.array(slopes)

        starts = sorted(_MIDDLE + 1.5 * evenly(d, _LOOKED_AT), key=lambda logs: badness(logs)[0])[:2]
        climbs = [minimize(badness, start, jac=True, bounds=[_BOUNDS] * d, method="L-BFGS-B") for start in starts]
        return np.exp(min(climbs, key=lambda climb: climb.fun).x)

    def features(self, u: Sequence[Any] | FloatArray) -> list[Any]:
        """Covariances with all data, and the mean."""
        away = [u[j] - self.points[:, j] for j in range(self.points.shape[1])]
        w2 = self.inverse_lengths**2
        k = np.exp(-0.5 * sum(w2[j] * step**2 for j, step in enumerate(away)))
        return [k, *(w2[j] * step * k for j, step in enumerate(away) if self.gradients), 1.0]

    def slopes(self, u: FloatArray) -> FloatArray:
        away = u - self.points
        w2 = self.inverse_lengths**2
        value = row(self.features(u)[:1])
        d = len(u)
        out = []
        for k in range(d):
            parts = [-w2[k] * away[:, k] * value]
            if self.gradients:
                parts += [w2[j] * value * ((j == k) - w2[k] * away[:, j] * away[:, k]) for j in range(d)]
            out.append(np.concatenate([*parts, [0.0]]))
        return np.array(out)

    def distance(self, u: FloatArray) -> float:
        """Standard deviation of the process here, in units of the one far from all samples."""
        k = row(self.features(u))[:-1]
        known = self._precision @ k
        mean = (1.0 - k @ self._toward_mean) ** 2 / self._trust
        return float(np.sqrt(max(1.0 - k @ known + mean, 0.0) + _NUGGET))

    def _without_each(self, data: FloatArray) -> LeftOut:
        n, d = self.points.shape
        free = self._precision - np.outer(self._toward_mean, self._toward_mean) / self._trust
        predicted = np.zeros((n, data.shape[1]))
        distance = np.zeros(n)
        pulled = free @ data
        for i, own in enumerate(several(n, d, self.gradients)):
            block = np.linalg.inv(free[np.ix_(own, own)])
            predicted[i] = data[i] - (block @ pulled[own])[0]
            distance[i] = np.sqrt(block[0, 0])
        return LeftOut(predicted, distance)


def covariances(points: FloatArray, inverse_lengths: FloatArray, gradients: bool) -> FloatArray:
    """Of all data with all data, for a variance of one: values first, then slopes direction by direction."""
    w2 = inverse_lengths**2
    away = points[:, None, :] - points[None, :, :]
    k = np.exp(-0.5 * (away**2 @ w2))
    if gradients:
        scaled = away * w2
        d = points.shape[1]
        blocks = [[k, *(scaled[:, :, j] * k for j in range(d))]]
        for i in range(d):
            curved = [(w2[i] * (i == j) - scaled[:, :, i] * scaled[:, :, j]) * k for j in range(d)]
            blocks.append([-scaled[:, :, i] * k, *curved])
        k = np.block(blocks)
    k[np.diag_indices(len(k))] *= 1.0 + _NUGGET
    return k


def _by_log_length(covariance: FloatArray, points: FloatArray, inverse_lengths: FloatArray, j: int) -> FloatArray:
    """The derivative of the covariances by the logarithm of w_j."""
    n = len(points)
    kinds = len(covariance) // len(points)
    w2 = inverse_lengths[j] ** 2
    squares = (points[:, None, j] - points[None, :, j]) ** 2
    out = -w2 * np.tile(squares, (kinds, kinds)) * covariance
    if kinds > 1:  # slopes along j carry the factor w_j^2 once more
        own = slice((j + 1) * n, (j + 2) * n)
        out[own] += 2.0 * covariance[own]
        out[:, own] += 2.0 * covariance[:, own]
        out[own, own] -= 2.0 * w2 * covariance[:n, :n]
    return out


def _inverse(matrix: FloatArray) -> FloatArray:
    return cho_solve(cho_factor(matrix, lower=True), np.eye(len(matrix)))

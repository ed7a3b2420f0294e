"""First-order predictions from simulated designs, the two methods of chapter 6 of S. A. Vaze's dissertation.

    Taylor      z(u) = z_i + dz_i/du (u - u_i), from the nearest sample i (method 1)
    Blend       the mean of these predictions from all samples, weighted by inverse distance (method 2)

The error of a first-order prediction grows with the square of the distance, so that is the distance used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tellegen.ir.model import FloatArray
from tellegen.metamodels.fit import LeftOut, row

_AT = 1e-12  # a point this close to a sample is that sample


class Blend:
    """Method 2. The data of all samples are the coefficients; their weights are the features."""

    def __init__(self, points: FloatArray, data: FloatArray) -> None:
        self.points = points
        self.coefficients = data
        self.left_out = self._without_each()

    def features(self, u: Sequence[Any] | FloatArray) -> list[Any]:
        """Weights of values, then of slopes."""
        away = [u[j] - self.points[:, j] for j in range(self.points.shape[1])]
        weights = self._weights(sum(step**2 for step in away))
        return [weights, *(weights * step for step in away)]

    def _weights(self, squares: Any) -> Any:
        inverse = 1.0 / (squares + _AT**2) ** 0.5
        return inverse / (inverse @ np.ones(len(self.points)))

    def slopes(self, u: FloatArray) -> FloatArray:
        """The weights move as well."""
        away = u - self.points
        squares = (away**2).sum(axis=1) + _AT**2
        weights = self._weights(squares)
        moves = -away / squares[:, None]  # d log(1/distance)/du
        change = weights[:, None] * (moves - weights @ moves)
        by_direction = [
            np.concatenate([change[:, k], *((change[:, k] * away[:, j] + weights * (j == k)) for j in range(len(u)))])
            for k in range(len(u))
        ]
        return np.array(by_direction)

    def distance(self, u: FloatArray) -> float:
        squares = ((u - self.points) ** 2).sum(axis=1)
        return float(self._weights(squares) @ squares)

    def each(self, u: FloatArray) -> FloatArray:
        """Method 1 from every sample: a row of z for each."""
        n, d = self.points.shape
        value, *slopes = self.coefficients.reshape(1 + d, n, -1)
        return value + sum(((u - self.points)[:, j, None] * slopes[j] for j in range(d)), np.zeros_like(value))

    def _without_each(self) -> LeftOut:
        n, d = self.points.shape
        predicted = np.full((n, self.coefficients.shape[1]), np.nan)
        distances = np.full(n, np.nan)
        data = self.coefficients.reshape(1 + d, n, -1)
        for i in range(n if n > 1 else 0):
            others = np.delete(np.arange(n), i)
            rest = object.__new__(type(self))
            rest.points = self.points[others]
            rest.coefficients = data[:, others].reshape((1 + d) * (n - 1), -1)
            predicted[i] = row(rest.features(self.points[i])) @ rest.coefficients
            distances[i] = rest.distance(self.points[i])
        return LeftOut(predicted, distances)


class Taylor(Blend):
    """Method 1, from the nearest sample; samples equally near count alike."""

    def _weights(self, squares: Any) -> Any:
        if isinstance(squares, np.ndarray):
            nearest = (squares <= squares.min() + _AT).astype(float)
        else:
            import tellegen as tg

            least = squares[0]
            for k in range(1, len(self.points)):
                least = tg.minimum(least, squares[k])
            nearest = tg.where(squares <= least + _AT, 1.0, 0.0)
        return nearest / (nearest @ np.ones(len(self.points)))

    def slopes(self, u: FloatArray) -> FloatArray:
        """The nearest sample stays the nearest."""
        weights = self._weights(((u - self.points) ** 2).sum(axis=1))
        n, d = self.points.shape
        out = np.zeros((d, n * (1 + d)))
        for k in range(d):
            out[k, (k + 1) * n : (k + 2) * n] = weights
        return out

"""Polynomial chaos with gradients: least squares on Legendre polynomials, to values and slopes alike.

    z(u) = sum over a of c[a] * P_a1(u1) * P_a2(u2) * ...      with a1 + a2 + ... <= degree

The polynomials are orthonormal for variables spread evenly over the box, so mean and variance over the box are the
first coefficient and the sum of squares of the others. n samples with d slopes each are n (1 + d) equations. The
degree is the one with the smallest error when samples are left out, if none is asked for; leaving out a sample, with
its slopes, takes no new fit: with H the matrix from data to fitted data, the errors then are (I - H_ii)^-1 r_i
(R. D. Cook and S. Weisberg, Residuals and Influence in Regression, 1982).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np

from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.metamodels.fit import LeftOut, row, several

_HIGHEST = 12
_DETERMINED = 1e-9  # smaller pivots of I - H: the others do not determine the polynomial


class Chaos:
    """A polynomial of one degree."""

    def __init__(self, points: FloatArray, data: FloatArray, degree: int) -> None:
        n, d = points.shape
        gradients = len(data) > n
        self.degree = degree
        self.exponents = _exponents(degree, d)
        matrix = np.array([row(self.features(u)) for u in points])
        if gradients:
            slopes = np.array([self.slopes(u) for u in points])  # sample, direction, term
            matrix = np.concatenate([matrix, *slopes.transpose(1, 0, 2)])
        if len(matrix) < len(self.exponents):
            raise _too_few(len(self.exponents), len(matrix), degree)
        q, r = np.linalg.qr(matrix)
        self._inverse = np.linalg.pinv(r)
        self.coefficients = self._inverse @ (q.T @ data)
        self.left_out = _left_out(q, data, several(n, d, gradients))

    def features(self, u: Sequence[Any] | FloatArray) -> list[Any]:
        """All products of Legendre polynomials up to the degree."""
        by_direction = [_legendre(x, self.degree)[0] for x in u]
        return [_product(p[k] for p, k in zip(by_direction, powers, strict=True)) for powers in self.exponents]

    def slopes(self, u: FloatArray) -> FloatArray:
        pairs = [_legendre(x, self.degree) for x in u]
        return np.array(
            [
                [
                    _product(
                        pair[int(j == k)][power] for k, (pair, power) in enumerate(zip(pairs, powers, strict=True))
                    )
                    for powers in self.exponents
                ]
                for j in range(len(u))
            ]
        )

    def distance(self, u: FloatArray) -> float:
        """Square root of the leverage: how an error in the data comes out here."""
        return float(np.linalg.norm(row(self.features(u)) @ self._inverse))

    def moments(self) -> tuple[FloatArray, FloatArray]:
        """Mean and covariance of z over the box."""
        others = self.coefficients[1:]
        return self.coefficients[0], others.T @ others


def fit_chaos(points: FloatArray, data: FloatArray, degree: int | None) -> Chaos:
    """The polynomial of the degree asked for, or of the one that predicts left-out samples best."""
    if degree is not None:
        return Chaos(points, data, degree)
    n, d = points.shape
    possible = [candidate for candidate in range(_HIGHEST + 1) if comb(candidate + d, d) <= len(data)]
    # a plane, unless the samples determine more
    best = Chaos(points, data, possible[:2][-1])
    least = np.inf
    for candidate in possible:
        fit = Chaos(points, data, candidate)
        error = float(np.sum((fit.left_out.predicted - data[:n]) ** 2))
        if error < least:  # not a number where samples cannot be left out
            best = fit
            least = error
    return best


def _exponents(degree: int, directions: int) -> list[tuple[int, ...]]:
    if directions == 1:
        found = [(power,) for power in range(degree + 1)]
    else:
        found = [(p, *rest) for p in range(degree + 1) for rest in _exponents(degree - p, directions - 1)]
    return sorted(found, key=lambda powers: (sum(powers), powers))


def _legendre(x: Any, degree: int) -> tuple[list[Any], list[Any]]:
    """Legendre polynomials and their derivatives, of mean square one over -1..1; x may be a symbol."""
    p = [1.0, x]
    dp = [0.0, 1.0]
    for k in range(1, degree):
        p.append(((2 * k + 1) * x * p[k] - k * p[k - 1]) / (k + 1))
        dp.append(dp[k - 1] + (2 * k + 1) * p[k])
    size = np.sqrt(2.0 * np.arange(degree + 1) + 1.0).tolist()
    return [s * q for s, q in zip(size, p, strict=False)], [s * q for s, q in zip(size, dp, strict=False)]


def _product(factors: Any) -> Any:
    out = 1.0
    for factor in factors:
        out = out * factor
    return out


def _left_out(q: FloatArray, data: FloatArray, rows: list[list[int]]) -> LeftOut:
    """Errors when the rows of a sample are missing; not a number where the others do not determine the polynomial."""
    residual = data - q @ (q.T @ data)
    predicted = np.full((len(rows), data.shape[1]), np.nan)
    distance = np.full(len(rows), np.nan)
    for i, own in enumerate(rows):
        hat = q[own] @ q[own].T
        rest = np.eye(len(own)) - hat
        if np.linalg.eigvalsh(rest)[0] > _DETERMINED:
            predicted[i] = data[i] - np.linalg.solve(rest, residual[own])[0]
            distance[i] = np.sqrt(np.linalg.solve(rest, hat)[0, 0])
    return LeftOut(predicted, distance)


def _too_few(terms: int, equations: int, degree: int) -> DesignError:
    what = f"a polynomial of degree {degree} has {terms} coefficients, but the samples provide only {equations} values"
    return DesignError("E662", what, location=here(), advice="use more samples, or a lower degree")

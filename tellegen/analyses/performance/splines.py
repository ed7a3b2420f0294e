"""Splines of degree five through output points, and where there are too few of these."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from scipy.interpolate import BSpline, PchipInterpolator
from scipy.linalg import get_lapack_funcs

from tellegen.errors import InternalError
from tellegen.ir.model import FloatArray

_GAIN = 16.0  # what twice the points are expected to gain at least; 64 for smooth curves
_STEEPEST = 8.0  # of two neighbouring distances
_SWING = 0.01  # of the range of a curve
_SMALL = 32  # points of a piece between events
_FACTOR, _SOLVE = get_lapack_funcs(("gbtrf", "gbtrs"))  # of matrices with bands
_FINER = (0.25, 0.5, 0.75)  # of the distance of two points: where more are put


class _Knots:
    """What splines through values at the same times share: their knots, and how coefficients follow from values.

    The conditions at the ends are those of SciPy's make_interp_spline ("not a knot"); the values of the basis at the
    times are a matrix with `degree` diagonals on both sides, factored once.
    """

    def __init__(self, times: FloatArray) -> None:
        self.degree = 5 if len(times) > 5 else 3 if len(times) > 3 else 1
        left_out = (self.degree + 1) // 2
        ends = np.repeat(times[[0, -1]], self.degree + 1).reshape(2, -1)
        self.knots = np.concatenate([ends[0], times[left_out : len(times) - left_out], ends[1]])
        row, column, basis = self._basis(times)
        bands = np.zeros((3 * self.degree + 1, len(times)))  # the first rows are room for pivots
        bands[2 * self.degree + row - column, column] = basis
        self._factors, self._pivots, singular = _FACTOR(bands, self.degree, self.degree)
        if singular:
            raise InternalError("E905", f"no spline through {len(times)} times: {times}")

    def _basis(self, times: FloatArray) -> tuple[Any, Any, FloatArray]:
        """Where the matrix has entries, and these; as a dense one in a tenth of the time where it is small."""
        count = len(times)
        if count > _SMALL:
            found = BSpline.design_matrix(times, self.knots, self.degree).tocoo()
            return found.row, found.col, np.asarray(found.data, float)
        dense: FloatArray = BSpline.construct_fast(self.knots, np.eye(count), self.degree)(times)
        row, column = np.nonzero(dense)
        return row, column, dense[row, column]

    def through(self, values: FloatArray) -> BSpline:
        """The spline through values at the times, a column for each curve."""
        coefficients, _ = _SOLVE(self._factors, self.degree, self.degree, values, self._pivots)
        return BSpline.construct_fast(self.knots, np.ascontiguousarray(coefficients), self.degree)


@lru_cache(maxsize=256)
def _knots(times: bytes) -> _Knots:
    return _Knots(np.frombuffer(times))


def spline_through(times: FloatArray, values: FloatArray) -> BSpline:
    """Of degree five; of a lower one through few points. The runs of a search have most of their times in common."""
    return _knots(times.tobytes()).through(values)


def swings(times: FloatArray, values: FloatArray, curve: BSpline) -> bool:
    """Whether a spline leaves the range of the points beside it by much: it does so at jumps and corners."""
    between = curve(0.5 * (times[1:] + times[:-1]))
    near = np.concatenate([values[:1], values, values[-1:]])
    sides = np.stack([near[:-3], near[1:-2], near[2:-1], near[3:]])
    return bool((np.maximum(sides.min(axis=0) - between, between - sides.max(axis=0)) > _SWING * np.ptp(values)).any())


def without_swings(times: FloatArray, values: FloatArray) -> PchipInterpolator:
    """Cubics that stay between their points (Fritsch, Butland, 1984), a column for each curve."""
    return PchipInterpolator(times, values)


def graded(times: FloatArray) -> FloatArray:
    """Times with more of them where their distances change abruptly.

    Where points that are far apart follow on many that are close, a spline swings by the errors of these, many times
    amplified.
    """
    while True:
        gaps = np.diff(times)
        closer = np.minimum(np.append(gaps[1:], np.inf), np.append(np.inf, gaps[:-1]))
        wide = np.flatnonzero(gaps > _STEEPEST * closer)
        if not len(wide):
            return times
        times = np.sort(np.concatenate([times, 0.5 * (times[wide] + times[wide + 1])]))


class Missing(NamedTuple):
    """Where more points are needed, and the largest error without them."""

    times: FloatArray
    error: float


def times_missing(times: FloatArray, values: FloatArray, allowed: float) -> Missing:
    """Where more points are needed for an error below `allowed`: where half the points would do much worse."""
    last = len(times) - 1
    kept = np.arange(0, last + 2, 2)
    kept[-1] = last  # also where the last one would be left out
    out = np.arange(1, last, 2)
    error = np.abs(spline_through(times[kept], values[kept])(times[out]) - values[out]) / _GAIN
    rough = out[error > allowed]
    between = [times[rough] + part * (times[rough + side] - times[rough]) for side in (-1, 1) for part in _FINER]
    return Missing(np.concatenate(between), float(error.max()))

"""Splines of degree five through output points, and where there are too few of these."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import BSpline, make_interp_spline

from tellegen.ir.model import FloatArray

_GAIN = 16.0  # what twice the points are expected to gain at least; 64 for smooth curves
_STEEPEST = 8.0  # of two neighbouring distances
_FINER = (0.25, 0.5, 0.75)  # of the distance of two points: where more are put


def spline_through(times: FloatArray, values: FloatArray) -> BSpline:
    """Of degree five; of a lower one through few points."""
    return make_interp_spline(times, values, k=5 if len(times) > 5 else 3 if len(times) > 3 else 1)


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


def times_missing(times: FloatArray, values: FloatArray, allowed: float) -> FloatArray:
    """Where more points are needed for an error below `allowed`: where half the points would do much worse."""
    last = len(times) - 1
    kept = np.arange(0, last + 2, 2)
    kept[-1] = last  # also where the last one would be left out
    out = np.arange(1, last, 2)
    error = np.abs(spline_through(times[kept], values[kept])(times[out]) - values[out]) / _GAIN
    rough = out[error > allowed]
    between = [times[rough] + part * (times[rough + side] - times[rough]) for side in (-1, 1) for part in _FINER]
    return np.concatenate(between)

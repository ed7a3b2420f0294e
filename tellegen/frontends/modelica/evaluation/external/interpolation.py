"""Piecewise polynomials through the points of Modelica's tables (Modelica.Blocks.Types.Smoothness, Extrapolation)."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]


class Smoothness(IntEnum):
    """How values between points follow from the points."""

    LINEAR = 1
    AKIMA = 2
    CONSTANT = 3
    FRITSCH_BUTLAND = 4
    STEFFEN = 5
    MODIFIED_AKIMA = 6


class Extrapolation(IntEnum):
    """What holds outside the points."""

    HOLD = 1
    LAST_TWO_POINTS = 2
    PERIODIC = 3
    NONE = 4


def pieces(x: Floats, y: Floats, smoothness: Smoothness, extrapolation: Extrapolation) -> Floats:
    """Coefficients [segment, power]: before the first point, between the points, after the last one.

    Powers are of the distance from the point on the left (before the first point: from that one)."""
    if len(x) == 1:
        return np.array([[y[0], 0.0], [y[0], 0.0]])
    if smoothness is Smoothness.CONSTANT:
        inner = np.column_stack([y[:-1], np.zeros(len(x) - 1)])
        slopes = np.zeros(len(x))
    elif smoothness is Smoothness.LINEAR:
        inner = np.column_stack([y[:-1], _rises(x, y)])
        slopes = inner[[0, *range(len(x) - 1)], 1]
    else:
        slopes = _slopes(x, y, smoothness)
        inner = _hermite(x, y, slopes)
    ends = np.zeros((2, inner.shape[1]))
    ends[:, 0] = y[0], y[-1]
    if extrapolation is Extrapolation.LAST_TWO_POINTS:
        ends[:, 1] = slopes[0], slopes[-1]
    elif extrapolation is Extrapolation.NONE:
        ends[:] = np.nan
    return np.concatenate([ends[:1], inner, ends[1:]])


def _rises(x: Floats, y: Floats) -> Floats:
    """The slopes of straight lines between the points; zero where two points have one abscissa."""
    steps = np.diff(x)
    return np.diff(y) / np.where(steps > 0, steps, np.inf)


def _hermite(x: Floats, y: Floats, slopes: Floats) -> Floats:
    """Cubic polynomials with these values and slopes at the points."""
    step = np.diff(x)
    rise = np.diff(y) / step
    left = slopes[:-1]
    right = slopes[1:]
    return np.column_stack([y[:-1], left, (3 * rise - 2 * left - right) / step, (left + right - 2 * rise) / step**2])


def _slopes(x: Floats, y: Floats, smoothness: Smoothness) -> Floats:
    """The slope at each point; at the ends of monotone curves that of the outermost line."""
    rise = _rises(x, y)
    if len(x) == 2:
        return np.full(2, rise[0])
    if smoothness in (Smoothness.AKIMA, Smoothness.MODIFIED_AKIMA):
        return _akima(rise, smoothness is Smoothness.MODIFIED_AKIMA)
    step = np.diff(x)
    before = rise[:-1]
    after = rise[1:]
    same_direction = before * after > 0
    if smoothness is Smoothness.FRITSCH_BUTLAND:
        weight = step[:-1] + 2 * step[1:]
        other = 2 * step[:-1] + step[1:]
        with np.errstate(divide="ignore", invalid="ignore"):
            inner = (weight + other) / (weight / before + other / after)
    else:  # Steffen
        parabola = (before * step[1:] + after * step[:-1]) / (step[:-1] + step[1:])
        size = np.minimum(np.minimum(np.abs(before), np.abs(after)), np.abs(parabola) / 2)
        inner = 2 * np.sign(before) * size
    return np.concatenate([rise[:1], np.where(same_direction, inner, 0.0), rise[-1:]])


def _akima(rise: Floats, modified: bool) -> Floats:
    """Akima's slopes: means of the lines on both sides, weighted by how much the lines beyond them turn."""
    before = 2 * rise[0] - rise[1]
    after = 2 * rise[-1] - rise[-2]
    around = np.array([2 * before - rise[0], before, *rise, after, 2 * after - rise[-1]])
    turns = np.abs(np.diff(around))
    if modified:
        turns = turns + np.abs(around[:-1] + around[1:]) / 2
    left = turns[2:]  # the weight of the line on the left is the turn on the right
    right = turns[:-2]
    total = left + right
    mean = (around[1:-2] + around[2:-1]) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        weighted = (left * around[1:-2] + right * around[2:-1]) / total
    return np.where(total > 0, weighted, 0.0 if modified else mean)


def moved(coefficients: Floats, distance: float) -> Floats:
    """A polynomial in powers of (t - a) as one in powers of (t - a - distance)."""
    result = np.zeros_like(coefficients)
    for coefficient in coefficients[::-1]:  # Horner's rule with polynomials: result * (s + distance) + coefficient
        result[1:] = result[:-1] + distance * result[1:]
        result[0] = distance * result[0] + coefficient
    return result

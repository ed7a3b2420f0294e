"""The tube rule: every point of a curve lies within a narrow tube around the reference.

Half width 0.002 of the time range, half height 0.002 of the largest of the signal's range, its least absolute value
and 0.001.
"""

from __future__ import annotations

import numpy as np

from benchmarks.modelica.references import Curve

WIDTH = 0.002
HEIGHT = 0.002
LEAST = 0.001


def worst_distance(t: np.ndarray, y: np.ndarray, reference: Curve) -> float:
    """How far a curve leaves the reference, in half heights of the tube: up to 1 it stays inside."""
    begin = reference.t[0]
    end = reference.t[-1]
    half_width = WIDTH * (end - begin)
    low = float(reference.y.min())
    half_height = HEIGHT * max(float(reference.y.max()) - low, abs(low), LEAST)
    inside = (t >= begin) & (t <= end)
    if not np.isfinite(y[inside]).all():
        return float("inf")
    least, most = _ranges(reference, np.maximum(t[inside] - half_width, begin), np.minimum(t[inside] + half_width, end))
    distance = np.maximum(least - y[inside], y[inside] - most) / half_height
    return float(distance.max(initial=0.0))


def _ranges(reference: Curve, begins: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The least and the largest value of a reference in each of some intervals."""
    first = np.searchsorted(reference.t, begins, "left")
    last = np.searchsorted(reference.t, ends, "right")
    has_points = first < last
    bounds = np.column_stack([first, last])[has_points].ravel()
    values = np.append(reference.y, reference.y[-1])  # an interval may end after the last point
    found = []
    for extreme in (np.minimum, np.maximum):
        at_ends = extreme(np.interp(begins, reference.t, reference.y), np.interp(ends, reference.t, reference.y))
        if len(bounds):
            at_ends[has_points] = extreme(at_ends[has_points], extreme.reduceat(values, bounds)[::2])
        found.append(at_ends)
    return found[0], found[1]

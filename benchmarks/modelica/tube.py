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
    worst = 0.0
    for at, value in zip(t[inside], y[inside], strict=True):
        least, most = _range(reference, max(at - half_width, begin), min(at + half_width, end))
        distance = max(least - value, value - most) / half_height
        if not distance <= worst:
            worst = float(distance) if np.isfinite(distance) else np.inf
    return worst


def _range(reference: Curve, begin: float, end: float) -> tuple[float, float]:
    """The least and the largest value of a reference in an interval."""
    first = int(np.searchsorted(reference.t, begin, "left"))
    last = int(np.searchsorted(reference.t, end, "right"))
    ends = np.interp([begin, end], reference.t, reference.y)
    values = np.concatenate([ends, reference.y[first:last]])
    return float(values.min()), float(values.max())

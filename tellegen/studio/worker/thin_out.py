"""Of many points those that a plot can show: while a slider moves, nothing else has to travel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tellegen.ir.model import FloatArray, IntArray


def points_to_show(times: FloatArray, curves: Sequence[FloatArray], columns: int) -> IntArray | None:
    """The numbers of the points that a plot of so many columns of pixels needs; None where it needs all of them.

    In each column the first and the last point of a curve, the lowest and the highest: lines through them cover the
    same pixels as lines through all (Jugel et al., M4: a visualization-oriented time series data aggregation, 2014).
    """
    span = times[-1] - times[0] if len(times) else 0.0
    if columns <= 0 or len(times) <= 2 * columns or not span > 0:
        return None
    column = np.minimum(((times - times[0]) / span * columns).astype(np.int64), columns - 1)
    first = np.flatnonzero(np.diff(column, prepend=-1))
    last = np.append(first[1:], len(times)) - 1
    shown = np.zeros(len(times), bool)
    shown[first] = True
    shown[last] = True
    length = last - first + 1
    for values in curves:
        for extreme in (np.fmin, np.fmax):
            shown[_where(values, extreme.reduceat(values, first), first, length)] = True
    return np.flatnonzero(shown)


def _where(values: FloatArray, extremes: FloatArray, first: IntArray, length: IntArray) -> Any:
    """The first point of each column that has its extreme value."""
    found = np.flatnonzero(values == np.repeat(extremes, length))
    column = np.searchsorted(first, found, side="right")
    return found[np.diff(column, prepend=0) != 0]

"""Where along a run the relative degree drops: the decoupling matrix B of u = B^-1 (...) is singular there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tellegen.ir.model import FloatArray
from tellegen.start.on_use import scipy
from tellegen.start.records import dataclass

_SMALL = 1e-4  # of the largest determinant along the run
_CLOSE = 1e-9
_SOON = 0.1  # of the run
_LAST = 3


@dataclass(frozen=True)
class SingularPoint:
    """An instant, and what is left there of the largest determinant of B along the run."""

    time: float
    share: float

    def __str__(self) -> str:
        return f"at t = {self.time:.6g}: the relative degree drops, no finite input does what is wanted"


def singular_points(
    times: FloatArray, gains: Sequence[FloatArray], gain_at: Callable[[float], FloatArray], has_failed: bool
) -> tuple[SingularPoint, ...]:
    """The instants at which det(B) passes zero or nearly touches it; `gains` are B^-1 at the times.

    Where the run has failed it is looked for ahead of the last time as well.
    """

    def determinant(time: float) -> float:
        return _inverted(gain_at(time))

    values = np.array([_inverted(gain) for gain in gains])
    largest = float(np.abs(values).max(initial=0.0))
    found = []
    for k in range(len(values) - 1):
        first, last = float(times[k]), float(times[k + 1])
        if values[k] * values[k + 1] < 0.0:
            root = float(scipy.optimize.brentq(determinant, first, last, xtol=_CLOSE * max(abs(last), 1e-3)))
            found.append(SingularPoint(root, abs(determinant(root)) / largest))
    if has_failed:
        found += _ahead(times, values, largest)
    for k in _lowest(np.abs(values)):
        if np.abs(values[k]) < _SMALL * largest and not any(_is_near(each.time, times, k) for each in found):
            found.append(SingularPoint(float(times[k]), float(np.abs(values[k]) / largest)))
    return tuple(sorted(found, key=lambda each: each.time))


def _ahead(times: FloatArray, values: FloatArray, largest: float) -> list[SingularPoint]:
    """Where the last values lead to zero, if that is not far ahead: they pass it as t does, or touch it as sqrt(t)."""
    if len(values) < _LAST or not abs(values[-1]) < abs(values[-2]):
        return []
    t = times[-_LAST:]
    bent = {}
    for power in (1, 2):
        y = np.abs(values[-_LAST:]) ** power
        steps = np.diff(y) / np.diff(t)
        bent[power] = abs(steps[1] - steps[0]) / abs(steps[1])
    y = np.abs(values[-2:]) ** min(bent, key=lambda power: bent[power])
    time = float(t[-1] + y[1] / (y[0] - y[1]) * (t[-1] - t[-2]))
    is_soon = time - t[-1] < _SOON * (t[-1] - times[0])
    return [SingularPoint(time, float(abs(values[-1])) / largest)] if is_soon else []


def _inverted(gain: FloatArray) -> float:
    """det(B) = 1/det(B^-1): small where the inverse asks for much."""
    value = float(np.linalg.det(gain))
    return 1.0 / value if value else np.inf


def _lowest(values: FloatArray) -> list[int]:
    """The numbers of the local minima, ends included."""
    padded = np.concatenate([[np.inf], values, [np.inf]])
    return [k for k in range(len(values)) if padded[k + 1] <= padded[k] and padded[k + 1] < padded[k + 2]]


def _is_near(time: float, times: FloatArray, k: int) -> bool:
    return bool(times[max(k - 1, 0)] <= time <= times[min(k + 1, len(times) - 1)])

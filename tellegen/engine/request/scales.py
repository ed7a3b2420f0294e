"""The sizes of unknowns, and the absolute tolerances that follow from them.

    declared with nominal=       the size, whatever happens
    otherwise                    1 in SI units until the unknown has been seen to be larger
    after a run                  the largest value seen, where 1 has proved too large (engine/runs/find_scales.py)

An absolute tolerance is 1e-3 * rtol times the size. While the integrator runs it grows with the unknown, in native
code: near zero a curve is computed to 1e-3 * rtol of the largest value it has had.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import BoolArray
from tellegen.start.records import dataclass

PART = 1e-3
"""Of rtol: the absolute tolerance of an unknown of size one."""

_SMALLEST = 1e-9  # of a size: below it a value at the start may be zero but for roundings
_ROUNDINGS = 1e-13  # of the largest value: what many of them may add up to


@dataclass(frozen=True, eq=False)
class AbsoluteTolerances:
    """Of all unknowns: at the start, and which part of the largest value seen they are at least.

    One proves too loose where the largest value seen in a run is below `too_loose`.
    """

    start: FloatArray
    part: FloatArray
    too_loose: FloatArray


class Peaks(NamedTuple):  # made in half a microsecond less than a dataclass
    """The largest values seen in a run, and whether a tolerance may be too loose: for one of them is small, or others
    depend on it strongly."""

    unknowns: Any  # the indices of those that have a tolerance
    value: FloatArray
    is_low: bool


@dataclass(frozen=True, eq=False)
class Scales:
    """The size of each unknown, and whether the user declared it."""

    size: FloatArray
    is_declared: BoolArray

    def with_small(self, unknowns: IntArray, values: FloatArray, rtol: float = math.inf) -> Scales:
        """Smaller sizes for some of the unknowns, where the values of all at the start are far below theirs.

        Without, the base current of a transistor would be seen to be small at the end of a run, and this repeated. With
        rtol no tolerance is near the roundings of the largest of them: nodes of a circuit at rest have 1e-9 V, or 0 V.
        """
        value = np.abs(values[unknowns])
        is_small = (value > 0.0) & (value < PART * self.size[unknowns]) & ~self.is_declared[unknowns]
        if not is_small.any():
            return self
        size = self.size.copy()
        least = max(_SMALLEST, _ROUNDINGS * float(value.max()) / (PART * rtol))
        size[unknowns[is_small]] *= np.maximum(value[is_small] / size[unknowns[is_small]], min(least, 1.0))
        return Scales(size, self.is_declared)

    def tolerances(self, rtol: float, atol: float | None) -> AbsoluteTolerances:
        """Absolute tolerances; one that was asked for holds for all unknowns and does not grow."""
        if atol is not None:
            given = np.full(len(self.size), float(atol))
            return AbsoluteTolerances(given, np.zeros(len(given)), given)
        start = PART * rtol * self.size
        part = np.where(self.is_declared, 0.0, PART * rtol)
        return AbsoluteTolerances(start, part, np.where(self.is_declared, start, start / rtol))


def declared_scales(nominal: FloatArray) -> Scales:
    """From what was declared, not a number where nothing was."""
    size = np.abs(nominal)
    is_declared = size > 0.0  # a nominal value of zero says nothing
    return Scales(np.where(is_declared, size, 1.0), is_declared)

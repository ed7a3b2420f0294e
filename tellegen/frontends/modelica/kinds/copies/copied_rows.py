"""What is said once about an original, for all its copies: scalars of statements and values, shifted.

r[1] is the original of r[2], r[3];  v4 = R1*i3 said of r[1]     ->     rows (4, 1, 3), (9, 6, 8), (14, 11, 13)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tellegen.ir.model import IntArray
from tellegen.start.records import dataclass

INFLOW = 1 << 40
"""What is added to the number of a stream variable's scalar: the number of what arrives there."""


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """An original among its siblings: the numbers of its scalars, and how far those of itself and its copies are."""

    numbers: tuple[tuple[int, int], ...]  # intervals
    shifts: IntArray

    def contains(self, scalar: int) -> bool:
        """Whether a scalar is one of the original."""
        number = scalar - INFLOW if scalar >= INFLOW else scalar
        return any(first <= number < last for first, last in self.numbers)


class CopiedRows:
    """All copies of a component within another one, itself first: copies of itself and of components around it."""

    def __init__(self, levels: Sequence[Level]) -> None:
        """`levels`: the outermost first."""
        grid = np.meshgrid(*(level.shifts for level in levels), indexing="ij")
        self._levels = [(level, shifts.ravel()) for level, shifts in zip(levels, grid, strict=True)]
        self.count = len(self._levels[0][1])

    def rows(self, scalars: Sequence[int]) -> IntArray:
        """A row for each copy: the scalars there. Those outside of the originals are the same for all."""
        found = np.empty((self.count, len(scalars)), dtype=np.int64)
        for column, scalar in enumerate(scalars):
            found[:, column] = scalar
            for level, shifts in self._levels:
                if level.contains(scalar):
                    found[:, column] += shifts
        return found

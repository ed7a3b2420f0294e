"""Part of a FlatModel as a FlatModel: its columns and rows know their numbers in the whole, so names stay as they were.

whole: balls[0..9999], two variables each      part: variables 0, 1, 2, ... = balls[7].h, balls[7].v, balls[8].h, ...
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from tellegen.ir.flat import Group, Table
from tellegen.ir.model import FloatArray, IntArray
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False, kw_only=True)
class PartTable(Table):
    """Some columns of a table: scalar k is scalar numbers[k] of the whole. It has no blocks of its own."""

    whole: Table
    numbers: IntArray

    @staticmethod
    def of(whole: Table, numbers: IntArray) -> PartTable:
        """The columns with these numbers."""
        return PartTable(
            tree=whole.tree,
            of_parameters=whole.of_parameters,
            starts=(),
            owners=(),
            count=len(numbers),
            whole=whole,
            numbers=numbers,
        )

    def locate(self, index: int) -> tuple[int, int, int, int]:
        """See Table."""
        return self.whole.locate(int(self.numbers[index]))

    @cached_property
    def is_initial_parameter(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """See Table."""
        return self.whole.is_initial_parameter[self.numbers]

    def column(self, attribute: str, default: float = float("nan")) -> FloatArray:
        """See Table."""
        return self.whole.column(attribute, default)[self.numbers]


@dataclass(frozen=True, eq=False, kw_only=True)
class PartGroup(Group):
    """Some rows of a group: row r is row rows_of_whole[r] of the whole."""

    whole: Group
    rows_of_whole: IntArray

    def owner(self, row: int) -> tuple[int, int]:
        """See Group."""
        return self.whole.owner(int(self.rows_of_whole[row]))

"""SortedModel: the equations that remain, the unknowns that remain, and how to get back everything else.

Every pass of structure/ takes a SortedModel and returns another one. Rows of the residual are numbered through: the
rows of group 0, of group 1, ..., then the linear rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.ir.expr import Expr
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import IntArray

Int32Array = np.ndarray[Any, np.dtype[np.int32]]
Int8Array = np.ndarray[Any, np.dtype[np.int8]]
BoolArray = np.ndarray[Any, np.dtype[np.bool_]]

UNKNOWN, PARAMETER, KNOWN, UNUSED = "unknown", "parameter", "known", "unused"
"""What a slot of a sorted group reads: an unknown, a parameter, a variable given from outside, or nothing any more."""


@dataclass(frozen=True, eq=False)
class SortedGroup:
    """Rows of one group of the FlatModel that look alike after elimination: residual == 0.

    Signs, zeros and coinciding slots are already part of `residual`; bindings[r, s] is the index of the variable that
    represents the one the user wrote, or of a parameter.
    """

    residual: Expr
    kinds: tuple[str, ...]
    bindings: Int32Array
    source: int
    source_rows: IntArray

    @property
    def rows(self) -> int:
        """Number of equations."""
        return self.bindings.shape[0]


@dataclass(frozen=True, eq=False)
class LinearRows:
    """sum(weights * variables) == 0 for each row; where each came from: flat.sums row k, or equality -1-k."""

    indptr: Int32Array
    indices: Int32Array
    weights: Int32Array
    sources: IntArray

    @property
    def rows(self) -> int:
        """Number of equations."""
        return len(self.indptr) - 1

    @cached_property
    def row_of_entry(self) -> IntArray:
        """The row of every entry."""
        return np.repeat(np.arange(self.rows), np.diff(self.indptr))


@dataclass(frozen=True, slots=True)
class PassRecord:
    """What one pass did, for the report."""

    name: str
    seconds: float
    equations: int
    unknowns: int


@dataclass(frozen=True, eq=False, kw_only=True)
class SortedModel:
    """See the top of this file. Variable v of the FlatModel equals sign[v] * representative[v], zero where sign is 0.

    `unknowns` are the variables to solve for, in the order of the solver's vector; `is_state` marks those whose
    derivative occurs.
    """

    flat: FlatModel
    groups: tuple[SortedGroup, ...]
    linear: LinearRows
    initial: tuple[SortedGroup, ...]
    representative: Int32Array
    sign: Int8Array
    known: Int32Array
    unknowns: Int32Array
    is_state: BoolArray
    report: tuple[PassRecord, ...] = ()

    @property
    def equation_count(self) -> int:
        """Number of residuals."""
        return sum(group.rows for group in self.groups) + self.linear.rows

    @cached_property
    def offsets(self) -> IntArray:
        """First residual row of each group, and of the linear rows."""
        return np.cumsum([0, *(group.rows for group in self.groups)])

    @cached_property
    def position(self) -> Int32Array:
        """Place of each variable in the solver's vector, -1 for variables that are not there."""
        places = np.full(self.flat.variables.count, -1, np.int32)
        places[self.unknowns] = np.arange(len(self.unknowns), dtype=np.int32)
        return places

    @cached_property
    def known_position(self) -> Int32Array:
        """Place of each variable given from outside in the vector of parameters (behind them), -1 for others."""
        places = np.full(self.flat.variables.count, -1, np.int32)
        places[self.known] = self.flat.parameters.count + np.arange(len(self.known), dtype=np.int32)
        return places

    def origin(self, row: int) -> tuple[str, int, int]:
        """Where residual `row` comes from: ("group", number, row), ("sum", row, 0) or ("equality", row, 0)."""
        k = int(np.searchsorted(self.offsets, row, side="right")) - 1
        local = row - int(self.offsets[k])
        if k < len(self.groups):
            return "group", self.groups[k].source, int(self.groups[k].source_rows[local])
        source = int(self.linear.sources[local])
        return ("sum", source, 0) if source >= 0 else ("equality", -1 - source, 0)

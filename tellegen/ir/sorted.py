"""SortedModel: a ReducedModel whose equations are in order of evaluation, so that time and states give everything else.

This is what ODE mode evaluates, and what questions about loops and tasks are asked of.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property

import numpy as np

from tellegen.ir.model import IntArray
from tellegen.ir.reduced import BoolArray, Int8Array, ReducedModel
from tellegen.start.records import dataclass

EXPLICIT = 0
LINEAR = 1
NONLINEAR = 2
"""How a block of equations is solved: one row in symbols, a linear system, or Newton's method."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """The order in which rates of states and algebraic unknowns can be computed when time and states are given.

    Blocks are numbered in order of evaluation; all blocks of one level may be evaluated together. In a block that is
    not explicit the unknowns of rows with inner >= 0 follow in symbols, in the order of `inner`, from the unknowns
    guessed (tears), which are those assigned to the rows with inner < 0.
    """

    assigned: IntArray  # per row: the column of the unknown it determines
    block: IntArray  # per row
    level: IntArray  # per block, never decreasing
    kind: Int8Array  # per block: EXPLICIT, LINEAR or NONLINEAR
    constant: BoolArray  # per block: linear, with coefficients that only parameters enter
    inner: IntArray  # per row: its level inside its block, -1 for the rows that judge the guess
    reason: str = ""  # why this order is not suitable for explicit evaluation; empty when it is

    @cached_property
    def size(self) -> IntArray:
        """Rows of each block."""
        return np.bincount(self.block, minlength=len(self.level))

    @cached_property
    def tears(self) -> IntArray:
        """Unknowns of each block that are solved for together."""
        solved = (self.inner < 0) & (self.kind[self.block] != EXPLICIT)
        return np.bincount(self.block[solved], minlength=len(self.level))


@dataclass(frozen=True, eq=False, kw_only=True)
class SortedModel(ReducedModel):
    """See the top of this file."""

    blocks: Blocks

    @staticmethod
    def of(model: ReducedModel, blocks: Blocks) -> SortedModel:
        """The model with this order."""
        own = {field.name: getattr(model, field.name) for field in fields(ReducedModel)}
        return SortedModel(**own, blocks=blocks)

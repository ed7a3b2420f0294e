"""The native record of a step that solves loops: its tables and work space, and how far Newton's method goes in it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Protocol

import numpy as np

from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import Elimination
from tellegen.engine.native.record import Record
from tellegen.engine.runtime.algebra.ode_rhs import SolveStep
from tellegen.ir.model import Array, FloatArray, IntArray
from tellegen.ir.ode import Solve
from tellegen.procedures.language import field_names
from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True)
class NewtonLimits:
    """How far Newton's method goes for a solution of a block.

    `longest_step` is in sizes of the unknowns: where derivatives nearly vanish at a guess from outside an angle would
    go round a million times.
    """

    longest_step: float
    smallest_damping: float
    most_trials: int


NEAR_THE_LAST_SOLUTION = NewtonLimits(math.inf, 1e-4, 100)
"""What a step of an integrator needs; where it finds nothing the integrator tries a smaller step."""


class StepEntry(Protocol):
    """An entry of a model, or a kernel that stands for one (runtime/ode_rhs.py: Entry)."""

    words: IntArray


class SolveRecord:
    """The native record of a Solve step with its work space; `pivots` are those of a sparse one, if they are known."""

    def __init__(
        self,
        step: Solve,
        entries: Mapping[str, StepEntry],
        pivots: Elimination | None,
        limits: NewtonLimits = NEAR_THE_LAST_SOLUTION,
    ) -> None:
        self.step = step
        self._entries = entries  # whose addresses the record has
        tears = np.diff(step.tear_start)
        dense = step.pattern is None
        squares = np.concatenate([[0], np.cumsum(tears**2)]).astype(np.int32)
        total = len(step.tear_index)
        self.lu: SparseLU | None = None
        if step.pattern is not None:
            self.lu = SparseLU(step.pattern, pivots)
        self.record = Record(field_names(SolveStep))
        self.record.set(
            linear=int(step.linear),
            constant=int(step.constant),
            may_be_left=int(not step.stays),
            blocks=step.blocks,
            tears=total,
            inner=np.array([entries[name].words for name in step.inner] or [0], np.int64),
            inner_entries=len(step.inner),
            row_start=step.row_start,
            inner_count=step.inner_count,
            tear_start=step.tear_start,
            tear_index=step.tear_index,
            judge_row=step.judge_row,
            same=step.same,
            entry_start=step.entry_start,
            entry_column=step.entry_column,
            values=np.zeros(max(step.entries, 1)),
            eliminated=np.zeros(max(int((step.inner_count * tears).max(initial=0)), 1)),
            matrix_start=squares,
            matrix=np.zeros(max(int(squares[-1]), 1) if dense else 1),
            pivots=np.zeros(max(total, 1), np.int32),
            column_pivots=np.zeros(max(total, 1), np.int32),
            rank=np.diff(step.tear_start).astype(np.int32),
            lu=self.lu.record.address if self.lu is not None else 0,
            pivots_ready=int(pivots is not None),
            **{name: np.zeros(max(total, 1)) for name in ("x", "change", "base", "before", "accepted")},
            **{name: np.zeros(step.blocks) for name in ("damping", "length")},
            status=np.zeros(step.blocks, np.int64),
            residual=entries[step.residual].words,
            jacobian=entries[step.jacobian].words,
            closed=entries[step.closed].words if step.closed else 0,
        )
        self.record.set(most_trials=limits.most_trials)
        self.record.put(longest_step=limits.longest_step, smallest_damping=limits.smallest_damping)

    @property
    def full_ranks(self) -> IntArray:
        """Tears of each block."""
        return np.diff(self.step.tear_start).astype(np.int64)

    def limit_ranks(self, rank: IntArray, factors: bool = False) -> None:
        """Solve each block up to this rank only; with `factors` by its matrix, even if there are closed formulas."""
        self.record.kept["rank"][:] = rank
        self.record.set(is_deficient=int(factors or (rank < self.full_ranks).any()))

    def tears_of(self, block: int) -> Array:
        """Places of the tears of a block in the work vector."""
        return self.step.tear_index[self.step.tear_start[block] : self.step.tear_start[block + 1]]

    def matrix_of(self, block: int) -> FloatArray:
        """The matrix of the tears that was factored last, its rows in the order of the pivots."""
        n = int(self.full_ranks[block])
        first = int(self.record.kept["matrix_start"][block])
        factors = self.record.kept["matrix"][first : first + n * n].reshape(n, n)
        return (np.tril(factors, -1) + np.eye(n)) @ np.triu(factors)

    def beyond_rank(self, block: int) -> list[int]:
        """The tears of a block, by number in it, that its last factors left out."""
        n = int(self.full_ranks[block])
        rank = int(self.record.kept["rank"][block])
        if rank == n:
            return []
        order = list(range(n))
        columns = self.record.kept["column_pivots"][self.step.tear_start[block] :]
        for j in range(rank):
            other = int(columns[j])
            order[j], order[other] = order[other], order[j]
        return order[rank:]

    @property
    def is_shared(self) -> bool:
        """Whether one of several solutions was taken in this run."""
        return bool(self.record.words[self.record.number["is_shared"]])

    def forget_factors(self) -> None:
        """Another run has other numbers: what was factored is of no use to it."""
        self.record.words[self.record.number["factored"]] = 0
        self.record.words[self.record.number["is_shared"]] = 0

    @property
    def ready(self) -> bool:
        """Whether pivots have been found."""
        return bool(self.record.words[self.record.number["pivots_ready"]])

    def failed_rows(self) -> list[int]:
        """Rows of blocks without a solution; all rows of a linear step."""
        step = self.step
        bad = np.flatnonzero(self.record.kept["status"] == 3) if not step.linear else np.arange(step.blocks)
        return [int(row) for b in bad for row in step.rows[step.row_start[b] : step.row_start[b + 1]]]

"""An initial system as steps of native code: its parts become Solve steps (ir/ode.py), as in ODE mode.

    a part of three blocks, one of them large    ->    Solve: two blocks, dense;   Solve: one block, sparse

The entries of these steps are kernels that take their rows from the residual and the Jacobian of DAE mode
(engine/runtime/algebra/initial_values.py), so nothing is compiled. All unknowns of a block are solved for together;
those that follow from others in it are computed from these before each residual (initial_blocks.py: Part.follow).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tellegen.engine.initialization.initial_blocks import Shape
from tellegen.engine.initialization.initial_system import InitialSystem, Point
from tellegen.engine.linear_algebra.pivots import Elimination
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.solve_record import NewtonLimits, SolveRecord
from tellegen.engine.native.record import Record
from tellegen.engine.runtime.algebra.initial_values import (
    InitialEquations,
    InitialProblem,
    InnerUnknowns,
    StepJacobian,
)
from tellegen.engine.runtime.algebra.ode_rhs import Ode, Step
from tellegen.engine.runtime.runtimes import block_runtime, initial_runtime
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.ode import Solve
from tellegen.ir.program import Pattern
from tellegen.procedures.language import field_names
from tellegen.start.records import dataclass

_LARGEST_DENSE = 60
"""Blocks of more unknowns are factored by the sparse solver."""
_FROM_A_GUESS = NewtonLimits(longest_step=10.0, smallest_damping=1e-12, most_trials=1000)
"""As in linear_algebra/damped_newton.py: a guess of the user may be far away."""
_RUN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, ctypes.c_void_p)


class KernelEntry:
    """A kernel with its record, where steps expect an entry of a model."""

    def __init__(self, kernel: str, record: Record) -> None:
        self._addresses = np.array([initial_runtime().addresses[kernel]], np.int64)
        self._record = record
        self.words: IntArray = np.array([self._addresses.ctypes.data, 1, record.address], np.int64)


@dataclass(frozen=True, eq=False)
class StepRows:
    """Some blocks of a part: their rows in the part, where each block begins, and whether it is one sparse block."""

    part: Shape
    local: IntArray
    start: IntArray
    sparse: bool

    @staticmethod
    def of(part: Shape) -> Iterator[StepRows]:
        """All small blocks together, large ones each by itself."""
        begin = np.append(part.begin, len(part.rows))
        size = np.diff(begin)
        small = np.flatnonzero(size <= _LARGEST_DENSE)
        if len(small):
            local = np.flatnonzero(np.repeat(size <= _LARGEST_DENSE, size))
            yield StepRows(part, local, np.append(0, np.cumsum(size[small])), False)
        for block in np.flatnonzero(size > _LARGEST_DENSE):
            yield StepRows(part, np.arange(begin[block], begin[block + 1]), np.array([0, size[block]]), True)


@dataclass(frozen=True, eq=False)
class StepEntries:
    """The derivatives of a step: which of the part's they are, and the rows and columns of the step."""

    chosen: IntArray
    row: IntArray
    column: IntArray

    @staticmethod
    def of(rows: StepRows) -> StepEntries:
        """Column by column for a sparse step, otherwise row by row."""
        pattern = rows.part.pattern
        position = np.full(len(rows.part.rows), -1)
        position[rows.local] = np.arange(len(rows.local))
        row = position[pattern.indices]
        column = position[pattern.column_of_entry]
        chosen = np.flatnonzero((row >= 0) & (column >= 0))
        if not rows.sparse:
            chosen = chosen[np.lexsort((column[chosen], row[chosen]))]
        return StepEntries(chosen, row[chosen], column[chosen])

    def pattern(self, size: int) -> Pattern:
        """Of a sparse step."""
        indptr = np.append(0, np.cumsum(np.bincount(self.column, minlength=size)))
        return Pattern((size, size), indptr.astype(np.int32), self.row.astype(np.int32))


class InitialSteps:
    """The work space and records of an initial system; not shared between threads."""

    def __init__(self, system: InitialSystem, parts: list[Shape]) -> None:
        n = len(system.y)
        self.positions = np.concatenate([system.values, n + system.rates])
        self.w = np.zeros(2 * n)
        self.y = self.w[:n]
        self.yp = self.w[n:]
        self._guess = np.zeros(2 * n)
        self._scale = np.ones(2 * n)
        self._solves: list[SolveRecord] = []
        self._equations = _equations_record(system)
        self._residual = KernelEntry("initial_residual", self._equations)
        for part in parts:
            for rows in StepRows.of(part):
                self._solves.append(self._solve(system, rows))
        self.ode = self._ode_record(n, n + system.extra)
        self.problem = Record(field_names(InitialProblem))
        self.problem.set(ode=self.ode.address, guess=self._guess)
        self.address: int = initial_runtime().addresses["initial_values"]
        self._run = _RUN(self.address)

    def set_numbers(self, point: Point, y: FloatArray, guess: FloatArray, scale: FloatArray) -> None:
        """Those of a run; `y` has the values that are held, and p is the one in `point`, which events may change."""
        self.ode.set(parameters=point.p)
        self._guess[: len(y)] = y
        self._guess[len(y) :] = 0.0
        self._guess[self.positions] = guess
        self._scale[self.positions] = scale

    def run(self, t: float) -> bool:
        """Whether consistent values are in y and y'."""
        return self._run(t, self.problem.address) == 0

    @property
    def unknowns(self) -> FloatArray:
        """What was solved for."""
        return self.w[self.positions]

    def remember_pivots(self, pivots: dict[Any, Elimination]) -> None:
        """Keep those of sparse blocks for other runs."""
        for solve in self._solves:
            if solve.lu is not None and solve.ready:
                pivots[pivot_key(solve.lu.pattern)] = solve.lu.elimination

    def _solve(self, system: InitialSystem, rows: StepRows) -> SolveRecord:
        """The record of a step."""
        entries = StepEntries.of(rows)
        size = len(rows.local)
        block = np.repeat(np.arange(len(rows.start) - 1), np.diff(rows.start))
        inner = _inner_record(system, self._equations, self.positions, rows)
        kernels = {
            "residual": self._residual,
            "jacobian": KernelEntry("initial_jacobian", _jacobian_record(system, self._equations, rows, entries)),
        }
        if inner is not None:
            kernels["inner"] = KernelEntry("initial_inner", inner)
        row_start = rows.start.astype(np.int32)
        pattern = entries.pattern(size) if rows.sparse else None
        step = Solve(
            inner=("inner",) if inner is not None else (),
            residual="residual",
            jacobian="jacobian",
            linear=False,
            constant=False,
            row_start=row_start,
            inner_count=np.zeros(len(row_start) - 1, np.int32),
            tear_start=row_start,
            tear_index=self.positions[rows.part.columns[rows.local]].astype(np.int32),
            judge_row=system.rows[rows.part.rows[rows.local]].astype(np.int32),
            entry_start=np.append(0, np.cumsum(np.bincount(entries.row, minlength=size))).astype(np.int32),
            entry_column=(entries.column - rows.start[block[entries.column]]).astype(np.int32),
            rows=rows.part.rows[rows.local],
            same=np.arange(len(row_start) - 1, dtype=np.int32),
            pattern=pattern,
        )
        known = system.model.caches.pivots.get(pivot_key(pattern)) if pattern is not None else None
        return SolveRecord(step, kernels, known, _FROM_A_GUESS)

    def _ode_record(self, n: int, equations: int) -> Record:
        names = field_names(Step)
        steps = np.zeros((max(len(self._solves), 1), len(names)), np.int64)
        for k, solve in enumerate(self._solves):
            steps[k, names.index("solve")] = solve.record.address
        record = Record(field_names(Ode))
        record.set(
            size=n,
            state_count=0,
            state_index=np.zeros(1, np.int32),
            w=self.w,
            residual=np.zeros(equations),
            steps=steps,
            step_count=len(self._solves),
            rate_steps=len(self._solves),
            scale=self._scale,
            at_root=np.zeros(1),
            solve_step=block_runtime().addresses["solve_step"],
        )
        return record


def pivot_key(pattern: Pattern) -> tuple[str, bytes]:
    """Under which pivots of initial systems are remembered: they are as good for any system of the same pattern."""
    return "initial", pattern.digest


def lease(model: NativeModel, key: Any, make: Callable[[], InitialSteps]) -> InitialSteps:
    """Steps for one run; no other run has them until they are given back."""
    try:
        return model.caches.initial_steps[key].pop()  # atomic, so threads need no lock
    except (KeyError, IndexError):
        return make()


def give_back(model: NativeModel, key: Any, steps: InitialSteps) -> None:
    """The run has its initial values."""
    steps.remember_pivots(model.caches.pivots)
    model.caches.initial_steps.setdefault(key, []).append(steps)


def _equations_record(system: InitialSystem) -> Record:
    program = system.model.program
    entries = system.model.entries
    record = Record(field_names(InitialEquations))
    initial = program.initial_pattern.count if system.extra else 0
    record.set(
        size=program.size,
        residual=entries["residual"].words,
        jacobian=entries["jacobian"].words,
        count=program.pattern.count,
        derivatives=np.zeros(2 * (program.pattern.count + initial)),
    )
    if system.extra:
        record.set(
            initial_residual=entries["initial_residual"].words,
            initial_jacobian=entries["initial_jacobian"].words,
            initial_count=initial,
        )
    return record


def _jacobian_record(system: InitialSystem, equations: Record, rows: StepRows, entries: StepEntries) -> Record:
    record = Record(field_names(StepJacobian))
    chosen = system.chosen[rows.part.entries[entries.chosen]].astype(np.int32)
    record.set(equations=equations.address, count=len(chosen), chosen=chosen)
    return record


def _inner_record(system: InitialSystem, equations: Record, positions: IntArray, rows: StepRows) -> Record | None:
    """The unknowns that follow from others in their block; their factors are plain numbers, the same everywhere."""
    part = rows.part
    level = part.inner[rows.local]
    inner = rows.local[level >= 0]
    if not len(inner):
        return None
    inner = inner[np.argsort(part.inner[inner], kind="stable")]
    count = np.bincount(part.inner[inner])
    pattern = part.pattern
    own = np.flatnonzero(pattern.indices == pattern.column_of_entry)
    factor = np.ones(len(part.rows))
    factor[pattern.indices[own]] = system.jacobian(system.free_values)[part.entries[own]]
    record = Record(field_names(InnerUnknowns))
    record.set(
        equations=equations.address,
        levels=len(count),
        level_start=np.append(0, np.cumsum(count)).astype(np.int32),
        position=positions[part.columns[inner]].astype(np.int32),
        row=system.rows[part.rows[inner]].astype(np.int32),
        factor=factor[inner],
    )
    return record

"""IDA step by step under a native watch over the choice of states (engine/runtime/sundials/state_watch.py)."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.engine.integrators.dynamic_state_selection import Part, StateWatch, stage_quality
from tellegen.engine.integrators.ida_memory import IdaMemory
from tellegen.engine.native.record import Record
from tellegen.engine.native.sundials import sundials
from tellegen.engine.runtime.runtimes import watch_runtime
from tellegen.engine.runtime.sundials.state_watch import (
    GOOD,
    LOOKS_UNTIL_COMPARED,
    WORSE,
    ChosenStage,
    WatchedRun,
)
from tellegen.graph.core import Core
from tellegen.ir.model import FloatArray
from tellegen.procedures.language import field_names

_RUN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


@dataclass(frozen=True, eq=False)
class WatchedStage:
    """A stage of a part in which something is left to choose, what is chosen, and the native table of it."""

    part: Part
    core: Core
    chosen: Any
    table: Record

    def quality(self, values: FloatArray) -> float:
        """How far the choice is from singular, for the numbers of all constraints."""
        return stage_quality(self.core, values[self.part.mine], self.chosen)


class WatchedIda:
    """The record of the loop for one choice of states, with its tables and work space."""

    def __init__(self, ida: IdaMemory, watch: StateWatch, rates: FloatArray) -> None:
        library = sundials()
        self._run = _RUN(watch_runtime().addresses["ida_watched_run"])
        self.record = Record(field_names(WatchedRun))
        self._stages = [stage for part in watch.varying for stage in _stages(watch, part)]
        tables = [stage.table for stage in self._stages]
        self._doubtful_below = np.zeros(len(tables))
        size = len(rates)
        row = np.empty(size)
        columns = max((table.get("column_count") for table in tables), default=0)
        left = max((table.get("left_count") for table in tables), default=0)
        self.record.set(
            run=ida.run.address,
            model=ida.record.address,
            rates=rates,
            get_derivative=library.address["IDAGetDky"],
            row=ida.new_vector(row),
            row_values=row,
            looks=LOOKS_UNTIL_COMPARED,
            stage_count=len(self._stages),
            stages=np.array([table.words for table in tables], np.int64),
            doubtful_below=self._doubtful_below,
            jacobian=np.zeros(watch.model.program.pattern.count),
            reduced=np.zeros(columns),
            bulk=np.zeros(columns),
            square=np.zeros(left * left),
            products=np.zeros(left * left),
        )

    def begin(self, has_stepped: bool, end: float) -> None:
        """A segment, up to a time."""
        self.record.set(steps=0, has_stepped=has_stepped)
        self.record.put(end=end)

    def advance(self, burst: int) -> int:
        """So many steps at most; the flag of ida_watched_run."""
        self.record.set(most_steps=self.steps + burst)
        return self._run(self.record.address)

    def keep(self, values: FloatArray) -> None:
        """The choice was compared with others where the constraints have these numbers, and kept."""
        self.record.set(looks=0)
        self._doubtful_below[:] = [min(GOOD, WORSE * stage.quality(values)) for stage in self._stages]

    @property
    def steps(self) -> int:
        """Since `begin`."""
        return self.record.get("steps")


def _stages(watch: StateWatch, part: Part) -> list[WatchedStage]:
    """The stages of a part in which something is left to choose; none where the Jacobian says nothing of them."""
    found = []
    for core, chosen in part.stages(part.present(watch.candidates.stages)):
        table = stage_table(core, chosen, watch.numbers_of(part)) if len(core.rows) else None
        if table is not None:
            found.append(WatchedStage(part, core, chosen, table))
    return found


def stage_table(core: Core, chosen: Any, numbers: Any) -> Record | None:
    """The table of a stage. Entries that are not in the Jacobian are zero; without a pivot nothing can be said."""
    entries = core.entries
    rows = np.concatenate([core.solved_rows, core.rows])
    in_use = np.zeros(entries.shape[1], bool)
    in_use[core.solved_columns] = True
    in_use[core.columns] = True
    order_of_row = np.full(entries.shape[0], -1)
    order_of_row[rows] = np.arange(len(rows))
    there = np.flatnonzero((order_of_row[entries.row] >= 0) & in_use[entries.column] & (numbers >= 0))
    there = there[np.argsort(order_of_row[entries.row[there]], kind="stable")]
    columns = core.columns[chosen[core.columns]]
    pivots = _numbers_at(entries, numbers, core.solved_rows, core.solved_columns)
    if (pivots < 0).any():
        return None
    record = Record(field_names(ChosenStage))
    record.set(
        column_count=entries.shape[1],
        solved_count=len(core.solved_rows),
        left_count=len(core.rows),
        row_start=_ints(np.searchsorted(order_of_row[entries.row[there]], np.arange(len(rows) + 1))),
        entry_column=_ints(entries.column[there]),
        entry_value=_ints(numbers[there]),
        solved_column=_ints(core.solved_columns),
        pivot_value=_ints(pivots),
        is_foreign=len(columns) != len(core.rows) or not chosen[core.solved_columns].all(),
        chosen_column=_ints(columns),
    )
    return record


def _numbers_at(entries: Any, numbers: Any, rows: Any, columns: Any) -> Any:
    """The numbers of the entries at these rows and columns; -1 where there is none."""
    found = dict(zip(zip(entries.row.tolist(), entries.column.tolist(), strict=True), numbers.tolist(), strict=True))
    return np.array([found.get(pair, -1) for pair in zip(rows.tolist(), columns.tolist(), strict=True)], np.int64)


def _ints(values: Any) -> Any:
    return np.ascontiguousarray(values, np.int32)

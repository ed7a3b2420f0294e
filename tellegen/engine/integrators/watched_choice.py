"""A choice of states under the native watch (engine/runtime/algebra/state_watch.py), as Python sees it."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from tellegen.dataflow.tied_parts import TiedPart
from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.integrators.dynamic_state_selection import StateWatch, stage_quality
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.record import Record
from tellegen.engine.runtime.algebra.state_watch import GOOD, LOOKS_UNTIL_COMPARED, WORSE, ChoiceWatch, ChosenStage
from tellegen.engine.runtime.runtimes import watch_runtime
from tellegen.engine.runtime.sundials.watched_run import WatchedCvode, WatchedIda
from tellegen.graph.core import Core
from tellegen.ir.model import FloatArray
from tellegen.ir.program import CONSTRAINTS
from tellegen.procedures.language import field_names
from tellegen.start.records import dataclass

_LONGEST_PATIENCE = 10_000  # looks
_RUN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_LOOK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p)


@dataclass(frozen=True, eq=False)
class WatchedStage:
    """A stage of a part in which something is left to choose, what is chosen, and the native table of it."""

    part: TiedPart
    number: int  # among the stages of the part
    core: Core
    chosen: Any
    table: Record

    def quality(self, values: FloatArray) -> float:
        """How far the choice is from singular, for the numbers of all constraints."""
        return stage_quality(self.core, values[self.part.mine], self.chosen)

    def has_columns(self, stages: Any, picked: Any) -> bool:
        """Whether another choice has these of the columns that are left, by their places, at this stage."""
        chosen = stages[self.number][self.part.columns]
        return np.array_equal(np.flatnonzero(chosen[self.core.columns]), picked)


def watched_stages(model: NativeModel) -> list[WatchedStage]:
    """What there is to watch in a model; the tables are the same for all runs."""
    watch = model.derived(StateWatch)
    return [stage for part in watch.varying for stage in _stages(part, part.present(watch.candidates.stages))]


def _stages(part: TiedPart, chosen: list[Any]) -> list[WatchedStage]:
    """The stages of a part in which something is left to choose.

    One with the rows and columns of the stage before, as in mechanisms, is regular where that is.
    """
    found: list[WatchedStage] = []
    for number, (core, picked) in enumerate(part.stages(chosen)):
        if not len(core.rows):
            continue
        is_repeated = bool(found) and (found[-1].chosen == picked).all() and _has_rows_of(core, found[-1].core)
        if not is_repeated:
            table = stage_table(core, picked, part.cores.keep, part.mine)
            found.append(WatchedStage(part, number, core, picked, table))
    return found


def _has_rows_of(core: Core, other: Core) -> bool:
    mine, theirs = (np.sort(np.concatenate([each.rows, each.solved_rows])) for each in (core, other))
    return np.array_equal(mine, theirs)


class RememberedChoices:
    """What followed a choice of states when the watch had picked certain columns of a stage."""

    def __init__(self, model: NativeModel) -> None:
        self.model = model
        self.known: dict[tuple[int, bytes], Any] = {}


class WatchedChoice:
    """The record of the watch for one choice of states and the parameters of one run."""

    def __init__(self, model: NativeModel, p: FloatArray) -> None:
        self.watch = model.derived(StateWatch)
        self._next = model.derived(RememberedChoices).known
        self._stages = model.derived(watched_stages)
        tables = [stage.table for stage in self._stages]
        self._doubtful_below = np.zeros(len(tables))
        self._was_good = np.zeros(len(tables), np.int32)
        columns = max((table.get("column_count") for table in tables), default=0)
        open_ = max((table.get("open_count") for table in tables), default=0)
        left = max((table.get("left_count") for table in tables), default=0)
        self._look = _LOOK(watch_runtime().addresses["choice_is_doubtful"])
        self.record = Record(field_names(ChoiceWatch))
        self.record.set(
            constraints=model.entries[CONSTRAINTS].words,
            parameters=p,
            **{name: np.zeros(len(self.watch.candidates.pairs)) for name in ("values", "before")},
            count=len(self.watch.candidates.pairs),
            stage_count=len(tables),
            stages=np.array([table.words for table in tables], np.int64),
            doubtful_below=self._doubtful_below,
            was_good=self._was_good,
            **{name: np.zeros(columns) for name in ("row", "bulk")},
            **{name: np.zeros(left * open_) for name in ("reduced", "rest")},
            **{name: np.zeros(open_, np.int32) for name in ("picked", "is_picked")},
            **{name: np.zeros(left * left) for name in ("square", "products")},
        )
        self.begin()

    def begin(self) -> None:
        """It is chosen, and has not been compared with others yet."""
        self._finest: dict[TiedPart, float] = {}
        self._was_good.fill(0)
        self.record.set(looks=LOOKS_UNTIL_COMPARED, patience=LOOKS_UNTIL_COMPARED)
        self.record.put(looked_at=np.inf, next_look=-np.inf)

    def is_doubtful(self, t: float, y: FloatArray, yp: FloatArray) -> bool:
        """Whether it has to be compared with others at a point."""
        self.record.put(next_look=-np.inf)
        return self._look(self.record.address, t, y.ctypes.data, yp.ctypes.data) != 0

    def better(self, t: float, y: FloatArray, yp: FloatArray, p: FloatArray) -> Any:
        """Another choice that is much better at a point, at which it was found doubtful; None if this one is kept.

        It is remembered if it has the columns that were picked, and is the present one in all other parts.
        """
        number = self.record.get("doubtful")
        for stage, was_good in zip(self._stages, self._was_good.tolist(), strict=True):
            if was_good:
                self._finest[stage.part] = GOOD
        if number < 0:
            return self.watch.better(t, y, yp, p, self.watch.varying, self._finest)
        stage = self._stages[number]
        picked = self.record.kept["picked"][: stage.table.get("left_count")]
        key = number, picked.tobytes()
        if key not in self._next:
            found = self.watch.better(t, y, yp, p, self.watch.varying, self._finest)
            is_general = (
                found is not None
                and stage.has_columns(found, picked)
                and self.watch.differs_in_part_alone(found, stage.part)
            )
            if not is_general:
                return found
            self._next[key] = found
        return self._next[key]

    def keep(self, t: float, y: FloatArray, yp: FloatArray, p: FloatArray) -> None:
        """It was compared with others at a point, and kept."""
        values = self.watch.values(t, y, yp, p)
        self._doubtful_below[:] = [min(GOOD, WORSE * stage.quality(values)) for stage in self._stages]
        self.record.set(looks=0, patience=min(2 * self.record.get("patience"), _LONGEST_PATIENCE))


class WatchedChoices:
    """The watches over the choices of a system in ODE mode; kept with it from run to run."""

    def __init__(self, p: FloatArray) -> None:
        self._p = p
        self._of: dict[NativeModel, WatchedChoice] = {}

    def of(self, model: NativeModel) -> WatchedChoice:
        """The watch over the states of a model, which it begins to work with."""
        if model not in self._of:
            self._of[model] = WatchedChoice(model, self._p)
        found = self._of[model]
        found.begin()
        return found


class StepByStep:
    """IDA or CVODE under the watch: the record of the native loop over single steps, none longer than given."""

    def __init__(self, kind: type[WatchedIda | WatchedCvode], function: str, longest: float, **fields: Any) -> None:
        self._run = _RUN(watch_runtime().addresses[function])
        self.record = Record(field_names(kind))
        self.record.set(**fields)
        self.record.put(longest=longest)

    def begin(self, has_stepped: bool, end: float) -> None:
        """A segment, up to a time."""
        self.record.set(steps=0, has_stepped=has_stepped)
        self.record.put(end=end)

    def advance(self, burst: int) -> int:
        """So many steps at most; the flag of the loop."""
        self.record.set(most_steps=self.steps + burst)
        return self._run(self.record.address)

    @property
    def steps(self) -> int:
        """Since `begin`."""
        return self.record.get("steps")

    @property
    def was_asked(self) -> bool:
        """Whether a function that wants to know of accepted steps asks for an event, not a root."""
        return bool(self.record.get("asked"))


def addresses_after_steps(machine: EventHandler | None) -> tuple[int, int]:
    """The records of events that notes delayed signals and that whose functions want to know of steps; zero: none."""
    if machine is None:
        return 0, 0
    address = machine.record.address
    return (0 if machine.delays is None else address), (address if machine.follows_steps else 0)


def stage_table(core: Core, chosen: Any, keep: Any, numbers: Any) -> Record:
    """The native table of a stage; `numbers` are those of its entries in the constraints' Jacobian."""
    entries = core.entries
    rows = np.concatenate([core.solved_rows, core.rows])
    in_use = np.zeros(entries.shape[1], bool)
    in_use[core.solved_columns] = True
    in_use[core.columns] = True
    order_of_row = np.full(entries.shape[0], -1)
    order_of_row[rows] = np.arange(len(rows))
    there = np.flatnonzero((order_of_row[entries.row] >= 0) & in_use[entries.column])
    there = there[np.argsort(order_of_row[entries.row[there]], kind="stable")]
    classes, of_class = np.unique(keep[core.columns], return_inverse=True)
    places = np.flatnonzero(chosen[core.columns])
    record = Record(field_names(ChosenStage))
    record.set(
        column_count=entries.shape[1],
        solved_count=len(core.solved_rows),
        left_count=len(core.rows),
        row_start=_ints(np.searchsorted(order_of_row[entries.row[there]], np.arange(len(rows) + 1))),
        entry_column=_ints(entries.column[there]),
        entry_value=_ints(numbers[there]),
        solved_column=_ints(core.solved_columns),
        pivot_value=_ints(_numbers_at(entries, numbers, core.solved_rows, core.solved_columns)),
        is_foreign=len(places) != len(core.rows) or not chosen[core.solved_columns].all(),
        chosen=_ints(places),
        open_count=len(core.columns),
        open_column=_ints(core.columns),
        open_class=_ints(of_class),
        class_count=len(classes),
    )
    return record


def _numbers_at(entries: Any, numbers: Any, rows: Any, columns: Any) -> Any:
    """The numbers of the entries at these rows and columns."""
    found = dict(zip(zip(entries.row.tolist(), entries.column.tolist(), strict=True), numbers.tolist(), strict=True))
    return np.array([found[pair] for pair in zip(rows.tolist(), columns.tolist(), strict=True)], np.int64)


def _ints(values: Any) -> Any:
    return np.ascontiguousarray(values, np.int32)

"""Values of actions that call the user's code: computed natively, but only the rows whose action is due.

Code of a sampled block runs at its own instants and not at those of others, so every loop of the entry gets a table
with the rows of the moment. The iteration of an event asks for values until they stay; the code runs again only where
something it may read has changed. What it raises is reported with the component and the time.

Loops that call no Python are left to native code altogether (runtime/events/due_actions.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.record import Record, address_of
from tellegen.engine.native.user_functions import raised
from tellegen.engine.runtime.events.event_record import DueActions, DueLoop
from tellegen.errors import TellegenError
from tellegen.foreign import CFunction
from tellegen.ir.expressions.expr import Apply, Function, walk
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Int32Array, Loop
from tellegen.procedures.language import field_names
from tellegen.start.records import dataclass
from tellegen.symbolic.kernels.kernel import Kernel

ENTRY = "opaque_values"
_ARRAYS = ("y", "yp", "p")
_PLANS = 1000  # sets of conditions that are remembered


@dataclass(eq=False)
class _Part:
    """A loop: its function, the number of its table, the table, and the numbers of the values that each row gives."""

    function: Any
    number: int
    table: Int32Array
    gives: Int32Array
    reads: list[tuple[int, Any]]  # array by number, indices in it
    last: tuple[Any, ...] = ()  # what was read the last time, and for which rows

    @staticmethod
    def of(function: Any, number: int, loop: Loop) -> _Part:
        """The part of a loop over arrays (y, yp, p, r)."""
        columns = {name: [o.column for o in loop.operands if o.array == name] for name in _ARRAYS}
        reads = [(k, loop.table[:, columns[name]].ravel()) for k, name in enumerate(_ARRAYS) if columns[name]]
        return _Part(function, number, loop.table, loop.table[:, [store.column for store in loop.stores]], reads)

    def is_new(self, t: float, table: Int32Array, arrays: tuple[FloatArray, ...]) -> bool:
        """Whether something the loop may read has changed; what it reads now is remembered."""
        now = (t, id(table), *[arrays[k][indices].tobytes() for k, indices in self.reads])
        changed = now != self.last
        self.last = now
        return changed


class OpaqueActions:
    """The entry for one run. Which rows are due is worked out once for each set of conditions that act together."""

    def __init__(self, model: NativeModel, *, all_native: bool = False) -> None:
        self.model = model
        self._all_native = all_native  # functions in Python are called by their addresses too, as in exported models
        native = model.entries[ENTRY]
        self.words = native.tables.copy()  # ours: rows change while other runs continue
        tables = [k for k, table in enumerate(model.native.tables[ENTRY]) if isinstance(table, np.ndarray)]
        loops = list(zip(native.functions, tables, model.program.entries[ENTRY].loops, strict=True))
        self.parts = [_Part.of(*found) for found in loops if not self._is_native(found[2])]
        self.native = self._native(native.addresses, loops)
        self.plans: dict[bytes, list[tuple[_Part, Int32Array]]] = {}

    def _native(self, addresses: Any, loops: list[Any]) -> NativeActions | None:
        """What native code computes without Python."""
        events = self.model.reduced.events
        found = [k for k, (_, _, loop) in enumerate(loops) if self._is_native(loop)]
        if not found or events is None:
            return None
        made = NativeActions(self.words, events.values.count)
        for k in found:
            made.add(addresses[k : k + 1], *loops[k][1:])
        return made

    def _is_native(self, loop: Loop) -> bool:
        return self._all_native or all(isinstance(each.callable, CFunction | Kernel) for each in _functions(loop))

    def complaint(self) -> BaseException | None:
        """Why a C function could not give its values, if one says so."""
        called = {f.callable for loop in self.model.program.entries[ENTRY].loops for f in _functions(loop)}
        found = (code.complaint() for code in called if isinstance(code, CFunction))
        return next((error for error in found if error is not None), None)

    def forget(self) -> None:
        """A run begins: the user's code may have changed its mind."""
        for part in self.parts:
            part.last = ()
        if self.native is not None:
            self.native.forget()

    def compute(self, acting: bytes, asked: Callable[[], Any], t: float, arrays: tuple[FloatArray, ...]) -> None:
        """Fill in the values that are asked for when these conditions are `acting`; arrays are y, y', p, values."""
        plan = self.plans.get(acting)
        if plan is None:
            if len(self.plans) >= _PLANS:
                self.plans.clear()
                self.forget()  # tables are distinguished by where they are in memory
            plan = self.plans[acting] = self._plan(asked())
        work = [(part, table) for part, table in plan if part.is_new(t, table, arrays)]
        if not work:
            return
        pointers = [array.ctypes.data for array in arrays]
        for part, table in work:
            self._run(part, table, t, pointers)
        found = next(iter(raised().values()), None)
        if found is not None:
            raise self._with_location(found.error, plan, t, pointers)

    def _plan(self, asked: Any) -> list[tuple[_Part, Int32Array]]:
        """The parts with rows that are due, each with a table of these rows."""
        due = [(part, np.isin(part.gives, asked).any(axis=1)) for part in self.parts]
        return [(part, part.table if rows.all() else part.table[rows]) for part, rows in due if rows.any()]

    def _run(self, part: _Part, table: Int32Array, t: float, pointers: list[int]) -> None:
        self.words[part.number] = table.ctypes.data, len(table)
        part.function(t, *pointers, self.words.ctypes.data)

    def _with_location(self, error: BaseException, plan: list[Any], t: float, pointers: list[int]) -> BaseException:
        """The error with the component whose code raised it, found by calling row after row again."""
        for part, table in plan:
            for row in range(len(table)):
                self._run(part, table[row : row + 1], t, pointers)
                again = next(iter(raised().values()), None)
                if again is not None and isinstance(again.error, TellegenError):
                    number = int(part.gives[(part.table == table[row]).all(axis=1)][0, 0])
                    again.error.details = (*again.error.details, f"in {self._component(number)}, at t = {t:.6g}")
                    return again.error
        return error

    def _component(self, number: int) -> str:
        """The component whose statement gives a value."""
        model = self.model.reduced
        assert model.events is not None
        events = model.events
        flat = model.flat
        acting = np.flatnonzero(events.actions.value == number)
        if len(acting):
            source, row = events.sources[int(events.actions.when[acting[0]])]
            return flat.tree.path(*flat.whens[source].owner(row)) or flat.name
        for group, indices in zip(events.values.groups, events.values.indices, strict=True):
            for row in np.flatnonzero(np.asarray(indices) == number):
                return flat.tree.path(*flat.equations[group.source].owner(int(group.source_rows[row]))) or flat.name
        return flat.name


class NativeActions:
    """The record of the loops that native code computes by itself."""

    def __init__(self, words: Any, values: int) -> None:
        self.record = Record(field_names(DueActions))
        self.record.set(tables=words, asked=np.zeros(max(values, 1), np.int64), stamp=0)
        self.record.set(row_counts=address_of(words) + 8)
        self._words = words
        self._loops: list[Record] = []
        self._steps: list[Record] = []
        self._gives: list[Int32Array] = []

    @property
    def follows_steps(self) -> bool:
        """Whether there are loops to be computed after every accepted step."""
        return bool(self._steps)

    def add(self, address: Any, number: int, loop: Loop) -> None:
        """One more loop: the address of its function in an array, and the number of its table."""
        reads = [(_ARRAYS.index(o.array), o.column) for o in loop.operands if o.array in _ARRAYS]
        table = np.ascontiguousarray(loop.table)
        due_rows = np.zeros_like(table)
        record = Record(field_names(DueLoop))
        record.set(call=address, number=number, rows=loop.rows, width=table.shape[1], table=table, due_rows=due_rows)
        record.set(gives=len(loop.stores), give_column=_ints([store.column for store in loop.stores]))
        record.set(reads=len(reads), read_array=_ints([array for array, _ in reads]))
        record.set(read_column=_ints([column for _, column in reads]))
        record.set(last=np.full((loop.rows, 1 + len(reads)), np.nan))
        self._words[number] = address_of(due_rows), 0
        if _is_after_steps(loop):
            self._steps.append(record)
            self._gives.append(table[:, [store.column for store in loop.stores]].ravel())
        else:
            self._loops.append(record)

    def assign(self, value: Any, place: Any) -> None:
        """All loops are known; what they give after steps goes to the places of the actions with these values."""
        given = np.concatenate([*self._gives, np.zeros(0, np.int32)])
        actions = np.flatnonzero(np.isin(value, given))
        self.record.set(loops=_rows(self._loops), count=len(self._loops))
        self.record.set(steps=_rows(self._steps), step_count=len(self._steps), step_actions=len(actions))
        self.record.set(step_value=_ints(value[actions].tolist()), step_place=_ints(place[actions].tolist()))

    def forget(self) -> None:
        """A run begins."""
        for each in self._loops:
            each.kept["last"][:] = np.nan


def _rows(records: list[Record]) -> Any:
    return np.array([each.words for each in records] or [[0]], np.int64)


def _is_after_steps(loop: Loop) -> bool:
    return any(isinstance(f.callable, CFunction) and f.callable.after_steps for f in _functions(loop))


def _ints(numbers: list[int]) -> Int32Array:
    return np.array([*numbers, 0], np.int32)


def _functions(loop: Loop) -> Iterator[Function]:
    """The external functions that a loop calls."""
    for store in loop.stores:
        yield from (node.function for node in walk(store.value) if isinstance(node, Apply))

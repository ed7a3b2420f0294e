"""An FMU in this process: its library, the table of its instances, and the code that evaluates them.

Instances belong to runs. A run begins by asking for one and initializes it; when it leaves initialization it owns the
instance, until runs that begin later need the room. Then the instance is freed, its epoch is over, and evaluations of
the former run give NaN (native/evaluate.py). Epochs of a row of the table are counted on and on, whichever instance is
in it.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tellegen.engine.native.machine_code import MachineCode, code_of_this_process
from tellegen.engine.native.record import address_of
from tellegen.engine.runtime.runtimes import HOT_LOOPS, procedure_module
from tellegen.fmi.description import CoSimulation, ModelExchange
from tellegen.importers.fmu.evaluations import Evaluated, Layout
from tellegen.importers.fmu.instances.instance import FmuInstance, Instance
from tellegen.importers.fmu.instances.instance2 import FmuInstance2
from tellegen.importers.fmu.native.completed_steps import fmu_stepped
from tellegen.importers.fmu.native.evaluate import (
    CONTINUOUS,
    INITIALIZING,
    SLOTS,
    FmuContext,
    fmu_derivatives,
    fmu_indicators,
    fmu_reals,
    fmu_start,
)
from tellegen.importers.fmu.native.event_records import EventRecords, Failed
from tellegen.importers.fmu.native.event_values import fmu_event_value
from tellegen.importers.fmu.native.events import fmu_event
from tellegen.importers.fmu.native.influences import fmu_influences, fmu_no_influence
from tellegen.importers.fmu.native.slope_plans import SlopePlans
from tellegen.importers.fmu.native.slopes import fmu_slopes
from tellegen.importers.fmu.quantities import Quantities, Quantity
from tellegen.ir.program import Module
from tellegen.procedures.language import field_names

_ENTRIES = (fmu_derivatives, fmu_reals, fmu_start, fmu_indicators, fmu_slopes)
_OF_PARAMETERS = (fmu_no_influence, fmu_influences)
_OF_EVENTS = (fmu_event, fmu_event_value, fmu_stepped)
_SLOTS = int(SLOTS)
_WAITING = 400  # instances of a thread: the FMUs of a large model
_KEPT = 400  # instances of finished runs, which may be continued
_WORD = {name: k for k, name in enumerate(field_names(FmuContext))}
_ARRAYS = ("start_states", "last_states", "last_inputs", "room", "filling", "kept", "start_influences")
_DIRECT = ("direct", "rates_at", "roots_at")
_TAIL_CALLS = 1  # the optimization that makes jumps of them
_NEVER = float("nan")  # equal to no time: everything is set again


@dataclass(eq=False)
class Slot:
    """A row of the table of instances, and the instance in it."""

    number: int
    words: Any
    instance: Instance
    last: Any
    """States and inputs that were set last."""
    room: Any
    """For them and all other arrays of the row."""
    reached: float = _NEVER
    """Where the steps of Co-Simulation have come, whichever model asked for them."""

    @property
    def epoch(self) -> float:
        """The number of its present epoch."""
        return float(self.words.view(np.float64)[_WORD["epoch"]])

    @property
    def mode(self) -> int:
        """What it is doing."""
        return int(self.words[_WORD["mode"]])

    @property
    def has_moved(self) -> bool:
        """Whether it was evaluated at another time than the start of its run."""
        return bool(self.words[_WORD["has_moved"]])

    @property
    def begun(self) -> float:
        """When its run began."""
        return float(self.words.view(np.float64)[_WORD["start"]])

    def start(self, t: float) -> None:
        """A run begins with it at this time."""
        self.words.view(np.float64)[_WORD["start"]] = t

    def move(self) -> None:
        """An event was handled after the start."""
        self.words[_WORD["has_moved"]] = True

    def begin_epoch(self, mode: int) -> float:
        """From now on values are those after an event."""
        doubles = self.words.view(np.float64)
        doubles[_WORD["epoch"]] += 1.0
        doubles[_WORD["last_time"]] = _NEVER
        self.last[:] = _NEVER
        self.words[_WORD["mode"]] = mode
        return self.epoch

    def close(self) -> None:
        """Free the instance; nothing of it can be evaluated any more."""
        self.words[_WORD["mode"]] = 0
        self.words[_WORD["goes_directly"]] = 0
        self.words[_WORD["is_plain"]] = 0
        self.instance.free()


class _Thread(threading.local):
    def __init__(self) -> None:
        self.waiting: dict[tuple[float, ...], Slot] = {}


class LoadedFmu:
    """One FMU used in one way, once for each process."""

    def __init__(
        self,
        interface: ModelExchange | CoSimulation,
        quantities: Quantities,
        layouts: dict[Evaluated, Layout],
        new_instance: Callable[[], Instance],
        moved_parameters: Sequence[Quantity] = (),
    ) -> None:
        self.interface = interface
        self.quantities = quantities
        self._new_instance = new_instance
        self._table = np.zeros((_SLOTS, len(_WORD)), np.int64)
        self._slots: dict[int, Slot] = {}
        self._free = list(range(_SLOTS - 1, -1, -1))
        self._order: deque[int] = deque()
        self._is_ordered = np.zeros(_SLOTS, bool)
        self._usual: Any = None
        """The words of a row that all instances have in common."""
        self._lock = threading.Lock()
        self._thread = _Thread()
        self.events: EventRecords | None = None
        first = address_of(self._table)
        entries = (*_ENTRIES, *_OF_PARAMETERS) if moved_parameters else _ENTRIES
        tables = {
            f"{entry.__name__}_{int(what)}": (entry.__name__, first, what) for entry in entries for what in layouts
        }
        if isinstance(interface, ModelExchange):
            self.events = EventRecords(_SLOTS, self._table, quantities, interface)
            first = address_of(self.events.table)
            tables |= {entry.__name__: (entry.__name__, first, None) for entry in _OF_EVENTS}
        self._wrappers = _wrappers(tables)
        as_int32 = [np.array(part, np.uint32).view(np.int32) for part in quantities.native_references()]
        self._input_references, self._references = as_int32
        moved = [each.variable.reference for each in moved_parameters]
        self._moved = np.array([*moved, 0], np.uint32).view(np.int32)
        self._plans = SlopePlans(layouts, interface.directional_derivatives)
        self._starts = _starts((*quantities.states, *quantities.inputs))

    def address(self, entry: str) -> int:
        """Where the code of an evaluation begins."""
        return self._wrappers.addresses[f"{entry}_here"]

    def open(self) -> Slot:
        """A new instance, not yet set."""
        with self._lock:
            self._find_owned()
            kept = 0 if self.interface.only_one_instance else _KEPT
            while len(self._order) > kept:
                self._close(self._order.popleft())
            slot = self._filled(self._free[-1], self._new_instance())
            self._slots[self._free.pop()] = slot
            return slot

    def _close(self, number: int) -> None:
        """Free an instance and its row."""
        self._slots.pop(number).close()
        self._is_ordered[number] = False
        self._free.append(number)

    def _find_owned(self) -> None:
        """Instances that have left initialization belong to a run; they are freed in the order this is seen."""
        owned = (self._table[:, _WORD["mode"]] == CONTINUOUS) & ~self._is_ordered
        self._order += np.flatnonzero(owned).tolist()
        self._is_ordered |= owned

    def _filled(self, number: int, instance: Instance) -> Slot:
        """The row of the table for an instance."""
        if self._usual is None:
            self._usual = self._usual_words(instance)
        states = max(self.quantities.state_count, 1)
        inputs = int(self._usual[_WORD["input_values"]])
        starts = self._starts
        influences = states * (len(self._moved) - 1)
        sizes = (states, states, inputs, self._plans.room, len(starts), self._plans.kept, influences)
        room = np.full(sum(sizes), _NEVER)
        words = self._table[number]
        epoch = int(words[_WORD["epoch"]])
        words[:] = self._usual
        words[_WORD["epoch"]] = epoch
        words[_WORD["component"]] = instance.handle
        address = address_of(room)
        for name, size in zip(_ARRAYS, sizes, strict=True):
            words[_WORD[name]] = address
            address += 8 * size
        filling = sum(sizes[:4])
        room[filling : filling + len(starts)] = starts
        last = room[states : 2 * states + inputs]
        if self.events is not None and isinstance(instance, FmuInstance):
            self.events.fill(number, instance)
            direct = instance.direct()
            words[_WORD["is_direct"]] = direct[0] != 0
            for name, address in zip(_DIRECT, direct, strict=True):
                words[_WORD[name]] = address
        return Slot(number, words, instance, last, room)

    def _usual_words(self, instance: Instance) -> Any:
        """What is the same for all instances: sizes, references and functions."""
        values = {
            "states": self.quantities.state_count,
            "has_others": bool(self.quantities.outputs) or self.quantities.indicator_count > 0,
            "inputs": len(self._input_references),
            "input_values": max(sum(each.count for each in self.quantities.inputs), 1),
            "input_references": address_of(self._input_references),
            "references": address_of(self._references),
            "plans": address_of(self._plans.table),
            "parameters": address_of(self._moved),
            "parameter_count": len(self._moved) - 1,
            "is_version2": isinstance(instance, FmuInstance2),
            **(self._functions(instance) if isinstance(instance, FmuInstance) else {}),
        }
        words = np.zeros(len(_WORD), np.int64)
        for name, value in values.items():
            words[_WORD[name]] = value
        return words

    def _functions(self, instance: FmuInstance) -> dict[str, int]:
        """The addresses of the functions that evaluations call."""
        three = not isinstance(instance, FmuInstance2)
        functions = {
            "set_reals": "SetFloat64" if three else "SetReal",
            "get_reals": "GetFloat64" if three else "GetReal",
        }
        if isinstance(self.interface, ModelExchange):
            functions |= {
                "set_time": "SetTime",
                "set_states": "SetContinuousStates",
                "get_derivatives": "GetContinuousStateDerivatives" if three else "GetDerivatives",
                "get_indicators": "GetEventIndicators",
            }
            if self.interface.directional_derivatives:
                functions["get_directional3" if three else "get_directional2"] = "GetDirectionalDerivative"
        return {name: instance.address(function) for name, function in functions.items()}

    def waiting(self, numbers: tuple[float, ...]) -> Slot | None:
        """The instance of this thread for these numbers whose run is at its start, if there is one."""
        found = self._thread.waiting.get(numbers)
        return found if found is not None and found.mode and not found.has_moved else None

    def wait(self, numbers: tuple[float, ...], slot: Slot) -> None:
        """A run of this thread initializes this instance; those of runs that never began are given up in time."""
        waiting = self._thread.waiting
        waiting[numbers] = slot
        if len(waiting) > _WAITING:
            oldest = waiting.pop(next(iter(waiting)))
            if oldest.mode == INITIALIZING:
                self._retire(oldest)

    def _retire(self, slot: Slot) -> None:
        """An instance that no run has come to own."""
        with self._lock:
            self._close(slot.number)

    def failure(self) -> tuple[Slot, Failed] | None:
        """An instance whose event failed, and why."""
        found = None if self.events is None else self.events.failure()
        slot = None if found is None else self._slots.get(found[0])
        return None if found is None or slot is None else (slot, found[1])

    def handle(self, number: float) -> int:
        """Of the instance in a slot; negative where there is none."""
        found = self._slots.get(int(number)) if number >= 0 else None
        return -1 if found is None else found.instance.handle

    def slot(self, number: float, epoch: float) -> Slot | None:
        """The instance in a slot, if this is its present epoch."""
        found = self._slots.get(int(number)) if number >= 0 else None
        return found if found is not None and found.mode and found.epoch == epoch else None


def _starts(quantities: Sequence[Quantity]) -> Any:
    """What states and inputs are before a run says it: their start values, as far as they are stated."""
    found: list[float] = []
    for each in quantities:
        start = each.variable.start or ()
        found += map(float, start if len(start) == each.count else (*start[:1], 0.0)[:1] * each.count)
    return np.array(found)


@cache
def _runtime() -> MachineCode:
    return MachineCode((procedure_module((*_ENTRIES, *_OF_PARAMETERS, *_OF_EVENTS), HOT_LOOPS),))


def _wrappers(tables: Mapping[str, tuple[str, int, int | None]]) -> MachineCode:
    """The evaluations with their tables, and the numbers of their plans if they have some, put in.

    void f(double t, x, u, p, y)"""
    lines: list[str] = []
    names: list[str] = []
    for name, (entry, table, plan) in tables.items():
        code = f"inttoptr (i64 {_runtime().addresses[entry]} to ptr)"
        number = "" if plan is None else f"i64 {int(plan)}, "
        given = f"ptr inttoptr (i64 {table} to ptr), {number}double %t, ptr %x, ptr %u, ptr %p, ptr %y"
        lines.append(f"define void @{name}_here(double %t, ptr %x, ptr %u, ptr %p, ptr %y) {{")
        lines.append(f"  tail call void {code}({given})")
        lines.append("  ret void\n}")
        names.append(f"{name}_here")
    return code_of_this_process(Module("\n".join(lines), _TAIL_CALLS, tuple(names)))

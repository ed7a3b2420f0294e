"""The records of events (events.py) of an FMU: functions, typed variables and room, one for each instance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.engine.native.record import Record, address_of
from tellegen.fmi.description import FLOATS, ModelExchange
from tellegen.importers.fmu.instances.instance import FmuInstance
from tellegen.importers.fmu.instances.instance2 import FmuInstance2
from tellegen.importers.fmu.native.events import FIRST, FmuEvents, Step
from tellegen.importers.fmu.native.values import BOOLEAN, FLOAT, INTEGER, TypedValue
from tellegen.importers.fmu.quantities import Quantities, Quantity
from tellegen.procedures.language import field_names

_NAMES = field_names(FmuEvents)
_WORD = {name: k for k, name in enumerate(_NAMES)}
_FORGOTTEN = [_WORD[name] for name in ("is_known", "failed", "status", "requests", "stops")]
"""Words that are zero when an instance begins."""
_INFO = 12  # integers of 32 bits: more than the structure of FMI 2.0 has
_TIME = 24  # where its time stands, in bytes
_SYMBOLS = {
    Step.EXIT_INITIALIZATION: "ExitInitializationMode",
    Step.SET_TIME: "SetTime",
    Step.SET_STATES: "SetContinuousStates",
    Step.SET_INPUTS: "Set, for inputs,",
    Step.COMPLETED_STEP: "CompletedIntegratorStep",
    Step.ENTER_EVENT_MODE: "EnterEventMode",
    Step.SET_DISCRETE: "Set, for discrete inputs,",
    Step.UPDATE: "{update}",
    Step.GET_DISCRETE: "Get, for discrete outputs,",
    Step.ENTER_CONTINUOUS: "EnterContinuousTimeMode",
    Step.GET_STATES: "GetContinuousStates",
    Step.GET_INDICATORS: "GetEventIndicators",
}


@dataclass(frozen=True)
class Failed:
    """What went wrong at an event, and what the FMU answered."""

    step: Step
    status: int
    symbol: str
    """The function of FMI, without the version."""


def result_count(quantities: Quantities) -> int:
    """How many numbers an event gives."""
    discrete = sum(each.count for each in quantities.discrete_outputs)
    return FIRST + quantities.state_count + quantities.indicator_count + discrete


class EventRecords:
    """A row for each instance of an FMU for Model Exchange."""

    def __init__(self, slots: int, contexts: Any, quantities: Quantities, interface: ModelExchange) -> None:
        self.table = np.zeros((slots, len(_NAMES)), np.int64)
        self._contexts = contexts
        self._quantities = quantities
        self._interface = interface
        self._usual: _Usual | None = None
        self._rooms: dict[int, Any] = {}

    def fill(self, number: int, instance: FmuInstance) -> None:
        """The row of a new instance."""
        if self._usual is None:
            self._usual = _Usual(instance, self._quantities, self._interface)
        room = self._rooms.get(number)
        if room is None:
            room = self._rooms[number] = np.zeros(self._usual.room)
            address = address_of(room)
            words = self.table[number]
            words[:] = self._usual.record.words
            words[_WORD["context"]] = address_of(self._contexts[number])
            for word, place in self._usual.places:
                words[word] = address + place
        self.table[number][_FORGOTTEN] = 0

    def failure(self) -> tuple[int, Failed] | None:
        """An instance whose event failed since this was last asked for, and why."""
        column = self.table[:, _WORD["failed"]]
        found = np.flatnonzero(column)
        if not len(found):
            return None
        number = int(found[0])
        step = Step(int(column[number]))
        column[number] = 0
        three = self._usual is not None and not self._usual.is_version2
        symbol = _SYMBOLS.get(step, "").format(update="UpdateDiscreteStates" if three else "NewDiscreteStates")
        return number, Failed(step, int(self.table[number, _WORD["status"]]), symbol)


class _Usual:
    """What the rows of all instances have in common: functions, sizes, and where their arrays stand in one."""

    def __init__(self, instance: FmuInstance, quantities: Quantities, interface: ModelExchange) -> None:
        self.instance = instance
        self.is_version2 = isinstance(instance, FmuInstance2)
        self.record = Record(_NAMES)
        update = ("update2", "NewDiscreteStates") if self.is_version2 else ("update3", "UpdateDiscreteStates")
        functions = {
            "exit_initialization": "ExitInitializationMode",
            "enter_event_mode": "EnterEventMode",
            "enter_continuous": "EnterContinuousTimeMode",
            "get_states": "GetContinuousStates",
            "completed_step": "CompletedIntegratorStep",
            update[0]: update[1],
        }
        self.record.set(**{name: instance.address(function) for name, function in functions.items()})
        given = (*quantities.inputs, *quantities.discrete_inputs)
        arity = 1 + quantities.state_count + sum(each.count for each in given)
        self.record.set(arity=arity, needs_completed_step=interface.needs_completed_step)
        self.record.set(indicators=quantities.indicator_count)
        self._put("inputs", "Set", quantities.discrete_inputs)
        self._put("outputs", "Get", quantities.discrete_outputs)
        typed = (*quantities.discrete_inputs, *quantities.discrete_outputs)
        sizes = {
            "info": _INFO // 2,
            "indicators_now": quantities.indicator_count,
            "states_ahead": quantities.state_count,
            "rates": quantities.state_count,
            "known": arity,
            "results": result_count(quantities),
            "room": max((each.count for each in typed), default=0),
        }
        ends = np.cumsum([max(size, 1) for size in sizes.values()]).tolist()
        starts = dict(zip(sizes, [0, *ends], strict=False))
        self.room: int = ends[-1]
        """Words of 64 bits that each row needs."""
        self.places = [(_WORD[name], 8 * start) for name, start in starts.items()]
        self.places.append((_WORD["info_time"], 8 * starts["info"] + _TIME))

    def _put(self, name: str, verb: str, quantities: Sequence[Quantity]) -> None:
        """Typed variables, and how many there are."""
        rows = [self._typed(verb, each) for each in quantities]
        self.record.set(**{name: np.array(rows or [[0]], np.int64), f"discrete_{name}": len(rows)})

    def _typed(self, verb: str, quantity: Quantity) -> Any:
        kind, signed, width, word = storage(quantity.variable.base, self.is_version2)
        record = Record(field_names(TypedValue))
        reference = np.array([quantity.variable.reference], np.uint32)
        record.set(reference=reference, kind=kind, is_signed=signed, width=width, count=quantity.count)
        record.set(exchange=self.instance.address(f"{verb}{word}"))
        self.record.kept[f"{verb} {quantity.variable.name}"] = record
        return record.words


def storage(base: str, is_version2: bool) -> tuple[int, bool, int, str]:
    """How a type is stored: kind, whether it has a sign, bits; and the word in the names of its functions."""
    if is_version2:
        words = {"Float64": "Real", "Boolean": "Boolean"}
        kinds = {"Float64": FLOAT, "Boolean": BOOLEAN}
        return kinds.get(base, INTEGER), True, 64 if base == "Float64" else 32, words.get(base, "Integer")
    if base in FLOATS:
        return FLOAT, True, int(base[-2:]), base
    if base == "Boolean":
        return BOOLEAN, False, 8, base
    if base == "Enumeration":
        return INTEGER, True, 64, "Int64"
    return INTEGER, base.startswith("Int"), int(base.removeprefix("U").removeprefix("Int")), base

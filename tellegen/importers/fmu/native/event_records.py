"""The records of events (events.py) of an FMU: functions, typed variables and room, one for each instance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.engine.native.record import Record, address_of
from tellegen.fmi.description import FLOATS, ModelExchange
from tellegen.importers.fmu.instance import FmuInstance
from tellegen.importers.fmu.instance2 import FmuInstance2
from tellegen.importers.fmu.native.events import FIRST, FmuEvents, Step
from tellegen.importers.fmu.native.values import BOOLEAN, FLOAT, INTEGER, TypedValue
from tellegen.importers.fmu.quantities import Quantities, Quantity
from tellegen.procedures.language import field_names

_NAMES = field_names(FmuEvents)
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
        self._rows: dict[int, _Row] = {}

    def fill(self, number: int, instance: FmuInstance) -> None:
        """The row of a new instance."""
        row = self._rows.get(number)
        if row is None:
            row = self._rows[number] = self._new_row(number, instance)
            self.table[number] = row.record.words
        words = self.table[number]
        for name in ("is_known", "failed", "status", "requests", "stops"):
            words[_NAMES.index(name)] = 0

    def _new_row(self, number: int, instance: FmuInstance) -> _Row:
        quantities = self._quantities
        given = (*quantities.inputs, *quantities.discrete_inputs)
        arity = 1 + quantities.state_count + sum(each.count for each in given)
        results = result_count(quantities)
        row = _Row(instance)
        record = row.record
        record.set(context=self._contexts[number], arity=arity)
        record.set(indicators=quantities.indicator_count, needs_completed_step=self._interface.needs_completed_step)
        states = np.zeros(max(quantities.state_count, 1))
        record.set(
            indicators_now=np.zeros(max(quantities.indicator_count, 1)), states_ahead=states, rates=states.copy()
        )
        record.set(known=np.full(arity, np.nan), results=np.full(results, np.nan))
        row.put("inputs", "Set", quantities.discrete_inputs)
        row.put("outputs", "Get", quantities.discrete_outputs)
        return row

    def results(self, number: int) -> Any:
        """What the last event of an instance gave."""
        return self._rows[number].record.kept["results"]

    def failure(self) -> tuple[int, Failed] | None:
        """An instance whose event failed since this was last asked for, and why."""
        column = self.table[:, _NAMES.index("failed")]
        found = np.flatnonzero(column)
        if not len(found):
            return None
        number = int(found[0])
        step = Step(int(column[number]))
        column[number] = 0
        three = not self._rows[number].is_version2 if number in self._rows else False
        symbol = _SYMBOLS.get(step, "").format(update="UpdateDiscreteStates" if three else "NewDiscreteStates")
        return number, Failed(step, int(self.table[number, _NAMES.index("status")]), symbol)


class _Row:
    """The record of one slot; all instances of an FMU have the same functions."""

    def __init__(self, instance: FmuInstance) -> None:
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
        info = np.zeros(_INFO, np.int32)
        self.record.set(info=info, info_time=address_of(info) + _TIME)
        self.record.set(room=np.zeros(1, np.int64))

    def put(self, name: str, verb: str, quantities: Sequence[Quantity]) -> None:
        """Typed variables, and how many there are."""
        rows = [self._typed(verb, each) for each in quantities]
        self.record.set(**{name: np.array(rows or [[0]], np.int64), f"discrete_{name}": len(rows)})
        if rows and len(self.record.kept["room"]) < (most := max(each.count for each in quantities)):
            self.record.set(room=np.zeros(most, np.int64))

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

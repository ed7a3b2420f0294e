"""Instances of FMI 3.0."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from tellegen.fmi.description import CoSimulation, Value, Variable
from tellegen.importers.fmu.instances.instance import DISCARD, FmuInstance, Stepped, Update, references

_LOGGER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
_TYPES: dict[str, Any] = {
    "Float64": ctypes.c_double,
    "Float32": ctypes.c_float,
    "Int8": ctypes.c_int8,
    "UInt8": ctypes.c_uint8,
    "Int16": ctypes.c_int16,
    "UInt16": ctypes.c_uint16,
    "Int32": ctypes.c_int32,
    "UInt32": ctypes.c_uint32,
    "Int64": ctypes.c_int64,
    "UInt64": ctypes.c_uint64,
    "Boolean": ctypes.c_bool,
    "Enumeration": ctypes.c_int64,
}


class FmuInstance3(FmuInstance):
    """See the top of this file."""

    prefix = "fmi3"
    state_word = "FMUState"

    def _instantiate(self) -> int:
        self._logger = _LOGGER(lambda _environment, _status, _category, message: self.log(message))
        stepped = isinstance(self.interface, CoSimulation)
        function = self.function("InstantiateCoSimulation" if stepped else "InstantiateModelExchange")
        function.restype = ctypes.c_void_p
        no = ctypes.c_bool(False)
        nothing = ctypes.c_void_p()
        special = (no, no, nothing, ctypes.c_size_t(0)) if stepped else ()
        last = (nothing,) if stepped else ()
        return (
            function(
                self.interface.identifier.encode(),
                self.description.token.encode(),
                f"{self.file.resources}/".encode(),
                no,
                no,
                *special,
                nothing,
                self._logger,
                *last,
            )
            or 0
        )

    def enter_initialization(self, start: float, tolerance: float | None) -> None:
        """Begin of initialization mode."""
        defined = ctypes.c_bool(tolerance is not None)
        wanted = ctypes.c_double(tolerance or 0.0)
        begin = ctypes.c_double(start)
        self.call("EnterInitializationMode", defined, wanted, begin, ctypes.c_bool(False), ctypes.c_double(0.0))

    def configure(self, structure: Sequence[tuple[Variable, int]]) -> None:
        """Structural parameters, before initialization."""
        self.call("EnterConfigurationMode")
        for variable, value in structure:
            self.set_values(variable, [value])
        self.call("ExitConfigurationMode")

    def element_dependencies(self, reference: int) -> list[tuple[int, int, int]]:
        """What the elements of a variable depend on (evaluations.py: ElementDependencies); after initialization."""
        count = ctypes.c_size_t()
        self.call("GetNumberOfVariableDependencies", ctypes.c_uint32(reference), ctypes.byref(count))
        size = count.value
        elements, others = ((ctypes.c_size_t * size)() for _ in range(2))
        references_of_others = (ctypes.c_uint32 * size)()
        kinds = (ctypes.c_int * size)()
        found = (elements, references_of_others, others, kinds, ctypes.c_size_t(size))
        self.call("GetVariableDependencies", ctypes.c_uint32(reference), *found)
        return list(zip(elements, references_of_others, others, strict=True))

    def enter_event_mode(self) -> None:
        """From continuous-time mode to event mode."""
        self.call("EnterEventMode")

    def update_discrete_states(self) -> Update:
        """One iteration of an event."""
        again, terminate, nominals, states, defined = (ctypes.c_bool() for _ in range(5))
        following = ctypes.c_double()
        flags = (ctypes.byref(flag) for flag in (again, terminate, nominals, states, defined))
        self.call("UpdateDiscreteStates", *flags, ctypes.byref(following))
        instant = following.value if defined.value else float("inf")
        return Update(again.value, terminate.value, states.value, instant)

    def completed_step(self) -> bool:
        """An integrator step was accepted; whether an event follows."""
        event = ctypes.c_bool()
        terminate = ctypes.c_bool()
        self.call("CompletedIntegratorStep", ctypes.c_bool(True), ctypes.byref(event), ctypes.byref(terminate))
        return event.value

    def do_step(self, t: float, step: float) -> Stepped:
        """From one communication point to the next."""
        event, terminate, early = (ctypes.c_bool() for _ in range(3))
        reached = ctypes.c_double(t)
        results = (ctypes.byref(each) for each in (event, terminate, early, reached))
        given = (ctypes.c_double(t), ctypes.c_double(step), ctypes.c_bool(True))
        status = self.function("DoStep")(ctypes.c_void_p(self.handle), *given, *results)
        if status >= DISCARD:
            raise self.failed("DoStep", status)
        return Stepped(reached.value if early.value else t + step, terminate.value, event.value)

    def set_values(self, variable: Variable, values: Sequence[Value]) -> None:
        """Of one variable, all its elements."""
        count = len(values)
        if variable.base == "String":
            texts = (ctypes.c_char_p * count)(*(str(value).encode() for value in values))
            self.call("SetString", references(variable), ctypes.c_size_t(1), texts, ctypes.c_size_t(count))
            return
        kind = _TYPES[variable.base]
        numbers = [float(value) if "Float" in variable.base else round(float(value)) for value in values]
        given = (kind * count)(*numbers)
        self.call(f"Set{_stem(variable)}", references(variable), ctypes.c_size_t(1), given, ctypes.c_size_t(count))

    def get_values(self, variable: Variable, count: int) -> list[float]:
        """Of one numeric variable, all its elements."""
        found = (_TYPES[variable.base] * count)()
        self.call(f"Get{_stem(variable)}", references(variable), ctypes.c_size_t(1), found, ctypes.c_size_t(count))
        return [float(value) for value in found]


def _stem(variable: Variable) -> str:
    return "Int64" if variable.base == "Enumeration" else variable.base

"""Instances of FMI 2.0."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from typing import Any

from tellegen.fmi.description import CoSimulation, Value, Variable
from tellegen.importers.fmu.instances.instance import DISCARD, FmuInstance, Stepped, Update, references
from tellegen.importers.fmu.log_messages import LOGGER, logger

_LAST_SUCCESSFUL_TIME = 2  # of fmi2StatusKind
_GETTERS = {"Float64": "Real", "Int32": "Integer", "Enumeration": "Integer", "Boolean": "Boolean", "String": "String"}
_TYPES: dict[str, Any] = {"Real": ctypes.c_double, "Integer": ctypes.c_int, "Boolean": ctypes.c_int}


class _Callbacks(ctypes.Structure):
    _fields_ = (
        ("logger", LOGGER),
        ("allocate", ctypes.c_void_p),
        ("free", ctypes.c_void_p),
        ("step_finished", ctypes.c_void_p),
        ("environment", ctypes.c_void_p),
    )


class _EventInfo(ctypes.Structure):
    _fields_ = (
        ("again", ctypes.c_int),
        ("terminate", ctypes.c_int),
        ("nominals_changed", ctypes.c_int),
        ("states_changed", ctypes.c_int),
        ("next_defined", ctypes.c_int),
        ("next", ctypes.c_double),
    )


class FmuInstance2(FmuInstance):
    """See the top of this file."""

    prefix = "fmi2"
    state_word = "FMUstate"

    def _instantiate(self) -> int:
        self._logger = logger(self.log)
        c = ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)
        calloc = ctypes.cast(c.calloc, ctypes.c_void_p)
        free = ctypes.cast(c.free, ctypes.c_void_p)
        self._callbacks = _Callbacks(self._logger, calloc, free, None, None)
        function = self.function("Instantiate")
        function.restype = ctypes.c_void_p
        kind = 1 if isinstance(self.interface, CoSimulation) else 0
        return (
            function(
                self.interface.identifier.encode(),
                ctypes.c_int(kind),
                self.description.token.encode(),
                self.file.resources.as_uri().encode(),
                ctypes.byref(self._callbacks),
                ctypes.c_int(0),
                ctypes.c_int(0),
            )
            or 0
        )

    def enter_initialization(self, start: float, tolerance: float | None) -> None:
        """Begin of initialization mode."""
        defined = ctypes.c_int(tolerance is not None)
        wanted = ctypes.c_double(tolerance or 0.0)
        self.call("SetupExperiment", defined, wanted, ctypes.c_double(start), ctypes.c_int(0), ctypes.c_double(0.0))
        self.call("EnterInitializationMode")

    def enter_event_mode(self) -> None:
        """From continuous-time mode to event mode."""
        self.call("EnterEventMode")

    def update_discrete_states(self) -> Update:
        """One iteration of an event."""
        info = _EventInfo()
        self.call("NewDiscreteStates", ctypes.byref(info))
        following = info.next if info.next_defined else float("inf")
        return Update(bool(info.again), bool(info.terminate), bool(info.states_changed), following)

    def completed_step(self) -> bool:
        """An integrator step was accepted; whether an event follows."""
        event = ctypes.c_int()
        terminate = ctypes.c_int()
        self.call("CompletedIntegratorStep", ctypes.c_int(1), ctypes.byref(event), ctypes.byref(terminate))
        return bool(event.value)

    def do_step(self, t: float, step: float) -> Stepped:
        """From one communication point to the next."""
        function = self.function("DoStep")
        status = function(ctypes.c_void_p(self.handle), ctypes.c_double(t), ctypes.c_double(step), ctypes.c_int(1))
        if status == DISCARD:
            reached = ctypes.c_double(t)
            kind = ctypes.c_int(_LAST_SUCCESSFUL_TIME)
            self.call("GetRealStatus", kind, ctypes.byref(reached))
            return Stepped(reached.value, terminate=True)
        if status > DISCARD:
            raise self.failed("DoStep", status)
        return Stepped(t + step)

    def set_values(self, variable: Variable, values: Sequence[Value]) -> None:
        """Of one variable."""
        name = _GETTERS[variable.base]
        one = ctypes.c_size_t(1)
        if name == "String":
            text = (ctypes.c_char_p * 1)(str(values[0]).encode())
            self.call("SetString", references(variable), one, text)
            return
        number = float(values[0]) if name == "Real" else round(float(values[0]))
        self.call(f"Set{name}", references(variable), one, (_TYPES[name] * 1)(number))

    def get_values(self, variable: Variable, count: int) -> list[float]:
        """Of one numeric variable."""
        name = _GETTERS[variable.base]
        found = (_TYPES[name] * count)()  # one: there are no arrays
        self.call(f"Get{name}", references(variable), ctypes.c_size_t(1), found)
        return [float(value) for value in found]

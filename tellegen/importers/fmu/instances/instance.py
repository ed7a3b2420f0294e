"""An instance of an FMU in this process, whichever version of FMI it is of: its life from start to end."""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from tellegen.errors import FmuError
from tellegen.fmi.description import CoSimulation, ModelDescription, ModelExchange, Value, Variable
from tellegen.importers.fmu.archive_files import FmuFile

STATUSES = ("ok", "warning", "discard", "error", "fatal", "pending")
WARNING = 1
DISCARD = 2
_ADDRESSES: WeakKeyDictionary[ctypes.CDLL, dict[str, int]] = WeakKeyDictionary()
"""Of functions, by library and name: all instances ask for the same ones."""
_LATE = 1e-9  # part of a communication step by which an instant may be missed
_MESSAGES = 20  # of its log that are kept for error messages


@dataclass(frozen=True)
class Update:
    """What an FMU says after an update of its discrete states."""

    again: bool
    terminate: bool
    states_changed: bool
    next_event: float


@dataclass(frozen=True)
class Stepped:
    """How far a step of Co-Simulation got."""

    time: float
    terminate: bool = False
    event: bool = False


class Instance(Protocol):
    """What a component calls of Co-Simulation, wherever the instance is."""

    handle: int

    def enter_initialization(self, start: float, tolerance: float | None) -> None:
        """Begin of initialization mode."""
        ...

    def exit_initialization(self) -> None:
        """End of initialization mode."""
        ...

    def advance(self, begin: float, end: float) -> bool:
        """Steps to a time; whether the FMU asks to end the run."""
        ...

    def set_values(self, variable: Variable, values: Sequence[Value]) -> None:
        """Of one variable, all its elements."""
        ...

    def get_values(self, variable: Variable, count: int) -> list[float]:
        """Of one numeric variable, all its elements."""
        ...

    def free(self) -> None:
        """Give it back; it cannot be used any more."""
        ...


class Stepping(ABC):
    """Steps of Co-Simulation; an FMU that returns early is asked to continue."""

    @abstractmethod
    def do_step(self, t: float, step: float) -> Stepped:
        """From one communication point to the next."""

    @abstractmethod
    def failed(self, name: str, status: int) -> FmuError:
        """A call that failed, as an error."""

    def advance(self, begin: float, end: float) -> bool:
        """Steps to a time; whether the FMU asks to end the run."""
        t = begin
        while end - t > _LATE * (end - begin):
            stepped = self.do_step(t, end - t)
            if stepped.terminate:
                return True
            if stepped.time <= t:
                raise self.failed("DoStep", DISCARD)
            t = stepped.time
        return False


class FmuInstance(Stepping):
    """One instance; every call that fails is an error with the last messages of the FMU's log."""

    def __init__(self, file: FmuFile, library: ctypes.CDLL, interface: ModelExchange | CoSimulation) -> None:
        self.file = file
        self.library = library
        self.interface = interface
        self.messages: deque[str] = deque(maxlen=_MESSAGES)
        self._saved = ctypes.c_void_p()
        self.handle: int = self._instantiate()
        if not self.handle:
            raise self.failed("instantiate", 3)

    @property
    def description(self) -> ModelDescription:
        """What it says about itself."""
        return self.file.description

    def function(self, name: str) -> Any:
        """A function of the library by its name without the version."""
        symbol = f"{self.prefix}{name}"
        try:
            found = getattr(self.library, symbol)
        except AttributeError:
            raise FmuError(
                "E523",
                f"the library of {self.file.path.name} has no function {symbol}",
                location=self.file.location,
                advice="the FMU is not complete; ask the program that made it for another",
            ) from None
        found.restype = ctypes.c_int
        return found

    def address(self, name: str) -> int:
        """Where a function of the library begins."""
        known = _ADDRESSES.setdefault(self.library, {})
        if name not in known:
            known[name] = ctypes.cast(self.function(name), ctypes.c_void_p).value or 0
        return known[name]

    def direct(self) -> tuple[int, int, int]:
        """How FMUs of Tellegen are evaluated besides by FMI (exporters/fmu/c/model.h: Direct); zeros in all others."""
        found = (ctypes.c_void_p * 3)()
        offer = getattr(self.library, "tellegen_direct", None) if isinstance(self.library, ctypes.CDLL) else None
        if offer is None or not offer(ctypes.c_void_p(self.handle), found):
            return (0, 0, 0)
        record, rates_at, roots_at = (each or 0 for each in found)
        return record, rates_at, roots_at

    def call(self, name: str, *arguments: Any) -> int:
        """Call a function with this instance before other arguments; its status if results may be used."""
        status = self.function(name)(ctypes.c_void_p(self.handle), *arguments)
        if status > WARNING:
            raise self.failed(name, status)
        return status

    def failed(self, name: str, status: int) -> FmuError:
        """A call that failed, as an error."""
        word = STATUSES[status] if 0 <= status < len(STATUSES) else str(status)
        said = list(self.messages)
        return FmuError(
            "E524",
            f"{self.prefix}{name} of {self.file.path.name} returned '{word}'",
            location=self.file.location,
            details=tuple(f"the FMU says: {line}" for line in said[-3:]),
            advice="check the values of its parameters and inputs" if said else "the FMU gives no reason",
        )

    def log(self, text: bytes | None) -> None:
        """A message of the FMU."""
        if text:
            self.messages.append(text.decode("utf-8", "replace").strip())

    # -- what the versions have in common ------------------------------------------------------------------------
    prefix = ""
    state_word = ""

    def exit_initialization(self) -> None:
        """End of initialization mode."""
        self.call("ExitInitializationMode")

    def enter_continuous_time(self) -> None:
        """From event mode to continuous-time mode."""
        self.call("EnterContinuousTimeMode")

    def set_time(self, t: float) -> None:
        """Of Model Exchange."""
        self.call("SetTime", ctypes.c_double(t))

    def set_states(self, states: np.ndarray) -> None:
        """Of Model Exchange."""
        self.call("SetContinuousStates", _pointer(states), ctypes.c_size_t(len(states)))

    def get_states(self, count: int) -> np.ndarray:
        """Of Model Exchange."""
        states = np.zeros(count)
        self.call("GetContinuousStates", _pointer(states), ctypes.c_size_t(count))
        return states

    def get_indicators(self, count: int) -> np.ndarray:
        """Of Model Exchange."""
        found = np.zeros(count)
        if count:
            self.call("GetEventIndicators", _pointer(found), ctypes.c_size_t(count))
        return found

    def save_state(self) -> Any:
        """Its state; there is one such memory, which the next state replaces."""
        self.call(f"Get{self.state_word}", ctypes.byref(self._saved))
        return self._saved

    def restore_state(self, state: Any) -> None:
        """Back to a state."""
        self.call(f"Set{self.state_word}", state)

    def free(self) -> None:
        """Give it back; it cannot be used any more."""
        if self.handle:
            if self._saved:
                self.call(f"Free{self.state_word}", ctypes.byref(self._saved))
            function = self.function("FreeInstance")
            function.restype = None
            function(ctypes.c_void_p(self.handle))
            self.handle = 0

    # -- what differs --------------------------------------------------------------------------------------------
    @abstractmethod
    def _instantiate(self) -> int: ...

    @abstractmethod
    def enter_initialization(self, start: float, tolerance: float | None) -> None:
        """Begin of initialization mode."""

    @abstractmethod
    def enter_event_mode(self) -> None:
        """From continuous-time mode or step mode to event mode."""

    @abstractmethod
    def update_discrete_states(self) -> Update:
        """One iteration of an event."""

    @abstractmethod
    def completed_step(self) -> bool:
        """An integrator step was accepted; whether an event follows."""

    @abstractmethod
    def set_values(self, variable: Variable, values: Sequence[Value]) -> None:
        """Of one variable, all its elements."""

    @abstractmethod
    def get_values(self, variable: Variable, count: int) -> list[float]:
        """Of one numeric variable, all its elements."""


def _pointer(array: np.ndarray) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def references(variable: Variable) -> Any:
    """The value reference of one variable as an array of C."""
    return (ctypes.c_uint32 * 1)(variable.reference)

"""FMUs for Model Exchange in processes of their own, one for each instance.

Native code calls the functions of an FMU by address. Here these are callbacks: each copies its arguments to the process
of the instance and the results back, as function_arguments.py says. That takes tens of microseconds a call.
"""

from __future__ import annotations

import ctypes
import itertools
import signal
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from tellegen.errors import FmuError
from tellegen.fmi.description import ModelExchange
from tellegen.importers.fmu.archive_files import FmuFile, load_library
from tellegen.importers.fmu.instances.instance import WARNING, FmuInstance
from tellegen.importers.fmu.instances.instance2 import FmuInstance2
from tellegen.importers.fmu.instances.instance3 import FmuInstance3
from tellegen.importers.fmu.isolation.co_simulation import crashed
from tellegen.importers.fmu.isolation.function_arguments import Arguments, arguments_of
from tellegen.importers.fmu.isolation.other_process import OtherProcess

_FATAL = 4


def serve_functions(file: FmuFile, interface: ModelExchange, pipe: Connection) -> None:
    """What the other process does: make an instance, and call functions of the library with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C belongs to the process that runs the model
    kind = FmuInstance2 if file.description.version == "2.0" else FmuInstance3
    try:
        instance = kind(file, load_library(file, interface), interface)
    except FmuError as error:
        pipe.send((error.code, error.message, error.details, error.advice))
        return
    pipe.send(None)
    while True:
        try:
            name, given = pipe.recv()
        except EOFError:
            return
        pipe.send(_called(instance, name, given))


def _called(instance: FmuInstance, name: str, given: tuple[Any, ...]) -> tuple[int, list[bytes], list[str]]:
    """The status of a call, its results, and what the FMU says where it fails."""
    arguments = arguments_of(instance.prefix, name)
    values, results = arguments.rebuilt(given)
    try:
        status = int(instance.function(name)(ctypes.c_void_p(instance.handle), *values))
    except FmuError as error:
        return _FATAL, [bytes(result) for result in results], [error.message]
    said = list(instance.messages) if status > WARNING else []
    return status, [bytes(result) for result in results], said


class IsolatedLibrary:
    """The functions of an FMU, whose first argument says in which process they are called."""

    def __init__(self, file: FmuFile, interface: ModelExchange) -> None:
        self.file = file
        self.interface = interface
        self.messages: dict[int, list[str]] = {}
        self.crash: FmuError | None = None
        """The last one."""
        self._numbers = itertools.count(1)
        self._processes: dict[int, OtherProcess] = {}
        self._crashes: dict[int, FmuError] = {}

    def __getattr__(self, symbol: str) -> Any:
        """A function of the library by its symbol; the same object every time."""
        if not symbol.startswith("fmi"):
            raise AttributeError(symbol)
        prefix, name = symbol[:4], symbol[4:]
        if name.startswith("Instantiate"):
            made: Any = ctypes.CFUNCTYPE(ctypes.c_void_p)(self._instantiate)
        elif name == "FreeInstance":
            made = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._free)
        else:
            arguments = arguments_of(prefix, name)
            made = arguments.function_type()(partial(self._call, name, arguments))
        self.__dict__[symbol] = made
        return made

    def _instantiate(self) -> int:
        process = OtherProcess(serve_functions, self.file, self.interface)
        number = next(self._numbers)
        self._processes[number] = process
        try:
            problem = process.pipe.recv()
        except (EOFError, OSError):
            self._note_crash(number, "Instantiate")
            return 0
        if problem is not None:
            code, message, details, advice = problem
            self.crash = FmuError(code, message, location=self.file.location, details=details, advice=advice)
            self._free(number)
            return 0
        return number

    def _call(self, name: str, arguments: Arguments, number: int, *given: Any) -> int:
        """The status of a call in another process; fatal where there is none any more."""
        if number in self._crashes or number not in self._processes:
            return _FATAL
        pipe = self._processes[number].pipe
        copied, places = arguments.copied(given)
        try:
            pipe.send((name, copied))
            status, results, said = pipe.recv()
        except (EOFError, OSError):
            self._note_crash(number, name)
            return _FATAL
        for place, result in zip(places, results, strict=True):
            ctypes.memmove(place, result, len(result))
        if said:
            self.messages[number] = said
        return status

    def _note_crash(self, number: int, name: str) -> None:
        code = self._processes[number].exit_code()
        self.crash = self._crashes[number] = crashed(self.file, name, code)

    def crash_of(self, number: int) -> FmuError | None:
        """How the process of an instance has ended, if it has; of number 0, of the last that could not be made."""
        return self.crash if not number else self._crashes.get(number)

    def _free(self, number: int) -> None:
        """End the process of an instance."""
        process = self._processes.pop(number, None)
        if process is not None:
            process.end()


class IsolatedExchange2(FmuInstance2):
    """An instance of FMI 2.0 in a process of its own."""

    library: Any

    def failed(self, name: str, status: int) -> FmuError:
        """See FmuInstance; a crash is reported as that."""
        self.messages.extend(self.library.messages.pop(getattr(self, "handle", 0), ()))
        return self.library.crash_of(getattr(self, "handle", 0)) or super().failed(name, status)


class IsolatedExchange3(FmuInstance3):
    """An instance of FMI 3.0 in a process of its own."""

    library: Any

    def failed(self, name: str, status: int) -> FmuError:
        """See FmuInstance; a crash is reported as that."""
        self.messages.extend(self.library.messages.pop(getattr(self, "handle", 0), ()))
        return self.library.crash_of(getattr(self, "handle", 0)) or super().failed(name, status)

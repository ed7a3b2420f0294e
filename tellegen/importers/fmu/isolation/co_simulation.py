"""An instance of an FMU in a process of its own: a crash of its code is an error of the run, and ends only that."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import Any

from tellegen.errors import FmuError
from tellegen.fmi.description import CoSimulation, Value, Variable
from tellegen.importers.fmu.archive_files import FmuFile, load_library
from tellegen.importers.fmu.instances.instance import FmuInstance, Stepped, Stepping
from tellegen.importers.fmu.instances.instance2 import FmuInstance2
from tellegen.importers.fmu.instances.instance3 import FmuInstance3
from tellegen.importers.fmu.isolation.other_process import OtherProcess


def serve(file: FmuFile, interface: CoSimulation, pipe: Connection) -> None:
    """What the other process does: make an instance, and call it as asked."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C belongs to the process that runs the model
    kind = FmuInstance2 if file.description.version == "2.0" else FmuInstance3
    instance: FmuInstance | None = None
    while True:
        try:
            name, arguments = pipe.recv()
        except EOFError:
            return
        try:
            if name == "instantiate":
                instance = kind(file, load_library(file, interface), interface)
                result: Any = None
            else:
                result = getattr(instance, name)(*arguments)
        except FmuError as error:
            pipe.send((False, (error.code, error.message, error.details, error.advice)))
        else:
            pipe.send((True, result))


def crashed(file: FmuFile, name: str, code: int) -> FmuError:
    """The end of the process of an instance, as an error."""
    how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    return FmuError(
        "E526",
        f"the code of {file.path.name} crashed in {name} ({how})",
        location=file.location,
        advice="only its own process ended; check its parameters and inputs, or ask who made it",
    )


class IsolatedInstance(Stepping):
    """Calls an instance for Co-Simulation in another process."""

    handle = 1

    def __init__(self, file: FmuFile, interface: CoSimulation) -> None:
        self.file = file
        self.interface = interface
        self._end: FmuError | None = None
        self._process = OtherProcess(serve, file, interface)
        self._pipe = self._process.pipe
        self._ask("instantiate")

    def _ask(self, name: str, *arguments: Any) -> Any:
        if self._end is not None:
            raise self._end
        try:
            self._pipe.send((name, arguments))
            succeeded, result = self._pipe.recv()
        except (EOFError, OSError):
            self._end = crashed(self.file, name, self._process.exit_code())
            raise self._end from None
        if succeeded:
            return result
        code, message, details, advice = result
        raise FmuError(code, message, location=self.file.location, details=details, advice=advice)

    def enter_initialization(self, start: float, tolerance: float | None) -> None:
        """Begin of initialization mode."""
        self._ask("enter_initialization", start, tolerance)

    def exit_initialization(self) -> None:
        """End of initialization mode."""
        self._ask("exit_initialization")

    def do_step(self, t: float, step: float) -> Stepped:
        """From one communication point to the next."""
        return self._ask("do_step", t, step)

    def set_values(self, variable: Variable, values: Sequence[Value]) -> None:
        """Of one variable, all its elements."""
        self._ask("set_values", variable, [float(value) if not isinstance(value, str) else value for value in values])

    def get_values(self, variable: Variable, count: int) -> list[float]:
        """Of one numeric variable, all its elements."""
        return self._ask("get_values", variable, count)

    def failed(self, name: str, status: int) -> FmuError:
        """A call that failed, as an error."""
        what = f"{name} of {self.file.path.name} failed with status {status}"
        return FmuError("E524", what, location=self.file.location, advice="check the values of its inputs")

    def free(self) -> None:
        """End the other process."""
        self._process.end()

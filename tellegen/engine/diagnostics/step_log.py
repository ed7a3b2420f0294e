"""The log of the steps of a run that is explained: when, how long, and what limited them.

One log goes through all of a run, whichever solvers take part: each begins a part of its own. Native code writes the
entries (runtime/algebra/step_log.py).
"""

from __future__ import annotations

import ctypes
import weakref
from contextlib import ExitStack

import numpy as np

from tellegen.engine.native.record import Record
from tellegen.engine.native.sundials import sundials
from tellegen.engine.runtime.algebra import step_log
from tellegen.engine.runtime.runtimes import step_log_runtime
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import Int32Array, ReducedModel
from tellegen.procedures.language import field_names
from tellegen.start.records import dataclass

_NATIVE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_QUESTIONS = {
    "get_steps": "GetNumSteps",
    "get_failures": "GetNumErrTestFails",
    "get_last_step": "GetLastStep",
    "get_time": "GetCurrentTime",
    "get_errors": "GetEstLocalErrors",
    "get_weights": "GetErrWeights",
}


@dataclass(frozen=True, eq=False)
class LogPart:
    """The steps of one solver: from entry number `first` on. Component k of its errors is unknown `unknowns[k]`."""

    solver: str
    first: int
    model: ReducedModel
    unknowns: IntArray | Int32Array


class StepLog:
    """Room for so many steps; those after are counted only."""

    def __init__(self, room: int) -> None:
        self.parts: list[LogPart] = []
        self._start = np.zeros(room)
        self._size = np.zeros(room)
        self._limit = np.zeros(room, np.int64)
        self._failures = np.zeros(room, np.int64)
        self._record = Record(field_names(step_log.StepLog))
        self._record.set(room=room, start=self._start, size=self._size, limit=self._limit, failures=self._failures)

    @property
    def address(self) -> int:
        """For native code."""
        return self._record.address

    def begin(self, solver: str, model: ReducedModel, unknowns: IntArray | Int32Array) -> int:
        """A solver begins to work; the address of the log for it."""
        self.parts.append(LogPart(solver, self.count, model, unknowns))
        return self.address

    @property
    def count(self) -> int:
        """How many steps were made."""
        return self._record.get("count")

    @property
    def kept(self) -> int:
        """How many of them have an entry."""
        return min(self.count, len(self._start))

    @property
    def start(self) -> FloatArray:
        """The times at which the steps begin."""
        return self._start[: self.kept]

    @property
    def size(self) -> FloatArray:
        """How long the steps are."""
        return self._size[: self.kept]

    @property
    def limit(self) -> IntArray:
        """A Limit, or from 0 on the component of the error."""
        return self._limit[: self.kept]

    @property
    def failures(self) -> IntArray:
        """How many steps failed the error test before each."""
        return self._failures[: self.kept]


class SundialsStepLog:
    """Writes the steps of CVODE or IDA (the prefix of their functions' names) with this memory into a log."""

    def __init__(self, log: int, prefix: str, memory: int, size: int) -> None:
        library = sundials()
        stack = ExitStack()
        self._release = weakref.finalize(self, stack.close)
        context = stack.enter_context(library.context())
        self._record = Record(field_names(step_log.SundialsLog))
        for name in ("error", "weight"):
            values = np.zeros(size)
            vector = library.N_VMake_Serial(size, values.ctypes.data, context)
            stack.callback(library.N_VDestroy, vector)
            self._record.set(**{f"{name}s": vector, f"{name}_values": values})
        self._record.set(
            log=log,
            solver=memory,
            size=size,
            counts=np.zeros(2, np.int64),
            lengths=np.zeros(2),
            **{field: library.address[prefix + name] for field, name in _QUESTIONS.items()},
        )
        self._log_last_step = _NATIVE(step_log_runtime().addresses["log_last_step"])

    @property
    def address(self) -> int:
        """For native code."""
        return self._record.address

    def aim(self, end: float, longest: float) -> None:
        """No step goes beyond a time, and none is longer than so much."""
        self._record.put(end=end, longest=longest)

    def finish(self) -> None:
        """The last step before the solver restarts or ends, which sets its counters back."""
        self._log_last_step(self.address)
        self._record.set(steps=0, failed_tests=0)

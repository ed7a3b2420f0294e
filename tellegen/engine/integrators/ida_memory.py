"""What IDA allocates for a model with one choice of states: vectors, memory, linear solver, the record of its loop.

Set up once for a run (or whenever other states are chosen); events only restart it.
"""

from __future__ import annotations

import ctypes
from contextlib import ExitStack
from typing import Any

import numpy as np

from tellegen.engine.diagnostics.switched_relations import State
from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.integrators.watched_choice import StepByStep, WatchedChoice, addresses_after_steps
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import choose_pivots
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.record import Record
from tellegen.engine.native.sundials import sundials
from tellegen.engine.request.run_options import Options
from tellegen.engine.runtime.runtimes import event_runtime, ida_runtime
from tellegen.engine.runtime.sundials.ida_callbacks import IdaRun
from tellegen.engine.runtime.sundials.watched_run import WatchedIda
from tellegen.errors import InternalError
from tellegen.ir.model import FloatArray
from tellegen.procedures.language import field_names

_COUNTERS = {
    "steps": "IDAGetNumSteps",
    "error_test_failures": "IDAGetNumErrTestFails",
    "newton_iterations": "IDAGetNumNonlinSolvIters",
    "newton_failures": "IDAGetNumNonlinSolvConvFails",
    "factorizations": "IDAGetNumLinSolvSetups",
}
_MANY_FAILURES = 100  # the smallest step is how a jump is noticed, not the number of failures


class IdaMemory:
    """IDA at a point, ready for the first step. Works in place on the arrays y and y' of that point."""

    def __init__(self, model: NativeModel, at: State, options: Options) -> None:
        library = sundials()
        code = ida_runtime().addresses
        n = len(at.y)
        self.model = model
        span = options.stop - options.start
        self.lu = self._factors(at, span)
        self._stack = stack = ExitStack()
        context = self.context = stack.enter_context(library.context())
        y = self.new_vector(at.y)
        yp = self.new_vector(at.yp)
        self.vectors = y, yp
        memory = self.address = library.IDACreate(context)
        holder = ctypes.c_void_p(memory)
        stack.callback(library.IDAFree, ctypes.byref(holder))
        matrix = library.SUNSparseMatrix(n, n, model.program.pattern.count, 0, context)
        stack.callback(library.SUNMatDestroy, matrix)
        solver = self.lu.as_solver(context)
        stack.callback(library.SUNLinSolFreeEmpty, solver)
        self.record = model.record(at.p)
        self.call("IDAInit", code["ida_residual"], at.t, y, yp)
        self.call("IDASetUserData", self.record.address)
        self.call("IDAWFtolerances", code["ida_weights"])
        self.call("IDASetLinearSolver", solver, matrix)
        self.call("IDASetJacFn", code["ida_jacobian"])
        self.call("IDASetMaxErrTestFails", _MANY_FAILURES)
        self.reached = np.zeros(1)  # the time that the loop came to
        self.run = Record(field_names(IdaRun))
        self.run.set(solver=memory, y=y, yp=yp, size=n, values=at.y, solve=library.address["IDASolve"])
        self.run.set(reached=self.reached)

    def _factors(self, at: State, span: float) -> SparseLU:
        """The linear solver, with the pivots of an earlier run or those that suit a first step."""
        pattern = self.model.program.pattern
        pivots = self.model.caches.pivots.get("integration")
        if pivots is None:
            pivots = choose_pivots(pattern, self.model.jacobian(at.t, at.y, at.yp, at.p, by_rate=1e4 / span))
        return SparseLU(pattern, pivots)

    def new_vector(self, values: FloatArray) -> Any:
        """A vector of SUNDIALS' on an array, which has to outlive it."""
        vector = sundials().N_VMake_Serial(len(values), values.ctypes.data, self.context)
        self._stack.callback(sundials().N_VDestroy, vector)
        return vector

    def call(self, name: str, *arguments: Any) -> None:
        """A function of IDA's that is expected to agree."""
        flag = getattr(sundials(), name)(self.address, *arguments)
        if flag != 0:
            raise InternalError("E915", f"IDA rejected {name} with flag {flag}")

    def watch_roots(self, events: int, count: int) -> None:
        """Let IDA locate the root functions of a record of events."""
        self.record.set(events=events, event_roots=event_runtime().addresses["event_roots"])
        self.call("IDARootInit", count, ida_runtime().addresses["ida_roots"])
        self.call("IDASetNoInactiveRootWarn")

    def read_past(self, events: int) -> None:
        """Let the residual read delayed signals from the notes of a record of events."""
        self.record.set(events=events, event_fill=event_runtime().addresses["event_fill"])

    def control_errors_of(self, some: Any) -> None:
        """Leave all other unknowns out of the error test."""
        self._kept = np.array(some, float)
        self.call("IDASetId", self.new_vector(self._kept))
        self.call("IDASetSuppressAlg", 1)

    def step_by_step(
        self, choice: WatchedChoice | None, machine: EventHandler | None, rates: FloatArray, longest: float
    ) -> StepByStep | None:
        """The loop over single steps, where the choice of states is watched or events follow steps; else None."""
        past, told = addresses_after_steps(machine)
        if choice is None and not past and not told:
            return None
        row = np.empty(len(rates))
        rate_row = np.empty(len(rates))
        return StepByStep(
            WatchedIda,
            "ida_watched_run",
            longest,
            run=self.run.address,
            watch=0 if choice is None else choice.record.address,
            past=past,
            told=told,
            rates=rates,
            get_derivative=sundials().address["IDAGetDky"],
            limit_step=sundials().address["IDASetMaxStep"],
            row=self.new_vector(row),
            row_values=row,
            rate_row=self.new_vector(rate_row),
            row_rates=rate_row,
        )

    def counts(self) -> dict[str, int]:
        """What IDA has counted since it was set up or restarted."""
        return {name: sundials().count(function, self.address) for name, function in _COUNTERS.items()}

    @property
    def time(self) -> float:
        """Where IDA stands, which may be after the last output."""
        reached = ctypes.c_double()
        sundials().IDAGetCurrentTime(self.address, ctypes.byref(reached))
        return reached.value

    def release(self) -> None:
        """Free everything; the pivots are kept for the next run."""
        self.model.caches.pivots["integration"] = self.lu.elimination
        self._stack.close()

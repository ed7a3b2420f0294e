"""What one-step methods have in common as Python sees them: a record, its work space, and calls of native code.

The methods are in engine/runtime/: rk_step.py (rk45.py here) and rodas_step.py (rodas.py).
"""

from __future__ import annotations

import ctypes
import math
from abc import abstractmethod
from struct import Struct
from typing import Any

import numpy as np

from tellegen.engine.integrators.ode_integrator import OdeRun
from tellegen.engine.loaded.ode_system import IntegratorMemory, OdeSystem
from tellegen.engine.native.machine_code import MachineCode
from tellegen.engine.native.record import Record
from tellegen.engine.request.run_state import RunState
from tellegen.engine.runtime.one_step.rk_record import RK, R
from tellegen.engine.runtime.runtimes import event_runtime, ode_runtime, watch_runtime

_NATIVE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_OF_THE_OPTIONS = Struct("6d")  # from rtol on; a slice of NumPy's takes four times as long
_AT_THE_OPTIONS = 8 * R["rtol"]
_STEP_CONTROL = slice(R["h_seen"], R["is_stiff"] + 1)
_OF_THE_RUN = slice(R["is_stiff"], R["stepped"] + 1)  # counts, and what not every run has
_OF_EVENTS = ("event_watch", "event_unresolved", "event_keep", "rk_stop_at_root")


class OneStepMemory(IntegratorMemory):
    """Work space of a method for a system; kept with it from run to run."""

    def __init__(self, system: OdeSystem, stages: int, run: int, dense: int) -> None:
        n = len(system.states)
        code = ode_runtime().addresses
        self.begin = _NATIVE(code["rk_begin"])
        self.run = _NATIVE(run)
        self.run_address = run
        self.x = np.zeros(n)
        self.atol = np.zeros(n)
        self.peak = np.zeros(n)
        self.record = Record(RK)
        self.record.set(
            ode=system.record.address,
            count=n,
            size=system.program.size,
            x=self.x,
            atol=self.atol,
            peak=self.peak,
            k=np.zeros(max(stages * n, 1)),
            rates=system.rates,
            dense=np.zeros(max(5 * n, 1)),
            **{name: np.zeros(max(n, 1)) for name in ("trial", "stage")},
            **{name: code[name] for name in ("ode_rhs", "ode_rates", "ode_outputs", "rk_emit")},
            rk_dense=dense,
        )


class OneStep(OdeRun):
    """An integration with a method that begins every step from the last point alone."""

    short_calls = True
    own: Any = None  # OneStepMemory, from begin() on
    taken_over = b""  # step control of the same method in the run that this one continues
    patience = 0  # steps after which the method gives up where another one is better; 0: any number

    @abstractmethod
    def memory(self) -> OneStepMemory:
        """The work space of the method."""

    def begin(self) -> None:
        """The work space, given the numbers of this run, and the first stage."""
        self.prepare()
        if self.system.projection is not None:
            self.system.projection.begin(self.since, self.own.x, self.own.atol, self.rtol)
        self.restart(self.since)
        if self.taken_over:
            self.record.words[_STEP_CONTROL] = np.frombuffer(self.taken_over, np.int64)

    def prepare(self) -> None:
        """The work space, given the numbers of this run."""
        own = self.memory()
        self.own = own
        own.x[:] = self.x
        own.atol[:] = self.step_tolerances.start
        if self.peak is None:
            own.peak.fill(0.0)
        else:
            own.peak[:] = self.peak
        self.x = own.x
        self.peak = own.peak
        self.record = own.record
        self.record.refer(times=self.times, output=self.output, part=self.step_tolerances.part)
        stop = self.options.stop
        numbers = (self.rtol, stop, stop, self.largest, self.patience, math.inf)
        _OF_THE_OPTIONS.pack_into(self.record.integers, _AT_THE_OPTIONS, *numbers)
        self.record.words[_OF_THE_RUN] = 0
        if self.options.step_log is not None:
            states = self.system.states
            self.record.set(log=self.options.step_log.begin(self.solver, self.model.reduced, states))
        if self.events is not None:
            events = self.events.record
            self.record.set(events=events.address)
            self._set_functions(event_runtime(), *_OF_EVENTS)
        if self.choice is not None:
            self.record.set(watch=self.choice.record.address)
            self._set_functions(watch_runtime(), "choice_is_doubtful")
        if self.machine is not None and self.machine.delays is not None:
            self.record.set(past=self.machine.record.address)
            self._set_functions(event_runtime(), "rk_note")
        if self.machine is not None and self.machine.follows_steps:
            self.record.set(stepped=self.machine.record.address)
            self._set_functions(event_runtime(), "event_stepped")

    def resume(self, state: RunState) -> None:
        """See OdeRun."""
        super().resume(state)
        self.taken_over = state.last.step_control if state.last.solver == self.solver else b""

    def step_control(self) -> bytes:
        """See OdeRun."""
        if self.own is None:  # it never began
            return b""
        return self.record.integers[_STEP_CONTROL].tobytes()

    def _set_functions(self, runtime: MachineCode, *names: str) -> None:
        """Let steps call functions of a runtime through the record."""
        self.record.set(**{name: runtime.addresses[name] for name in names})

    def continue_here(self) -> None:
        """See OdeRun; the next step is about as long as the last one."""
        self.taken_over = self.step_control()
        self.begin()

    def aim(self, end: float) -> None:
        """See OdeRun."""
        self.end = end
        self.record.floats[R["stop"]] = end

    def restart(self, t: float) -> None:
        """See OdeRun. The first stage and the first step."""
        self.record.floats[R["t"]] = t
        self.own.begin(self.record.address)

    def advance(self, last: int) -> int:
        """See OdeRun."""
        if self.pending is not None:
            flag = self.pending
            self.pending = None
            return flag
        words = self.record.integers
        burst = self.progress.burst(len(self.x))
        if self.machine is not None and self.machine.delays is not None:
            self.machine.delays.make_room(burst)
        self.record.floats[R["h_least"]] = max(self.smallest, 1e-300)
        words[R["first"]] = self.done
        words[R["last"]] = last
        words[R["most_steps"]] = words[R["steps"]] + burst
        flag = self.own.run(self.record.address)
        self.done = words[R["first"]]
        return flag

    def where(self) -> tuple[float, int]:
        """See OdeRun."""
        return self.record.floats[R["t"]], self.record.integers[R["steps"]]

    def add_counts(self, steps: int, rejected: int) -> None:
        """Add steps that native code has taken and counted by itself."""
        self.stats["steps"] = self.stats.get("steps", 0) + steps
        self.stats["error_test_failures"] = self.stats.get("error_test_failures", 0) + rejected

    def count(self) -> None:
        """See OdeRun."""
        if self.own is None:  # it never began
            return
        words = self.record.integers
        self.add_counts(words[R["steps"]], words[R["rejected"]])
        words[R["steps"]] = 0
        words[R["rejected"]] = 0

"""Explicit Runge-Kutta of order 5(4) for models that are not stiff; the method is in engine/runtime/rk_step.py."""

from __future__ import annotations

import ctypes
import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.engine.integrators.ode_integrator import OdeRun
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.native.llvm_builder import Record
from tellegen.engine.native.machine_code import MachineCode
from tellegen.engine.native.outcome import Outcome
from tellegen.engine.runtime.event_iteration import event_runtime
from tellegen.engine.runtime.event_record_layout import E
from tellegen.engine.runtime.rk_record import RK, R
from tellegen.engine.runtime.runtimes import ode_runtime, root_runtime

_NATIVE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_OF_THE_RUN = slice(R["steps"], R["past"] + 1)  # counts, and what not every run has
_OF_EVENTS = ("event_watch", "event_unresolved", "event_keep", "event_secant", "event_mark")
_OF_STEPS = ("ode_rhs", "rk_dense", "rk_interpolate", "rk_emit")
_COUNTERS = {"steps": "steps", "error_test_failures": "rejected"}
STIFF = "the model looks stiff: stability, not accuracy, limits the steps of the explicit method"
STIFF_ADVICE = "use solver='auto' or solver='cvode'"


class RkMemory:
    """Work space of the method for a system; kept with it from run to run."""

    def __init__(self, system: OdeSystem) -> None:
        n, code = len(system.states), ode_runtime().addresses
        self.begin, self.run = (_NATIVE(code[name]) for name in ("rk_begin", "rk_run"))
        self.x, self.atol = np.zeros(n), np.zeros(n)
        self.record = Record(RK)
        self.record.set(
            ode=system.record.address,
            count=n,
            size=system.program.size,
            x=self.x,
            atol=self.atol,
            k=np.zeros(max(7 * n, 1)),
            rates=system.rates,
            dense=np.zeros(max(5 * n, 1)),
            **{name: np.zeros(max(n, 1)) for name in ("trial", "stage")},
        )


class Rk45(OdeRun):
    """An integration with the pair of Dormand and Prince."""

    solver = "rk45"
    short_calls = True
    own: Any = None  # RkMemory, from begin() on
    patience = 0  # steps that may remain when the model is found to be stiff; 0: any number

    def begin(self) -> None:
        """The work space, told the numbers of this run."""
        own = self.system.attachment(RkMemory) or self.system.attach(RkMemory(self.system))
        self.own = own
        own.x[:] = self.x
        own.atol[:] = self.atol
        self.x = own.x
        self.record = own.record
        self.record.set(times=self.times, output=self.output, patience=self.patience)
        horizon = self.options.stop
        self.record.put(rtol=self.rtol, stop=horizon, horizon=horizon, h_most=self.largest, h_seen=np.inf)
        self.record.words[_OF_THE_RUN] = 0
        if self.events is not None:
            events = self.events.record
            self.record.set(events=events.address, departed=events.address + 8 * E["departed"])
            self._set_functions(event_runtime(), *_OF_EVENTS)
            self._set_functions(root_runtime(), "rk_stop_at_root")
            self._set_functions(ode_runtime(), *_OF_STEPS)
        if self.machine is not None and self.machine.delays is not None:
            self.record.set(past=self.machine.record.address)
            self._set_functions(event_runtime(), "event_note")
            self._set_functions(root_runtime(), "rk_note")
            self._set_functions(ode_runtime(), *_OF_STEPS)
        self.restart(self.since)

    def _set_functions(self, runtime: MachineCode, *names: str) -> None:
        """Let steps call functions of a runtime through the record."""
        self.record.set(**{name: runtime.addresses[name] for name in names})

    def aim(self, end: float) -> None:
        """See OdeRun."""
        self.record.doubles[R["stop"]] = end

    def restart(self, t: float) -> None:
        """See OdeRun. The first stage and the first step."""
        self.record.put(t=t)
        self.own.begin(self.record.address)

    def advance(self, last: int) -> int:
        """See OdeRun."""
        words = self.record.words
        if self.machine is not None and self.machine.delays is not None:
            self.machine.delays.make_room()
        self.record.doubles[R["h_least"]] = max(self.smallest, 1e-300)
        words[R["first"]], words[R["last"]] = self.done, last
        words[R["most_steps"]] = words[R["steps"]] + self.progress.burst(len(self.x))
        flag = self.own.run(self.record.address)
        self.done = int(words[R["first"]])
        return flag

    def where(self) -> tuple[float, int]:
        """See OdeRun."""
        return self.record.get_double("t"), self.record.get("steps")

    def count(self) -> None:
        """See OdeRun; a stiff model is reported once."""
        if self.own is None:  # it never began
            return
        for name, word in _COUNTERS.items():
            self.stats[name] = self.stats.get(name, 0) + self.record.get(word)
            self.record.words[R[word]] = 0
        if self.record.get("is_stiff") and not self.patience and not self.stats.get("stiff"):
            self.stats["stiff"] = True
            warnings.warn(f"{self.model.flat.name}: {STIFF}; {STIFF_ADVICE}", stacklevel=2)

    def _ended(self, flag: int) -> Outcome:
        found = super()._ended(flag)
        told = (f"{STIFF}; {STIFF_ADVICE}",) if self.stats.get("stiff") else ()
        return replace(found, details=(*told, *found.details))

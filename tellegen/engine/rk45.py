"""Explicit Runge-Kutta of order 5(4) for models that are not stiff; the method is in engine/rk_kernels.py."""

from __future__ import annotations

import ctypes
import math
import warnings
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.engine.emit import Record
from tellegen.engine.ode_kernels import ode_runtime, rk_runtime
from tellegen.engine.ode_run import OdeRun
from tellegen.engine.outcome import Outcome
from tellegen.engine.rk_kernels import RK

_RUN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_COUNTERS = {"steps": "steps", "error_test_failures": "rejected"}
STIFF = "this looks stiff: the explicit method takes its steps for stability, not for accuracy"
STIFF_ADVICE = "use solver='auto' or solver='cvode'"


class Rk45(OdeRun):
    """An integration with the pair of Dormand and Prince."""

    solver = "rk45"

    def begin(self, stack: ExitStack) -> None:  # noqa: ARG002 - nothing to release
        """The record of the native loop."""
        n = len(self.x)
        self._native = _RUN(rk_runtime().addresses["rk_run"])
        if "rk45" in self.system.attached:
            self.record, self.stages = self.system.attached["rk45"]
            self.record.set(x=self.x, atol=self.atol, times=self.times, output=self.output)
            self.record.set(stiff_steps=0, calm_steps=0, is_stiff=0)
            self._put(rtol=self.rtol, stop=float(self.times[-1]), h_most=self.largest)
            self.restart(self.options.start)
            return
        vectors = {name: np.zeros(max(n, 1)) for name in ("trial", "stage")}
        self.stages = np.zeros(max(7 * n, 1))
        self.record = Record(RK)
        self.record.set(
            ode=self.system.record.address,
            count=n,
            size=self.system.program.size,
            x=self.x,
            k=self.stages,
            rates=self.system.rates,
            atol=self.atol,
            times=self.times,
            output=self.output,
            dense=np.zeros(max(5 * n, 1)),
            ode_rhs=ode_runtime().addresses["ode_rhs"],
            keep_row=ode_runtime().addresses["keep_row"],
            **vectors,
        )
        self.system.attached["rk45"] = self.record, self.stages
        self._put(rtol=self.rtol, stop=float(self.times[-1]), h_most=self.largest)
        self.restart(self.options.start)

    def _put(self, **values: float) -> None:
        """Words that are doubles."""
        words = self.record.words.view(np.float64)
        for name, value in values.items():
            words[self.record.number[name]] = value

    def _get(self, name: str, kind: Any = np.int64) -> Any:
        return self.record.words.view(kind)[self.record.number[name]]

    def restart(self, t: float) -> None:
        """See OdeRun. The first stage and the first step."""
        rates = self.stages[: len(self.x)]
        if self.system.rhs(t, self.x):
            rates[:] = self.system.rates[: len(self.x)]
        self._put(t=t, h=self._first_step(t, rates), error_before=1e-4)
        self.record.set(steps=0, rejected=0)

    def _first_step(self, t: float, rates: Any) -> float:
        """A step that changes the states by about a hundredth of what the tolerances resolve to the root (Hairer)."""
        if not len(self.x):
            return self.largest
        scale = self.atol + self.rtol * np.abs(self.x)
        size, speed = _size(self.x / scale), _size(rates / scale)
        h = 1e-6 if min(size, speed) < 1e-5 else 0.01 * size / speed
        h = min(h, self.largest)
        if not self.system.rhs(t + h, self.x + h * rates):
            return 1e-3 * h
        bend = _size((self.system.rates[: len(self.x)] - rates) / scale) / h
        strongest = max(speed, bend)
        further = max(1e-6, 1e-3 * h) if strongest <= 1e-15 else (0.01 / strongest) ** 0.2
        return min(100.0 * h, further, self.largest)

    def advance(self, last: int) -> int:
        """See OdeRun."""
        self._put(h_least=max(self.smallest, 1e-300))
        self.record.set(
            first=self.done, last=last, most_steps=int(self._get("steps")) + self.progress.burst(len(self.x))
        )
        flag = self._native(self.record.address)
        self.done = int(self._get("first"))
        return flag

    def where(self) -> tuple[float, int]:
        """See OdeRun."""
        return float(self._get("t", np.float64)), int(self._get("steps"))

    def count(self) -> None:
        """See OdeRun; a stiff model is told once."""
        for name, word in _COUNTERS.items():
            self.stats[name] = self.stats.get(name, 0) + int(self._get(word))
        if self._get("is_stiff") and not self.stats.get("stiff"):
            self.stats["stiff"] = True
            warnings.warn(f"{self.model.flat.name}: {STIFF}; {STIFF_ADVICE}", stacklevel=2)

    def _ended(self, flag: int) -> Outcome:
        found = super()._ended(flag)
        told = (f"{STIFF}; {STIFF_ADVICE}",) if self.stats.get("stiff") else ()
        return replace(found, details=(*told, *found.details))


def _size(v: Any) -> float:
    """Root mean square."""
    return math.sqrt(float(v @ v) / len(v))

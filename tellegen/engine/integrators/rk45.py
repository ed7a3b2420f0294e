"""Explicit Runge-Kutta of order 5(4) for models that are not stiff; the method is in rk_step.py."""

from __future__ import annotations

import warnings
from dataclasses import replace

from tellegen.engine.integrators.choose_solver import has_delays
from tellegen.engine.integrators.one_step import OneStep, OneStepMemory
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.native.outcome import Outcome
from tellegen.engine.runtime.runtimes import ode_runtime

STIFF = "the model looks stiff: stability, not accuracy, limits the steps of the explicit method"
STIFF_ADVICE = "use solver='auto' or solver='cvode'"
STIFF_WITH_DELAYS = "only this method handles delays: larger values of the smallest time constants make the run faster"


class RkMemory(OneStepMemory):
    """Work space of the method: seven stages."""

    def __init__(self, system: OdeSystem) -> None:
        code = ode_runtime().addresses
        super().__init__(system, 7, code["rk_run"], code["rk_dense"])


class Rk45(OneStep):
    """An integration with the pair of Dormand and Prince."""

    solver = "rk45"

    def memory(self) -> RkMemory:
        """See OneStep."""
        return self.system.attachment(RkMemory) or self.system.attach(RkMemory(self.system))

    def count(self) -> None:
        """See OdeRun; a stiff model is reported once."""
        super().count()
        is_stiff = self.own is not None and self.record.get("is_stiff")
        if is_stiff and not self.patience and not self.stats.get("stiff"):
            self.stats["stiff"] = True
            warnings.warn(f"{self.model.flat.name}: {self._stiff()}", stacklevel=2)

    def _stiff(self) -> str:
        return f"{STIFF}; {STIFF_WITH_DELAYS if has_delays(self.model) else STIFF_ADVICE}"

    def _ended(self, flag: int) -> Outcome:
        found = super()._ended(flag)
        stiffness = (self._stiff(),) if self.stats.get("stiff") else ()
        return replace(found, details=(*stiffness, *found.details))

"""Explicit Runge-Kutta of order 5(4) for models that are not stiff; the method is in rk_step.py.

In a step across a corner of f the method is wrong by J h^2 |e(s)|, where J is the jump of the slope and s the part of
the step before the corner; the estimate, a difference of two formulas with nearly the same weights, shows J h^2 |d(s)|
with |d| between a fifth and an eightieth of |e|, for most s about a thirtieth. So models with corners that are not
events get smaller tolerances, which the fifth root makes affordable.
"""

from __future__ import annotations

import warnings
from dataclasses import replace

from tellegen.engine.integrators.choose_solver import has_delays
from tellegen.engine.integrators.ode_integrator import PER_STEP
from tellegen.engine.integrators.one_step import OneStep, OneStepMemory
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.native.outcome import Outcome
from tellegen.engine.runtime.one_step.rk_record import R
from tellegen.engine.runtime.runtimes import ode_runtime
from tellegen.variation.kinks import with_kinks_located

STIFF = "the model looks stiff: stability, not accuracy, limits the steps of the explicit method"
STIFF_ADVICE = "use solver='auto' or solver='cvode'"
STIFF_WITH_DELAYS = "use solver='auto' or solver='rodas'"


_SHOWN_OF_A_CORNER = 1.0 / 30.0  # of the error there, by the estimate
_FINEST = 2e-15  # relative tolerance of a step above the rounding of its estimate


class RkMemory(OneStepMemory):
    """Work space of the method: seven stages."""

    def __init__(self, system: OdeSystem) -> None:
        code = ode_runtime().addresses
        super().__init__(system, 7, code["rk_run"], code["rk_dense"])


def has_kinks(model: NativeModel) -> bool:
    """Whether f has corners that are not events."""
    return with_kinks_located(model.flat) is not model.flat


class Rk45(OneStep):
    """An integration with the pair of Dormand and Prince."""

    solver = "rk45"

    @property
    def per_step(self) -> float:
        """See OdeRun, and the top of this file."""
        if not self.model.derived(has_kinks):
            return PER_STEP
        return min(PER_STEP, max(_SHOWN_OF_A_CORNER * PER_STEP, _FINEST / self.options.rtol))

    def memory(self) -> RkMemory:
        """See OneStep."""
        return self.system.attachment(RkMemory) or self.system.attach(RkMemory(self.system))

    def count(self) -> None:
        """See OdeRun; a stiff model is reported once."""
        super().count()
        is_stiff = self.own is not None and self.record.integers[R["is_stiff"]]
        if is_stiff and not self.patience and not self.stats.get("stiff"):
            self.stats["stiff"] = True
            if self.options.solver != "auto":  # others were tried before
                warnings.warn(f"{self.model.flat.name}: {self._stiff()}", stacklevel=2)

    def _stiff(self) -> str:
        return f"{STIFF}; {STIFF_WITH_DELAYS if has_delays(self.model) else STIFF_ADVICE}"

    def _ended(self, flag: int) -> Outcome:
        found = super()._ended(flag)
        stiffness = (self._stiff(),) if self.stats.get("stiff") else ()
        return replace(found, details=(*stiffness, *found.details))

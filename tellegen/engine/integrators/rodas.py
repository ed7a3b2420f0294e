"""A Rosenbrock method of order 5 for stiff models, Rodas5P; the method is in engine/runtime/one_step/rodas_step.py.

It solves linear systems with the matrix of CVODE's Newton method, eight for each step and no iteration, and continues
at full order after an event: for stiff models with many events.
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.integrators.choose_solver import has_delays
from tellegen.engine.integrators.one_step import OneStep, OneStepMemory
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.runtime.coefficients.rodas_tableau import STAGES
from tellegen.engine.runtime.runtimes import rodas_runtime
from tellegen.ir.expressions.expr import Time, walk


class RodasMemory(OneStepMemory):
    """Work space of the method: eight stages, the rates at their start, and the derivative by time."""

    def __init__(self, system: OdeSystem) -> None:
        code = rodas_runtime().addresses
        super().__init__(system, STAGES + 1, code["rodas_run"], code["rodas_dense"])
        if _reads_time(system) or has_delays(system.model):
            n = system.program.size
            self.record.set(by_time=np.zeros(n), work=np.zeros(n))


def _reads_time(system: OdeSystem) -> bool:
    """Whether an equation depends on time other than through events."""
    groups = system.model.reduced.groups
    return any(isinstance(node, Time) for group in groups for node in walk(group.residual))


class Rodas(OneStep):
    """An integration with Rodas5P."""

    solver = "rodas"

    def memory(self) -> RodasMemory:
        """See OneStep."""
        self.lu = self.system.newton_factors(self.since, self.options.stop - self.options.start)
        return self.system.attachment(RodasMemory) or self.system.attach(RodasMemory(self.system))

    def count(self) -> None:
        """See OdeRun."""
        super().count()
        if self.own is not None:
            self.stats["jacobian_evaluations"] = self.system.count("jacobian_evaluations")
            self.stats["repivots"] = self.lu.repivots
            self.system.remember_newton_pivots()

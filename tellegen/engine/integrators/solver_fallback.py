"""The methods of ODE mode as functions: a system at its start in, the run and what came of it out.

With solver="auto" small models have the explicit method as long as that is cheap, then CVODE.
A step of the explicit method on a few states costs half of one of CVODE's, needs no Jacobian and starts at full order.
Where stability keeps its steps small and many remain, CVODE goes on from there. Where it fails, CVODE does the run
again from the start, so that what is reported does not depend on which method was tried first.
"""

from __future__ import annotations

from collections.abc import Callable

from tellegen.engine.integrators.cvode import Cvode
from tellegen.engine.integrators.ode_integrator import OdeRun
from tellegen.engine.integrators.rk45 import Rk45
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.native.outcome import INTERRUPTED, Outcome
from tellegen.engine.request.run_options import Options
from tellegen.engine.runtime.rk_record import STIFF
from tellegen.ir.model import FloatArray

Ran = tuple[OdeRun, FloatArray, Outcome]
"""The integration that ended the run, the unknowns at the output times, and how it ended."""

Method = Callable[[OdeSystem, Options, FloatArray], Ran]
"""From consistent values in the system's work vector, with absolute tolerances of all unknowns."""


def method(solver: str, wanted: str) -> Method:
    """The method for the chosen solver; explicit steps that nobody asked for are given up where they are many."""
    if solver == "rk45" and wanted == "auto":
        return _explicit_first
    chosen = {"cvode": Cvode, "rk45": Rk45}[solver]

    def alone(system: OdeSystem, options: Options, atol: FloatArray) -> Ran:
        run = chosen(system, options, atol)
        return run, *run.run()

    return alone


class _Cheap(Rk45):
    """Gives up when more steps remain at the border of stability than CVODE takes for a whole small run."""

    patience = 300


def first_method(solver: str, wanted: str, has_delays: bool) -> type[OdeRun]:
    """What a run with events begins with; only the explicit method notes the past that delays ask for."""
    if solver == "rk45":
        return _Cheap if wanted == "auto" and not has_delays else Rk45
    return Cvode


def _explicit_first(system: OdeSystem, options: Options, atol: FloatArray) -> Ran:
    """See the top of this file."""
    tried = _Cheap(system, options, atol)
    flag = tried.integrate()
    if flag >= 0 or flag == INTERRUPTED:
        return tried, *tried.result(flag)
    if flag != STIFF:
        system.y[:] = tried.output[0]
        system.rhs(options.start, system.y[system.states])
        system.forget_divisors()
    last = Cvode(system, options, atol)
    if flag == STIFF:
        last.take_over(tried)
    return last, *last.run()

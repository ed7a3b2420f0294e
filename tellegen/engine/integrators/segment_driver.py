"""The integrators of runs with events behind one face: go to a time or a root, start anew after an event.

In ODE mode small models begin with the explicit method and go on with CVODE where that would be too slow, as runs
without events do (solver_fallback.py). Where CVODE cannot solve an algebraic loop, IDA goes on from there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.initialization.initialize import Point, continued
from tellegen.engine.integrators.algebraic_tolerances import Tolerances
from tellegen.engine.integrators.cvode import Cvode
from tellegen.engine.integrators.ida import Ida
from tellegen.engine.integrators.ode_integrator import OdeRun
from tellegen.engine.integrators.rk45 import Rk45
from tellegen.engine.integrators.segmented_integrator import near
from tellegen.engine.linear_algebra.pivoted_lu import SingularMatrixError
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.native.outcome import INTERRUPTED, Outcome
from tellegen.engine.request.run_options import Options
from tellegen.ir.model import FloatArray

_SINGULAR = -6
_UNSOLVED = (-3, -4, -8, -9, -10, -12)  # -12: while roots were looked for


class SegmentDriver(ABC):
    """What a run with events asks of its integrator. y and y' are the unknowns where it stands."""

    y: FloatArray
    yp: FloatArray
    run: Any  # with times, output, done, total and stats

    @abstractmethod
    def go(self, end: float) -> int:
        """To a time or to the first root before it: 0, ROOT, or the flag of a failure."""

    @abstractmethod
    def restart(self, t: float) -> None:
        """Go on from time t and the present y, in which an event may have changed anything."""

    @property
    def reached(self) -> float:
        """Where it stands after a root."""
        return float(self.run.stats["reached"])

    def failure(self, flag: int) -> Outcome:
        """A flag in words."""
        return self.run.failure(flag)

    def finish(self, began: float) -> None:
        """The run is over; it began at some second."""
        self.run.finish(began)

    @property
    def done(self) -> int:
        """How many output times are done."""
        return self.run.done

    def pass_by(self, t: float) -> None:
        """A root at which nothing happens: IDA and CVODE begin anew there, for their step went further than it may."""
        if not isinstance(self.run, Rk45):
            self.restart(t)

    def is_output(self, t: float, row: FloatArray) -> bool:
        """Whether this is an output time; then the row is kept as such."""
        run = self.run
        if run.done < run.total and run.times[run.done] <= t + near(t):
            run.times[run.done] = t
            run.output[run.done] = row
            run.done += 1
        return bool(run.times[run.done - 1] == t)

    def rows(self) -> tuple[FloatArray, FloatArray]:
        """The output times that were done, and the unknowns there."""
        run = self.run
        return run.times[: run.done], run.output[: run.done]


class OdeSegmentDriver(SegmentDriver):
    """In ODE mode."""

    def __init__(self, system: OdeSystem, machine: EventHandler, options: Options, run: OdeRun) -> None:
        self.system, self.machine, self.options = system, machine, options
        self.y, self.yp = system.y, system.yp
        self.run = run
        self._has_begun = False

    def go(self, end: float) -> int:
        """See SegmentDriver."""
        solved = self.system.w.copy()
        try:
            return self._go(end, solved)
        except SingularMatrixError:
            self.system.w[:] = solved
            return _SINGULAR

    def _go(self, end: float, solved: FloatArray) -> int:
        if not self._has_begun:
            self._has_begun = True
            self.run.begin()
        flag = self.run.go(end)
        if flag < 0 and flag != INTERRUPTED and isinstance(self.run, Rk45) and self.run.patience > 0:
            self._stand(solved)
            flag = self._with_cvode(end)
        if flag in _UNSOLVED and self.options.solver == "auto" and isinstance(self.run, Cvode):
            self.run.step_back()
            flag = self._with_ida(end) if self._stand(solved) else flag
        return flag

    def _stand(self, solved: FloatArray) -> bool:
        """All unknowns where the method gave up, from where they were solved last; all at once if need be."""
        system, t = self.system, float(self.run.stats["reached"])
        system.w[:] = solved
        if system.rhs(t, self.run.x):
            return True
        system.w[:] = solved
        system.y[system.states] = self.run.x
        found = continued(system.model, Point(t, system.p), system.y, system.yp)
        if found is None:
            return False
        system.y[:], system.yp[:] = found
        return system.rhs(t, self.run.x)

    def _with_cvode(self, end: float) -> int:
        """The explicit method takes too many steps, or fails: CVODE goes on."""
        explicit, self.run = self.run, Cvode(self.system, self.options, self.run.tolerances, self.machine)
        explicit.count()
        self.run.take_over(explicit)
        self.run.begin()
        return self.run.go(end)

    def _with_ida(self, end: float) -> int:
        """An algebraic loop cannot be solved by itself: IDA goes on, which follows all unknowns at once."""
        given_up, system, machine = self.run, self.system, self.machine
        t, model = float(given_up.stats["reached"]), system.model
        given_up.count()
        tolerances = Tolerances(self.options, system.scale[: len(system.y)], model.reduced.is_state)
        run = self.run = Ida(model, machine.p, self.options, tolerances, machine)
        run.go_on(given_up)
        run.now = t
        run.begin(system.y, system.yp)
        self.y, self.yp = run.y, run.yp
        machine.bind(run.y, run.yp, lambda t, y, yp: continued(run.model, Point(t, machine.p), y, yp))
        return run.go(end)

    def restart(self, t: float) -> None:
        """See SegmentDriver."""
        if isinstance(self.run, Ida):
            self.run.restart(t)
            return
        self.run.x[:] = self.y[self.system.states]
        if not self._has_begun:
            return
        self.run.count()
        self.system.forget_divisors()
        self.run.restart(t)
        self.run.stats["reached"] = t


class IdaSegmentDriver(SegmentDriver):
    """All unknowns at once."""

    def __init__(self, run: Ida, y: FloatArray, yp: FloatArray) -> None:
        self.run = run
        self.is_singular = False
        try:
            run.begin(y, yp)
        except SingularMatrixError:
            self.is_singular = True
        self.y, self.yp = run.y, run.yp

    def go(self, end: float) -> int:
        """See SegmentDriver."""
        return _SINGULAR if self.is_singular else self.run.go(end)

    def restart(self, t: float) -> None:
        """See SegmentDriver."""
        self.run.restart(t)

"""One interface to the integrators of runs with events: go to a time or a root, restart after an event.

Which integrator continues where another gives up is decided in solver_fallback.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from weakref import ref

from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import continued
from tellegen.engine.integrators.algebraic_tolerances import Tolerances
from tellegen.engine.integrators.cvode import Cvode
from tellegen.engine.integrators.ida import Ida
from tellegen.engine.integrators.ode_integrator import OdeRun
from tellegen.engine.integrators.one_step import OneStep
from tellegen.engine.integrators.rodas import Rodas
from tellegen.engine.integrators.segmented_integrator import near
from tellegen.engine.integrators.solver_fallback import (
    EventDensity,
    RodasWhileEventsAreDense,
    Successor,
    successor,
    successor_after_event,
    successor_where_events_crowd,
)
from tellegen.engine.linear_algebra.pivots import SingularMatrixError
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.native.flags import Flag
from tellegen.engine.native.outcome import Outcome
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.run_options import Options
from tellegen.engine.request.scales import Scales
from tellegen.ir.model import FloatArray


class SegmentDriver(ABC):
    """What a run with events asks of its integrator. y and y' are the unknowns where it stands."""

    y: FloatArray
    yp: FloatArray
    run: OdeRun | Ida

    @abstractmethod
    def go(self, end: float) -> int:
        """To a time or to the first root before it: 0, ROOT, or the flag of a failure."""

    @abstractmethod
    def restart(self, t: float) -> None:
        """Go on from time t and the present y, in which an event may have changed anything."""

    def relieve(self) -> bool:
        """Whether another method goes on where events crowd."""
        return False

    @property
    def reached(self) -> float:
        """Where it stands after a root."""
        return float(self.run.reached)

    def failure(self, flag: int) -> Outcome:
        """A flag in words."""
        return self.run.failure(flag)

    def finish(self, began: float) -> None:
        """The run is over, which began at this working time."""
        self.run.finish(began)

    @property
    def done(self) -> int:
        """How many output times are done."""
        return self.run.done

    def pass_by(self, t: float) -> None:
        """A root at which nothing happens: IDA and CVODE restart there, for their step went further than it may."""
        if not isinstance(self.run, OneStep):
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
        """The output times that were done, and the unknowns there, with room after them."""
        run = self.run
        return run.times[: run.done], run.output


class OdeSegmentDriver(SegmentDriver):
    """In ODE mode."""

    def __init__(self, system: OdeSystem, machine: EventHandler, options: Options, scales: Scales, run: OdeRun) -> None:
        self.system = system
        self.scales = scales
        self.machine = machine
        self.options = options
        self.y = system.y
        self.yp = system.yp
        self.run: OdeRun | Ida = run
        self._has_begun = False
        self._is_repeated = isinstance(run, Cvode)  # other methods have been tried
        self._density = EventDensity()

    def go(self, end: float) -> int:
        """See SegmentDriver."""
        return self._guarded(end, self.system.w.copy())

    def resume(self, end: float, flag: int, solved: FloatArray) -> int:
        """Go on with a segment in which native code has met a flag; `solved` is the work vector where it began."""
        self.run.pending = flag
        return self._guarded(end, solved)

    def _guarded(self, end: float, solved: FloatArray) -> int:
        try:
            return self._go(end, solved)
        except SingularMatrixError:
            self.system.w[:] = solved
            return Flag.SINGULAR

    def _go(self, end: float, solved: FloatArray) -> int:
        if isinstance(self.run, Ida):
            return self.run.go(end)
        if not self._has_begun:
            self._has_begun = True
            self.run.start()
        flag = self.run.go(end)
        after = successor(self.run, flag, self.options)
        if after is Successor.CVODE or after is Successor.RODAS:
            self._solve_where_it_stopped(self.run, solved)
            flag = self._continue_with(Cvode if after is Successor.CVODE else Rodas, self.run).go(end)
        if successor(self.run, flag, self.options) is Successor.IDA:
            assert isinstance(self.run, Cvode)
            self.run.step_back()
            if self._solve_where_it_stopped(self.run, solved):
                flag = self._continue_with_ida(self.run, end)
        return flag

    def _solve_where_it_stopped(self, run: OdeRun, solved: FloatArray) -> bool:
        """All unknowns where the method gave up, from where they were solved last; all at once if need be."""
        system = self.system
        t = run.reached
        system.w[:] = solved
        if system.rhs(t, run.x):
            return True
        system.w[:] = solved
        system.y[system.states] = run.x
        found = continued(system.model, Point(t, system.p), system.y, system.yp)
        if found is None:
            return False
        system.y[:], system.yp[:] = found
        return system.rhs(t, run.x)

    def relieve(self) -> bool:
        """See SegmentDriver."""
        run = self.run
        if isinstance(run, Ida) or successor_where_events_crowd(run) is not Successor.CVODE:
            return False
        self._continue_with(Cvode, run)
        return True

    def _continue_with(self, method: type[OdeRun], given_up: OdeRun) -> OdeRun:
        given_up.count()
        self._density = EventDensity()
        return self._replace(given_up, method)

    def _replace(self, given_up: OdeRun, method: type[OdeRun]) -> OdeRun:
        """Go on with another method from where one stands."""
        run = method(self.system, self.options, given_up.absolute, self.machine)
        run.take_over(given_up)
        run.begin()
        self.run = run
        return run

    def _continue_with_ida(self, given_up: OdeRun, end: float) -> int:
        system = self.system
        machine = self.machine
        model = system.model
        t = given_up.reached
        given_up.count()
        tolerances = Tolerances(self.options, self.scales, model)
        run = Ida(model, machine.p, self.options, tolerances, machine)
        self.run = run
        run.go_on(given_up)
        run.now = t
        run.begin(system.y, system.yp)
        self.y = run.y
        self.yp = run.yp
        machine.bind(run.y, run.yp, UnknownsAtEvents(run, self.scales.size), is_iterated=True)
        return run.go(end)

    def restart(self, t: float) -> None:
        """See SegmentDriver."""
        if isinstance(self.run, Ida):
            self.run.restart(t)
            return
        run = self.run
        run.x[:] = self.y[self.system.states]
        if not self._has_begun:
            return
        self._density.note(run.where()[1])
        run.count()
        self.system.forget_divisors()
        run.reached = t
        after = None if self._is_repeated else successor_after_event(run, self._density, self.options)
        if after is Successor.RODAS:
            self._replace(run, RodasWhileEventsAreDense)
        else:
            run.restart(t)


class IdaSegmentDriver(SegmentDriver):
    """All unknowns at once."""

    def __init__(self, run: Ida, y: FloatArray, yp: FloatArray) -> None:
        self.run = run
        self.is_singular = False
        try:
            run.begin(y, yp)
        except SingularMatrixError:
            self.is_singular = True
        self.y = run.y
        self.yp = run.yp

    def go(self, end: float) -> int:
        """See SegmentDriver."""
        return Flag.SINGULAR if self.is_singular else self.run.go(end)

    def restart(self, t: float) -> None:
        """See SegmentDriver."""
        self.run.restart(t)


class UnknownsAtEvents:
    """The unknowns of a run with IDA at an event, where the states are given and flags change; `size` has their sizes.

    They are computed as in ODE mode, part after part: where a combination of flags leaves a part of the model almost
    undetermined (a slider that sticks at its dead centre) only that part is affected. So events have the same outcome
    with every solver. All unknowns are solved for at once where there is no ODE mode or it finds no solution.
    """

    def __init__(self, run: Ida, size: FloatArray) -> None:
        self._run = ref(run)  # which has the events that have this
        self._size = size
        self._model: NativeModel | None = None
        self._system: OdeSystem | None = None

    def __call__(self, t: float, y: FloatArray, yp: FloatArray) -> Consistent | None:
        """Consistent y and y', None where there are none."""
        run = self._run()
        assert run is not None
        system = self._ode_mode_of(run.model, run.p)
        if system is not None:
            system.y[:] = y
            system.yp[:] = yp
            system.p[:] = run.p
            if system.rhs(t, y[system.states]):
                return Consistent(system.y, system.yp)
        return continued(run.model, Point(t, run.p), y, yp)

    def _ode_mode_of(self, model: NativeModel, p: FloatArray) -> OdeSystem | None:
        """That of the model with the present choice of states."""
        if model is not self._model:
            self._model = model
            is_there = model.reduced.is_state.any() and not model.ode.reason
            self._system = model.ode.lease(model, p, self._size) if is_there else None
            if self._system is not None:  # the past of delays is that of this run, and stands in its parameters
                self._system.record.set(event_fill=0, event_refill=0)
        return self._system

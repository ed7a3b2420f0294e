"""CVODE: variable-order, variable-step BDF with Newton's method for x' = f(t, x) (Hindmarsh et al., 2005)."""

from __future__ import annotations

import ctypes
import weakref
from contextlib import ExitStack

import numpy as np

from tellegen.engine.diagnostics.step_log import SundialsStepLog
from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.integrators.ode_integrator import OdeRun
from tellegen.engine.integrators.watched_choice import StepByStep, WatchedChoice, addresses_after_steps
from tellegen.engine.loaded.ode_system import IntegratorMemory, OdeSystem
from tellegen.engine.native.flags import Flag
from tellegen.engine.native.record import Record
from tellegen.engine.native.sundials import linear_solver_layout, sundials
from tellegen.engine.runtime.runtimes import cvode_runtime, event_runtime
from tellegen.engine.runtime.sundials.cvode_callbacks import CvodeRun
from tellegen.engine.runtime.sundials.watched_run import WatchedCvode
from tellegen.errors import InternalError
from tellegen.procedures.language import field_names

_BDF = 2
_JACOBIAN_STEPS = 10  # ours is cheap and exact; CVODE's habit is 51
_NEWTON_PRECISION = 0.03  # part of the step's tolerance; with 0.1, CVODE's habit, rods and ladders take more steps
_MANY_FAILURES = 100  # the smallest step is how a jump is noticed, not the number of failures
_STEPS_OF_ORDER_ONE = 2
_SLOWER = 10.0
_SILENT = -1  # steps below the rounding of time are how a jump is noticed
_COUNTERS = {
    "steps": "CVodeGetNumSteps",
    "error_test_failures": "CVodeGetNumErrTestFails",
    "newton_iterations": "CVodeGetNumNonlinSolvIters",
    "newton_failures": "CVodeGetNumNonlinSolvConvFails",
    "factorizations": "CVodeGetNumLinSolvSetups",
}
_RUN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


def _check(flag: int) -> None:
    if flag != 0:
        raise InternalError("E915", f"CVODE rejected its setup with flag {flag}")


class CvodeMemory(IntegratorMemory):
    """What CVODE allocates for a system; kept with it from run to run and released with it."""

    def __init__(self, system: OdeSystem, t: float) -> None:
        library = sundials()
        code = cvode_runtime().addresses
        n = len(system.states)
        stack = ExitStack()
        self._release = weakref.finalize(self, stack.close)
        self.x = np.zeros(n)
        self.atol = np.ones(n)
        self.peak = np.zeros(n)
        context = stack.enter_context(library.context())
        self.vector = library.N_VMake_Serial(n, self.x.ctypes.data, context)
        stack.callback(library.N_VDestroy, self.vector)
        memory = self.address = library.CVodeCreate(_BDF, context)
        stack.callback(library.CVodeFree, ctypes.byref(ctypes.c_void_p(memory)))
        matrix = library.SUNDenseMatrix(1, 1, context)  # CVODE wants to see one; ours lives in the record
        stack.callback(library.SUNMatDestroy, matrix)
        solver = _linear_solver(context, system.record.address)
        stack.callback(library.SUNLinSolFreeEmpty, solver)
        _check(library.CVodeInit(memory, code["cv_rhs"], t, self.vector))
        _check(library.CVodeWFtolerances(memory, code["cv_weights"]))
        _check(library.CVodeSetUserData(memory, system.record.address))
        system.record.set(atol=self.atol, peak=self.peak)
        _check(library.CVodeSetLinearSolver(memory, solver, matrix))
        _check(library.CVodeSetLinSysFn(memory, code["cv_system"]))
        _check(library.CVodeSetJacEvalFrequency(memory, _JACOBIAN_STEPS))
        _check(library.CVodeSetNonlinConvCoef(memory, _NEWTON_PRECISION))
        _check(library.CVodeSetMaxErrTestFails(memory, _MANY_FAILURES))
        _check(library.CVodeSetMaxHnilWarns(memory, _SILENT))
        if system.projection is not None:
            _check(library.CVodeSetProjFn(memory, code["cv_project"]))
            _check(library.CVodeSetProjErrEst(memory, 0))
        self.roots = 0  # how many root functions CVODE was given
        self.reached = np.zeros(1)  # the time that the loop came to
        self.record = Record(field_names(CvodeRun))
        self.record.set(solver=memory, x=self.vector, values=self.x, ode=system.record.address)
        self.record.set(rates=system.rates, solve=library.address["CVode"], reached=self.reached)
        self._row = np.zeros(n)
        self._row_vector = library.N_VMake_Serial(n, self._row.ctypes.data, context)
        stack.callback(library.N_VDestroy, self._row_vector)

    def step_by_step(
        self, choice: WatchedChoice | None, machine: EventHandler | None, longest: float
    ) -> StepByStep | None:
        """The loop over single steps, where the choice of states is watched or events follow steps; else None."""
        past, told = addresses_after_steps(machine)
        if choice is None and not past and not told:
            return None
        return StepByStep(
            WatchedCvode,
            "cv_watched_run",
            longest,
            run=self.record.address,
            watch=0 if choice is None else choice.record.address,
            past=past,
            told=told,
            get_derivative=sundials().address["CVodeGetDky"],
            limit_step=sundials().address["CVodeSetMaxStep"],
            row=self._row_vector,
            row_values=self._row,
        )


def _linear_solver(context: ctypes.c_void_p, record: int) -> int:
    """Our factorization as a SUNLinearSolver whose content is the system's record."""
    layout = linear_solver_layout()
    code = cvode_runtime().addresses
    solver = sundials().SUNLinSolNewEmpty(context)
    words = (ctypes.c_size_t * (layout["ops"] + 1)).from_address(solver)
    words[0] = record
    table = (ctypes.c_size_t * 16).from_address(words[layout["ops"]])
    for operation, function in (("GetType", "cv_solver_type"), ("Setup", "cv_setup"), ("Solve", "cv_solve")):
        table[layout[operation]] = code[function]
    return solver


class Cvode(OdeRun):
    """An integration with CVODE."""

    solver = "cvode"
    memory = 0
    step_log: SundialsStepLog | None = None

    def begin(self) -> None:
        """CVODE's memory, with the numbers of this run."""
        library = sundials()
        start = self.since
        self.lu = self.system.newton_factors(start, self.options.stop - self.options.start)
        own = self.system.attachment(CvodeMemory)
        if own is None:
            own = self.system.attach(CvodeMemory(self.system, start))
        self.own = own
        own.x[:] = self.x
        own.atol[:] = self.step_tolerances.start
        own.peak[:] = 0.0 if self.peak is None else self.peak
        self.x = own.x
        self.peak = own.peak
        self.system.record.put(rtol=self.rtol)
        if self.system.record.kept.get("part") is not self.step_tolerances.part:
            self.system.record.set(part=self.step_tolerances.part)
        memory = self.memory = own.address
        if self.system.projection is not None:
            self.system.projection.begin(start, own.x, own.atol, self.rtol)
        _check(library.CVodeReInit(memory, start, own.vector))
        _check(library.CVodeSetMaxNumSteps(memory, self.progress.burst(len(self.x))))
        _check(library.CVodeSetMaxStep(memory, self.seen_step))
        _check(library.CVodeSetStopTime(memory, self.options.stop))
        self._watch_roots()
        self._log_steps()
        self.record = own.record
        self.record.set(times=self.times, output=self.output)
        self._native = _RUN(cvode_runtime().addresses["cv_run"])
        self._past = None if self.machine is None else self.machine.delays
        self._steps = own.step_by_step(self.choice, self.machine, self.seen_step)
        own.reached[0] = start
        self._has_stepped = False
        self._begun = start, own.x.copy()

    def _watch_roots(self) -> None:
        """Root functions of events, if there are any."""
        library = sundials()
        count = self.model.reduced.relation_count if self.events is not None else 0
        if self.events is not None:
            address = event_runtime().addresses["event_roots"]
            self.system.record.set(events=self.events.record.address, event_roots=address)
        if count or self.own.roots:
            _check(library.CVodeRootInit(self.memory, count, cvode_runtime().addresses["cv_roots"] if count else None))
            _check(library.CVodeSetNoInactiveRootWarn(self.memory))
        self.own.roots = count

    def _log_steps(self) -> None:
        """Write the steps into a log, if there is one."""
        wanted = self.options.step_log
        self.step_log = None
        if wanted is not None:
            log = wanted.begin(self.solver, self.model.reduced, self.system.states)
            self.step_log = SundialsStepLog(log, "CVode", self.memory, len(self.x))
            self.step_log.aim(self.options.stop, self.seen_step)
        self.system.record.set(step_log=0 if self.step_log is None else self.step_log.address)

    def aim(self, end: float) -> None:
        """See OdeRun."""
        if self.step_log is not None:
            self.step_log.aim(end, self.seen_step)
        self.end = end
        sundials().CVodeSetStopTime(self.memory, end)

    def advance(self, last: int) -> int:
        """See OdeRun."""
        sundials().CVodeSetMinStep(self.memory, self.smallest)
        self.record.set(first=self.done, last=last)
        if self._steps is None:
            flag = self._native(self.record.address)
            if flag == Flag.ROOT:
                flag = self._with_slower_start(last)
        else:
            self._steps.begin(self._has_stepped, self.end)
            burst = self.progress.burst(len(self.x))
            if self._past is not None:
                self._past.make_room(burst)
            flag = self._steps.advance(burst)
            self._has_stepped = True
        self.done = int(self.record.words[self.record.number["first"]])
        if flag == Flag.PROJECTION and self.system.projection is not None and self.system.projection.is_singular:
            return Flag.SINGULAR_POSITION
        if flag == Flag.ROOT and not (self._steps is not None and self._steps.was_asked):
            assert self.events is not None
            sundials().CVodeGetRootInfo(self.memory, self.events.roots.ctypes.data)
        return flag

    def restart(self, t: float) -> None:
        """See OdeRun."""
        self._has_stepped = False
        self.own.reached[0] = t
        self._begun = t, self.own.x.copy()
        _check(sundials().CVodeReInit(self.memory, t, self.own.vector))

    def _with_slower_start(self, last: int) -> int:
        """A root in the first two steps of a segment is looked for again with a second step that grows less.

        That step has order one and the whole error that is allowed, for CVODE makes it up to 10 000 times as long as
        the first: a value that rises slowly from a border may fall below it for no other reason, event by event.
        """
        library = sundials()
        if library.count("CVodeGetNumSteps", self.memory) > _STEPS_OF_ORDER_ONE:
            return Flag.ROOT
        t, self.own.x[:] = self._begun
        _check(library.CVodeSetEtaMaxFirstStep(self.memory, _SLOWER))
        _check(library.CVodeReInit(self.memory, t, self.own.vector))
        self.record.set(first=self.done, last=last)
        flag = self._native(self.record.address)
        _check(library.CVodeSetEtaMaxFirstStep(self.memory, 0.0))  # its own choice
        return flag

    def where(self) -> tuple[float, int]:
        """See OdeRun."""
        steps = sundials().count("CVodeGetNumSteps", self.memory)
        if self.events is not None:  # CVODE's own time is after a root
            return float(self.own.reached[0]), steps
        reached = ctypes.c_double()
        sundials().CVodeGetCurrentTime(self.memory, ctypes.byref(reached))
        return reached.value, steps

    def step_back(self) -> None:
        """To the beginning of the last step, where it went past an output time at which the model cannot be solved."""
        end = ctypes.c_double()
        step = ctypes.c_double()
        sundials().CVodeGetCurrentTime(self.memory, ctypes.byref(end))
        sundials().CVodeGetLastStep(self.memory, ctypes.byref(step))
        if self.times[self.done] <= self.reached:
            self.reached = end.value - step.value
            _check(sundials().CVodeGetDky(self.memory, self.reached, 0, self.own.vector))

    def count(self) -> None:
        """Counters are set back at each restart, so they are added up."""
        library = sundials()
        if not self.memory:  # it never began
            return
        if self.step_log is not None:
            self.step_log.finish()
        for name, function in _COUNTERS.items():
            self.stats[name] = self.stats.get(name, 0) + library.count(function, self.memory)
        self.stats["jacobian_evaluations"] = self.system.count("jacobian_evaluations")
        self.stats["repivots"] = self.lu.repivots
        self.system.remember_newton_pivots()

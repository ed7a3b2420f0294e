"""CVODE: variable-order, variable-step BDF with Newton's method for x' = f(t, x) (Hindmarsh et al., 2005)."""

from __future__ import annotations

import ctypes
import weakref
from contextlib import ExitStack

import numpy as np

from tellegen.engine.diagnostics.step_log import SundialsStepLog
from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.integrators.dynamic_state_selection import depends_on_point
from tellegen.engine.integrators.ode_integrator import OdeRun
from tellegen.engine.integrators.watched_choice import StepByStep, WatchedChoice, addresses_after_steps
from tellegen.engine.loaded.ode_system import IntegratorMemory, OdeSystem
from tellegen.engine.native.flags import Flag
from tellegen.engine.native.record import Record
from tellegen.engine.native.sundials import linear_solver_layout, nonlinear_solver_layout, sundials
from tellegen.engine.runtime.runtimes import cvode_runtime, event_runtime
from tellegen.engine.runtime.sundials.cvode_callbacks import CvodeRun
from tellegen.engine.runtime.sundials.newton_callbacks import PAST, SimultaneousNewton
from tellegen.engine.runtime.sundials.watched_run import WatchedCvode
from tellegen.errors import InternalError
from tellegen.ir.ode import Solve
from tellegen.procedures.language import field_names

_BDF = 2
_JACOBIAN_STEPS = 10  # ours is cheap and exact; CVODE's habit is 51
_JACOBIAN_STEPS_WITH_LOOPS = 2  # solved for together with the states: what they depend on by exponentials is in it
_MANY_TEARS = 50  # of loops, from which on it pays to solve for them together with the states
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
        loops = system.program.changing_loops
        is_long = sum(len(loop.tear_index) for loop in loops) >= _MANY_TEARS
        self.loops = SolvedLoops(system, loops) if is_long and not depends_on_point(system.model) else None
        if self.loops is not None:
            _check(library.CVodeSetNonlinearSolver(memory, self.loops.as_solver(context, stack)))
            _check(library.CVodeSetJacEvalFrequency(memory, _JACOBIAN_STEPS_WITH_LOOPS))
        self.roots = 0  # how many root functions CVODE was given
        self.reached = np.zeros(1)  # the time that the loop came to
        self.record = Record(field_names(CvodeRun))
        self.record.set(solver=memory, x=self.vector, values=self.x, ode=system.record.address)
        self.record.set(rates=system.rates, solve=library.address["CVode"], reached=self.reached)
        self._row = np.zeros(n)
        self._row_vector = library.N_VMake_Serial(n, self._row.ctypes.data, context)
        stack.callback(library.N_VDestroy, self._row_vector)

    def restart(self, t: float) -> None:
        """Begin at the states that the vector has, without a past."""
        if self.loops is not None:
            self.loops.begin()
        _check(sundials().CVodeReInit(self.address, t, self.vector))

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


_OPERATIONS = {
    "GetType": "nls_type",
    "Solve": "nls_solve",
    "SetSysFn": "nls_set_residual",
    "SetLSetupFn": "nls_set_set_up",
    "SetLSolveFn": "nls_set_solve",
    "GetNumIters": "nls_iterations",
    "GetNumConvFails": "nls_failures",
}


class SolvedLoops:
    """The unknowns of loops, which CVODE's Newton method solves for together with the states."""

    def __init__(self, system: OdeSystem, steps: list[Solve]) -> None:
        place = np.concatenate([step.tear_index for step in steps])
        state = np.full(2 * len(system.y), -1, np.int32)
        state[len(system.y) + system.states] = np.arange(len(system.states))
        count = len(place)
        self._change = np.zeros(len(system.states))
        address = sundials().address
        self.record = Record(field_names(SimultaneousNewton))
        self.record.set(
            ode=system.record.address,
            get_steps=address["CVodeGetNumSteps"],
            get_time=address["CVodeGetCurrentTime"],
            states=len(system.states),
            change=self._change,
            given=np.zeros(len(system.states)),
            count=count,
            place=place,
            state=state[place],
            tested=np.repeat([int(not step.linear) for step in steps], [len(step.tear_index) for step in steps]).astype(
                np.int32
            ),
            value=np.zeros(count),
            past=np.zeros(PAST * count),
            times=np.zeros(PAST),
            order=np.zeros(1, np.int32),
            get_order=address["CVodeGetCurrentOrder"],
            now=np.zeros(1),
            taken=np.zeros(1, np.int64),
            is_fresh=np.zeros(1, np.int32),
        )

    def begin(self) -> None:
        """Nothing is known of the steps before."""
        self.record.set(known=0, steps=0)

    def as_solver(self, context: ctypes.c_void_p, stack: ExitStack) -> int:
        """As a SUNNonlinearSolver whose content is the record."""
        library = sundials()
        delta = library.N_VMake_Serial(len(self._change), self._change.ctypes.data, context)
        stack.callback(library.N_VDestroy, delta)
        self.record.set(delta=delta)
        layout = nonlinear_solver_layout()
        code = cvode_runtime().addresses
        solver = library.SUNNonlinSolNewEmpty(context)
        stack.callback(library.SUNNonlinSolFreeEmpty, solver)
        words = (ctypes.c_size_t * (layout["ops"] + 1)).from_address(solver)
        words[0] = self.record.address
        table = (ctypes.c_size_t * (max(layout.values()) + 1)).from_address(words[layout["ops"]])
        for operation, function in _OPERATIONS.items():
            table[layout[operation]] = code[function]
        return solver


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
        own.restart(start)
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
        self.own.restart(t)

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
        self.own.restart(t)
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

"""CVODE: variable-order, variable-step BDF with Newton's method for x' = f(t, x) (Hindmarsh et al., 2005)."""

from __future__ import annotations

import ctypes
from contextlib import ExitStack

from tellegen.engine.emit import Record
from tellegen.engine.linear import SparseLU, choose_pivots
from tellegen.engine.ode_kernels import CV_RUN, ode_runtime
from tellegen.engine.ode_run import OdeRun
from tellegen.engine.sundials import linear_solver_layout, sundials
from tellegen.errors import InternalError

_BDF = 2
_JACOBIAN_STEPS = 10  # ours is cheap and exact; CVODE's habit is 51
_NEWTON_PRECISION = 0.03  # part of the step's tolerance; with 0.1, CVODE's habit, rods and ladders take more steps
_MANY_FAILURES = 100  # the smallest step is how a jump is noticed, not the number of failures
_COUNTERS = {
    "steps": "CVodeGetNumSteps",
    "error_test_failures": "CVodeGetNumErrTestFails",
    "newton_iterations": "CVodeGetNumNonlinSolvIters",
    "newton_failures": "CVodeGetNumNonlinSolvConvFails",
    "factorizations": "CVodeGetNumLinSolvSetups",
}
_RUN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


class Cvode(OdeRun):
    """An integration with CVODE."""

    solver = "cvode"

    def begin(self, stack: ExitStack) -> None:
        """CVODE's memory, its linear solver and the record of the native loop."""
        library, code, n = sundials(), ode_runtime().addresses, len(self.x)
        context = stack.enter_context(library.context())
        vectors = [library.N_VMake_Serial(n, data.ctypes.data, context) for data in (self.x, self.atol)]
        for vector in vectors:
            stack.callback(library.N_VDestroy, vector)
        self.vector = vectors[0]
        self.lu = self._factors()
        self.system.add_jacobian(self.lu)
        memory = self.memory = library.CVodeCreate(_BDF, context)
        holder = ctypes.c_void_p(memory)
        stack.callback(library.CVodeFree, ctypes.byref(holder))
        matrix = library.SUNDenseMatrix(1, 1, context)  # CVODE wants to see one; ours lives in the record
        stack.callback(library.SUNMatDestroy, matrix)
        solver = self._linear_solver(context)
        stack.callback(library.SUNLinSolFreeEmpty, solver)
        self._check(library.CVodeInit(memory, code["cv_rhs"], self.options.start, self.vector))
        self._check(library.CVodeSVtolerances(memory, self.rtol, vectors[1]))
        self._check(library.CVodeSetUserData(memory, self.system.record.address))
        self._check(library.CVodeSetLinearSolver(memory, solver, matrix))
        self._check(library.CVodeSetLinSysFn(memory, code["cv_system"]))
        self._check(library.CVodeSetMaxNumSteps(memory, self.progress.burst(n)))
        self._check(library.CVodeSetJacEvalFrequency(memory, _JACOBIAN_STEPS))
        self._check(library.CVodeSetNonlinConvCoef(memory, _NEWTON_PRECISION))
        self._check(library.CVodeSetMaxErrTestFails(memory, _MANY_FAILURES))
        self._check(library.CVodeSetMaxStep(memory, self.largest))
        self._check(library.CVodeSetStopTime(memory, float(self.times[-1])))
        self.record = Record(CV_RUN)
        self.record.set(
            solver=memory,
            x=self.vector,
            values=self.x,
            ode=self.system.record.address,
            times=self.times,
            output=self.output,
            rates=self.system.rates,
            solve=library.address["CVode"],
        )
        self._native = _RUN(code["cv_run"])

    def _factors(self) -> SparseLU:
        """The linear solver, with the pivots of an earlier run or those that suit a first step."""
        pattern, pivots = self.model.program.pattern, self.model.pivots.get("cvode")
        if pivots is None:
            weights = (1.0, 1e4 / (self.options.stop - self.options.start))
            system = self.system
            values = self.model.jacobian(self.options.start, system.y, system.yp, system.p, weights)
            pivots = choose_pivots(pattern, values)
        return SparseLU(pattern, pivots)

    def _linear_solver(self, context: ctypes.c_void_p) -> int:
        """Our factorization as a SUNLinearSolver whose content is the system's record."""
        layout, code = linear_solver_layout(), ode_runtime().addresses
        solver = sundials().SUNLinSolNewEmpty(context)
        words = (ctypes.c_size_t * (layout["ops"] + 1)).from_address(solver)
        words[0] = self.system.record.address
        table = (ctypes.c_size_t * 16).from_address(words[layout["ops"]])
        for operation, function in (("GetType", "ls_type"), ("Setup", "cv_setup"), ("Solve", "cv_solve")):
            table[layout[operation]] = code[function]
        return solver

    @staticmethod
    def _check(flag: int) -> None:
        if flag != 0:
            raise InternalError("E915", f"CVODE refused its set-up with flag {flag}")

    def advance(self, last: int) -> int:
        """See OdeRun."""
        sundials().CVodeSetMinStep(self.memory, self.smallest)
        self.record.set(first=self.done, last=last)
        flag = self._native(self.record.address)
        self.done = int(self.record.words[self.record.number["first"]])
        return flag

    def restart(self, t: float) -> None:
        """See OdeRun."""
        self._check(sundials().CVodeReInit(self.memory, t, self.vector))

    def where(self) -> tuple[float, int]:
        """See OdeRun."""
        reached = ctypes.c_double()
        sundials().CVodeGetCurrentTime(self.memory, ctypes.byref(reached))
        return reached.value, sundials().count("CVodeGetNumSteps", self.memory)

    def count(self) -> None:
        """Counters are set back at each restart, so they are added up."""
        library = sundials()
        for name, function in _COUNTERS.items():
            self.stats[name] = self.stats.get(name, 0) + library.count(function, self.memory)
        self.stats["jacobian_evaluations"] = self.system.count("jacobian_evaluations")
        self.stats["repivots"] = self.lu.repivots
        self.model.pivots["cvode"] = self.lu.elimination

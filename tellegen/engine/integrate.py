"""Integrate a compiled model over its output times with IDA, all inner loops native.

IDA (Hindmarsh et al., 2005; variable-order, variable-step BDF for F(t, y, y') = 0) is driven through its C interface;
Python looks in every few milliseconds, so that Ctrl-C works, and words the failures.
"""

from __future__ import annotations

import ctypes
from contextlib import ExitStack
from time import perf_counter
from typing import Any

import numpy as np

from tellegen.engine.compiled import CompiledModel
from tellegen.engine.conditions import State, switched
from tellegen.engine.emit import Record
from tellegen.engine.initialize import Point, continued
from tellegen.engine.kernels import RUN, runtime
from tellegen.engine.linear import SingularMatrixError, SparseLU, choose_pivots
from tellegen.engine.options import Options
from tellegen.engine.outcome import CHATTERING, Outcome, success
from tellegen.engine.reselect import Part, StateWatch, rates_of_states
from tellegen.engine.stopped import Stop
from tellegen.engine.sundials import sundials
from tellegen.engine.tolerances import Tolerances
from tellegen.engine.watch import Watch
from tellegen.errors import InternalError
from tellegen.ir.model import FloatArray

_CHUNK = 64  # output times between two looks; a number and not a time, so that runs repeat to the last bit
_AT_A_JUMP, _TRIES = (-3, -4), 10  # error test or Newton failed with the smallest step
_OFTEN, _DENSE = 20, 1e-6  # so many crossings in that part of the interval are chattering
NOT_CROSSED = 1
RESELECT = 1000  # the stretch ended because other states are better
_ONE_STEP, _ROOT = 2, 2
_MANY_FAILURES = 100  # the smallest step is how a jump is noticed, not the number of failures
_LOOK_EVERY = 5  # steps between looks at the choice of states, which changes slowly against a step
_FEWEST_STEPS = 50
_COUNTERS = {
    "steps": "IDAGetNumSteps",
    "error_test_failures": "IDAGetNumErrTestFails",
    "newton_iterations": "IDAGetNumNonlinSolvIters",
    "newton_failures": "IDAGetNumNonlinSolvConvFails",
    "factorizations": "IDAGetNumLinSolvSetups",
}


class Integration:
    """One run of IDA: memory, callbacks and output; used once."""

    def __init__(self, model: CompiledModel, p: FloatArray, options: Options, tolerances: Tolerances) -> None:
        self.model, self.options, self.p, self.tolerances = model, options, p, tolerances
        self.times = options.times()
        self.output = np.empty((len(self.times), model.program.size))
        self.stats: dict[str, Any] = {"solver": "ida", "reached": options.start}
        self.now = options.start  # where the present stretch begins
        self.watch = StateWatch(model) if model.sorted.candidates is not None else None
        self.progress = Watch(model.flat.name, (options.start, options.stop), options.max_steps)
        self.relations = model.sorted.relation_count
        self.roots = np.zeros(self.relations, np.int32)  # direction of the relations that passed zero
        self.event_at: float | None = None  # where a relation switched and the run ended for it
        self.smallest = 0.0
        self.crossings: list[float] = []
        self.culprits: list[int] = []

    def run(self, y: FloatArray, yp: FloatArray) -> tuple[FloatArray, Outcome]:
        """The unknowns at the output times that were reached, and how it ended."""
        self.y, self.yp = np.array(y, float), np.array(yp, float)
        self.output[0] = self.y
        if not len(self.y):
            return self.output, success(self.options.stop)
        began = perf_counter()
        if self.watch is not None:
            self.choose_states(self.now, self.watch.parts)
        flag, done = RESELECT, 1
        while flag == RESELECT:
            model = self.model
            try:
                self.lu = self._factors()
            except SingularMatrixError:
                return self.output[:done], self._ended(-6)
            with ExitStack() as stack:
                record = self._set_up(stack, done)
                flag, done = self._steps(record) if self.watch and self.watch.varying else self._loop(record)
            model.pivots["integration"] = self.lu.elimination
        self.stats["seconds"] = perf_counter() - began
        if self.event_at is not None:
            return self.output[:done], success(self.event_at)
        if flag >= 0:
            return self.output, success(float(self.times[-1]))
        return self.output[:done], self._ended(flag)

    def choose_states(self, t: float, parts: list[Part]) -> bool:
        """Take other states if the present ones are badly chosen at this point; True if so."""
        assert self.watch is not None
        stages = self.watch.better(t, self.y, self.yp, self.p, parts)
        if stages is None:
            return False
        model = self.model.with_states(stages)
        rates = rates_of_states(model.sorted, self.y, self.yp)
        consistent = continued(model, Point(t, self.p), self.y, rates)
        if consistent is None:
            return False
        self.y[:], self.yp[:] = consistent
        self.model, self.watch, self.now = model, StateWatch(model), t
        self.stats["state_changes"] = self.stats.get("state_changes", 0) + 1
        return True

    def _steps(self, run: Record) -> tuple[int, int]:
        """Like _loop, step by step, for models whose best states depend on where they are."""
        assert self.watch is not None
        library = sundials()
        memory, y, yp = (int(run.words[run.number[name]]) for name in ("solver", "y", "yp"))
        done, reached, flag = int(run.words[run.number["first"]]), ctypes.c_double(), 0
        row, steps = np.empty(len(self.y)), 0
        vector = library.N_VMake_Serial(len(row), row.ctypes.data, self.context)
        while done < len(self.times):
            flag = library.IDASolve(memory, self.times[-1], ctypes.byref(reached), y, yp, _ONE_STEP)
            flag = self.progress.seen(flag, reached.value, steps, bool(self.times[done] <= reached.value))
            if flag < 0:
                break
            while done < len(self.times) and self.times[done] <= reached.value:
                library.IDAGetDky(memory, self.times[done], 0, vector)
                self.output[done] = row
                done += 1
            steps += 1
            look = steps % _LOOK_EVERY == 0 and done < len(self.times)
            if look and self.choose_states(reached.value, self.watch.varying):
                flag = RESELECT
                break
        library.N_VDestroy(vector)
        self._count(memory)
        return flag, done

    def _factors(self) -> SparseLU:
        """The linear solver, with the pivots of an earlier run or those that suit a first step."""
        pattern, pivots = self.model.program.pattern, self.model.pivots.get("integration")
        if pivots is None:
            weights = (1.0, 1e4 / (self.options.stop - self.options.start))
            pivots = choose_pivots(pattern, self.model.jacobian(self.now, self.y, self.yp, self.p, weights))
        return SparseLU(pattern, pivots)

    def _set_up(self, stack: ExitStack, done: int) -> Record:
        """IDA's memory and the record of the native loop; everything is released with the stack."""
        library, code, n = sundials(), runtime().addresses, len(self.y)
        context = self.context = stack.enter_context(library.context())
        vectors = []
        for data in (self.y, self.yp):
            vectors.append(library.N_VMake_Serial(n, data.ctypes.data, context))
            stack.callback(library.N_VDestroy, vectors[-1])
        y, yp = vectors
        memory = library.IDACreate(context)
        holder = ctypes.c_void_p(memory)
        stack.callback(library.IDAFree, ctypes.byref(holder))
        matrix = library.SUNSparseMatrix(n, n, self.model.program.pattern.count, 0, context)
        stack.callback(library.SUNMatDestroy, matrix)
        solver = self.lu.as_solver(context)
        stack.callback(library.SUNLinSolFreeEmpty, solver)
        self.record = self.model.record(self.p)
        self._check(library.IDAInit(memory, code["ida_residual"], self.now, y, yp))
        self.record.set(rtol=np.array([self.options.rtol]), atol=self.tolerances.atol)
        self._check(library.IDASetUserData(memory, self.record.address))
        self._check(library.IDAWFtolerances(memory, code["ida_weights"]))
        self._check(library.IDASetLinearSolver(memory, solver, matrix))
        self._check(library.IDASetJacFn(memory, code["ida_jacobian"]))
        self._check(library.IDASetMaxNumSteps(memory, self.progress.burst(n)))
        self._check(library.IDASetMaxErrTestFails(memory, _MANY_FAILURES))
        span = self.options.stop - self.options.start
        self._check(library.IDASetMaxStep(memory, span / _FEWEST_STEPS))  # lest it step over a pulse while all is quiet
        self._check(library.IDASetStopTime(memory, float(self.times[-1])))
        if self.relations:
            self._check(library.IDARootInit(memory, self.relations, code["ida_roots"]))
        run = Record(RUN)
        run.set(solver=memory, y=y, yp=yp, size=n, values=self.y, times=self.times, output=self.output)
        run.set(first=done, solve=library.address["IDASolve"])
        return run

    @staticmethod
    def _check(flag: int) -> None:
        if flag != 0:
            raise InternalError("E915", f"IDA refused its set-up with flag {flag}")

    def _loop(self, run: Record) -> tuple[int, int]:
        """IDASolve's last flag and the number of output times done."""
        native = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(runtime().addresses["ida_run"])
        first, last = run.number["first"], run.number["last"]
        total, flag = len(self.times), 0
        while run.words[first] < total and flag >= 0:
            chunk = _CHUNK if run.words[first] > 1 else 1  # behind the first output time the smallest step changes
            run.words[last] = min(run.words[first] + chunk, total)
            self._limit_steps(run)
            before = run.words[first]
            flag = native(run.address)
            flag = self.progress.seen(flag, *self._where(run), bool(run.words[first] > before))
            at = Point(self._where(run)[0], self.p)
            self.tolerances.adapt(int(run.words[run.number["solver"]]), self.model, at, self.y, self.yp)
            if flag == _ROOT:
                self.event_at = float(run.words[[run.number["reached"]]].view(float)[0])
                sundials().IDAGetRootInfo(int(run.words[run.number["solver"]]), self.roots.ctypes.data)
                break
            if flag in _AT_A_JUMP:
                verdict = self._cross(run)
                flag = flag if verdict == NOT_CROSSED else verdict
        self._count(int(run.words[run.number["solver"]]))
        return flag, int(run.words[first])

    def _limit_steps(self, run: Record) -> None:
        """The smallest step that still moves time; failing below it is how a jump is noticed.

        Before the first output time it is also far below the step IDA starts with, which speeds and tolerances decide.
        """
        done, memory = int(run.words[run.number["first"]]), int(run.words[run.number["solver"]])
        self.smallest = 64.0 * np.finfo(float).eps * max(abs(t) for t in self.times[done - 1 :][:2])
        if done == 1:
            allowed = self.options.rtol * np.abs(self.y) + self.tolerances.atol
            speed = float(np.sqrt(np.mean((self.yp / allowed) ** 2)))
            first_step = min(1e-3 * float(self.times[1] - self.times[0]), 0.5 / max(speed, 1e-300))
            self.smallest = min(self.smallest, 1e-12 * first_step)
        sundials().IDASetMinStep(memory, self.smallest)

    def _cross(self, run: Record) -> int:
        """Go on behind a jump: where even the smallest step fails and a condition switches, restart just after it.

        No substitute for events, but it carries step sources and switches. Answers 0 when the integration can go on,
        the flag of a failure when nothing switches there (a pole) or too much does (chattering).
        """
        memory = int(run.words[run.number["solver"]])
        self._count(memory)
        model, here = self.model.sorted, State(self.stats["reached"], self.y.copy(), self.yp.copy(), self.p)
        for attempt in range(_TRIES):
            ahead = 2.0 * self.smallest * 4.0**attempt
            t = here.t + ahead
            y = here.y + ahead * np.where(model.is_state, here.yp, 0.0)
            beyond = continued(self.model, Point(t, self.p), y, here.yp)
            if beyond is None or t >= self.times[-1]:
                return NOT_CROSSED
            if rows := switched(model, here, State(t, *beyond, self.p)):
                break
        else:
            return NOT_CROSSED
        self.culprits = rows
        self.crossings.append(t)
        span = self.options.stop - self.options.start
        if len(self.crossings) > _OFTEN and t - self.crossings[-_OFTEN] < _DENSE * span:
            return CHATTERING
        self.y[:], self.yp[:] = beyond
        vectors = [int(run.words[run.number[name]]) for name in ("y", "yp")]
        self._check(sundials().IDAReInit(memory, t, *vectors))
        first = run.number["first"]
        while self.times[run.words[first]] <= t:
            self.output[run.words[first]] = self.y
            run.words[first] += 1
        return 0

    def _where(self, run: Record) -> tuple[float, int]:
        """The time reached and the steps since the last restart."""
        memory, reached = int(run.words[run.number["solver"]]), ctypes.c_double()
        sundials().IDAGetCurrentTime(memory, ctypes.byref(reached))
        return reached.value, sundials().count("IDAGetNumSteps", memory)

    def _count(self, memory: int) -> None:
        """Add up the counters, which IDA sets back at each restart."""
        library, reached = sundials(), ctypes.c_double()
        for name, function in _COUNTERS.items():
            self.stats[name] = self.stats.get(name, 0) + library.count(function, memory)
        library.IDAGetCurrentTime(memory, ctypes.byref(reached))
        for name in ("residual_evaluations", "jacobian_evaluations"):
            self.stats[name] = int(self.record.words[self.record.number[name]])
        self.stats |= {"reached": reached.value, "repivots": self.lu.repivots, "restarts": len(self.crossings)}
        self.stats["factor_entries"] = self.lu.elimination.fill

    def _ended(self, flag: int) -> Outcome:
        """How it ended, with the equations and states to look at."""
        t = max(self.stats["reached"], self.now)
        here = State(t, self.y, self.yp, self.p)

        def look(ahead: float) -> State:
            return State(t + ahead, here.y + ahead * here.yp, here.yp, here.p)

        rows = self.culprits if flag == CHATTERING else ()
        return Stop(self.model, here, look, self.options.stop - self.options.start).outcome(flag, rows)


def integrate(
    model: CompiledModel, point: Point, options: Options, initial: tuple[FloatArray, FloatArray], nominal: FloatArray
) -> tuple[Integration, FloatArray, Outcome]:
    """Run IDA from consistent initial values; the integration carries times and statistics."""
    integration = Integration(model, point.p, options, Tolerances(options, nominal, model.sorted.is_state))
    with integration.progress:
        output, outcome = integration.run(*initial)
    return integration, output, outcome

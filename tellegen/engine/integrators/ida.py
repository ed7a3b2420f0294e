"""Integrate a compiled model over its output times with IDA, all inner loops native.

    run(y, y')                from the start to the end
    begin(y, y'), go(t)       segment by segment, for models with events: to a time, or to the first root before it

IDA (Hindmarsh et al., 2005; variable-order, variable-step BDF for F(t, y, y') = 0) is driven through its C interface;
Python looks in every few milliseconds, so that Ctrl-C works, and words the failures.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from tellegen.engine.diagnostics.integration_failure import Stop
from tellegen.engine.diagnostics.progress import Watch
from tellegen.engine.diagnostics.singular_loops import Loops, flag_of, loops_of
from tellegen.engine.diagnostics.step_log import SundialsStepLog
from tellegen.engine.diagnostics.switched_relations import State
from tellegen.engine.events.delay_history import Past
from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.events.tables.smooth_unknowns import controlled_unknowns
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import continued
from tellegen.engine.integrators.algebraic_tolerances import Tolerances
from tellegen.engine.integrators.dynamic_state_selection import StateWatch, depends_on_point, rates_of_states
from tellegen.engine.integrators.ida_memory import IdaMemory
from tellegen.engine.integrators.segmented_integrator import SegmentedIntegrator
from tellegen.engine.integrators.step_over import Beyond, SteepPlaces, across_a_jump, is_chattering
from tellegen.engine.integrators.watched_choice import StepByStep, WatchedChoice
from tellegen.engine.linear_algebra.pivots import SingularMatrixError
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.flags import Flag
from tellegen.engine.native.outcome import Outcome, success
from tellegen.engine.native.sundials import sundials
from tellegen.engine.native.waiting_for_code import working_time
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.run_options import Options
from tellegen.engine.request.scales import Scales
from tellegen.engine.runtime.runtimes import ida_runtime
from tellegen.ir.model import FloatArray

_CHUNK = 64  # output times between two looks; a number and not a time, so that runs repeat to the last bit
_AT_A_JUMP = (Flag.ERROR_TEST, Flag.NO_CONVERGENCE)
_NATIVE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


class Ida(SegmentedIntegrator):
    """One run of IDA: memory, callbacks and output; used once."""

    shortest = 32.0  # within 100 roundings IDA finds the root again that it starts from

    def __init__(
        self,
        model: NativeModel,
        p: FloatArray,
        options: Options,
        tolerances: Tolerances,
        events: EventHandler | None = None,
    ) -> None:
        super().__init__(options, model.program.size, events)
        self.model = model
        self.p = p
        self.tolerances = tolerances
        self.stats["solver"] = "ida"
        self.now = options.start  # where the present segment begins
        self.end = options.stop  # beyond which nothing is looked at
        self.watch = model.derived(StateWatch) if model.reduced.candidates is not None else None
        self.progress = Watch(model.flat.name, options.start, options.stop, budget=options.max_steps)
        self.smallest = 0.0
        self.crossings: list[float] = []
        self.culprits: list[int] = []
        self.steep = SteepPlaces(options.length) if options.steps_over else None
        self.stuck = _AT_A_JUMP if self.steep is None else (*_AT_A_JUMP, Flag.TOO_MUCH_WORK)
        self.ida: Any = None  # IdaMemory, set up again when other states are chosen
        self._choice: WatchedChoice | None = None  # the watch over the states, where they depend on the point
        self._past: Past | None = None  # of delayed signals
        self._steps: StepByStep | None = None
        self.step_log: SundialsStepLog | None = None
        self._loops: Loops | None = None  # closed ones of a mechanism

    def run(self, y: FloatArray, yp: FloatArray) -> tuple[FloatArray, Outcome]:
        """The unknowns at the output times that were reached, and how it ended."""
        began = working_time()
        flag = 0
        try:
            self.begin(y, yp)
            flag = self.reach(self.total)
        except SingularMatrixError:
            flag = Flag.SINGULAR
        self.finish(began)
        if flag >= 0:
            return self.output[: self.total], success(float(self.times[-1]))
        return self.output[: self.done], self.failure(flag)

    def begin(self, y: FloatArray, yp: FloatArray) -> None:
        """Set everything up at the start."""
        self.y = np.array(y, float)
        self.yp = np.array(yp, float)
        if self.now == self.options.start:
            self.output[0] = self.y
        if not len(self.y):
            self.output[:] = self.y
            return
        if self.watch is not None:
            self._choose_states(self.now, self.watch.better(self.now, self.y, self.yp, self.p, self.watch.parts))
        self._build()

    def finish(self, began: float) -> None:
        """Release what IDA holds, at the end of work that began at this working time."""
        self.stats["seconds"] = working_time() - began
        if self.ida is not None:
            self._count()
            self.ida.release()

    def aim(self, end: float) -> None:
        """See SegmentedIntegrator."""
        self.end = end
        if self.step_log is not None:
            self.step_log.aim(end, self.seen_step)
        if self.ida is not None:
            self.ida.call("IDASetStopTime", end)

    def restart(self, t: float) -> None:
        """Go on from time t and the present y and y'."""
        self.now = t
        if self.ida is not None:
            self._count()
            if self._loops is not None:
                self._loops.begin(State(t, self.y, self.yp, self.p))
            self.ida.call("IDAReInit", t, *self.ida.vectors)
            self._fresh = True
            self._stepped = False
            self.reached = t

    def _build(self) -> None:
        """Set up IDA for the present choice of states."""
        if self.ida is not None:
            self.ida.release()
        here = State(self.now, self.y, self.yp, self.p)
        self.ida = ida = IdaMemory(self.model, here, self.options)
        tolerances = self.tolerances
        self._loops = loops_of(self.model, here, tolerances.size, ida.record)
        if self._loops is not None and self._loops.begin(here):
            ida.call("IDAReInit", self.now, *ida.vectors)
        ida.record.set(rtol=np.array([self.options.rtol]), atol=tolerances.atol)
        ida.record.set(peak=tolerances.peak, part=tolerances.part)
        ida.call("IDASetMaxNumSteps", self.progress.burst(len(self.y)))
        ida.call("IDASetMaxStep", self.seen_step)
        ida.call("IDASetStopTime", self.end)
        if self.events is not None:
            ida.watch_roots(self.events.record.address, self.model.reduced.relation_count)
        if self.machine is not None and self.machine.delays is not None:
            ida.read_past(self.machine.record.address)
        if self.machine is not None and (some := controlled_unknowns(self.machine, self.model.reduced)) is not None:
            ida.control_errors_of(some)
        self._log_steps()
        ida.run.set(times=self.times, output=self.output)
        self._watch_states()
        self._fresh = True
        self._stepped = False

    def _watch_states(self) -> None:
        """The loop over single steps, where the best states depend on the point or events follow steps."""
        self._choice = WatchedChoice(self.model, self.p) if depends_on_point(self.model) else None
        self._past = None if self.machine is None else self.machine.delays
        self._steps = self.ida.step_by_step(self._choice, self.machine, self.yp, self.seen_step)

    def _log_steps(self) -> None:
        """Write the steps into a log, if there is one."""
        wanted = self.options.step_log
        if wanted is not None:
            log = wanted.begin("ida", self.model.reduced, np.arange(len(self.y)))
            self.step_log = SundialsStepLog(log, "IDA", self.ida.address, len(self.y))
            self.step_log.aim(self.end, self.seen_step)
            self.ida.record.set(step_log=self.step_log.address)

    def stay(self, t: float) -> None:
        """See SegmentedIntegrator; the vectors of IDA are where it stands."""

    def reach(self, last: int) -> int:
        """See SegmentedIntegrator."""
        if self.ida is None:  # nothing is unknown
            self.done = last
            return 0
        flag: int = Flag.RESELECT
        while flag == Flag.RESELECT:
            flag = self._loop(last) if self._steps is None else self._watched_loop(last, self._steps)
            if flag == Flag.RESELECT:
                self._build()
        return flag

    def _choose_states(self, t: float, stages: Any) -> bool:
        """Take other states, if there are some for this point; True if so."""
        if stages is None:
            return False
        model = self.model.with_states(stages)
        rates = rates_of_states(model.reduced, self.y, self.yp)
        consistent = continued(model, Point(t, self.p), self.y, rates)
        if consistent is None:
            return False
        self.y[:], self.yp[:] = consistent
        self.model = model
        self.tolerances.select(model.reduced.is_state)
        self.watch = model.derived(StateWatch)
        self.now = t
        if self.machine is not None:
            self.machine.select_states(np.flatnonzero(model.reduced.is_state).astype(np.int32))
        self.stats["state_changes"] = self.stats.get("state_changes", 0) + 1
        return True

    def _watched_loop(self, last: int, watched: StepByStep) -> int:
        """Like _loop, step by step, for models whose best states depend on where they are, and those with delays."""
        watched.begin(self._stepped, self.end)
        run = self.ida.run
        reached = self.ida.reached
        reached[0] = self.reached
        flag = 0
        while self.done < last and flag >= 0:
            run.set(first=self.done, last=last)
            burst = self.progress.burst(len(self.y))
            if self._past is not None:
                self._past.make_room(burst)
            flag = flag_of(self.model.entries.timed(watched.advance, burst), self._loops)
            moved = run.get("first") > self.done
            self.done = run.get("first")
            self._stepped = True
            self.reached = float(reached[0])
            if flag == Flag.ROOT:
                if not watched.was_asked:
                    self._read_roots()
                return flag
            if flag == Flag.CLOSE_ROOTS and self.reached > self.now:  # IDA restarts at the last root
                self.restart(self.reached)
                watched.begin(False, self.end)
                flag = 0
                continue
            if flag == Flag.DOUBTFUL and (choice := self._choice) is not None:
                flag = 0
                here = self.reached, self.y, self.yp, self.p
                if self._choose_states(self.reached, choice.better(*here)):
                    self._count()
                    return Flag.RESELECT
                choice.keep(*here)
            flag = self.progress.seen(flag, self.reached, watched.steps, moved)
            if flag in self.stuck:
                flag = self._go_on_after(flag)
                watched.begin(False, self.end)
                if flag == Flag.ROOT:
                    return flag
        return flag if flag < 0 else 0

    def _read_roots(self) -> None:
        assert self.events is not None
        sundials().IDAGetRootInfo(self.ida.address, self.events.roots.ctypes.data)

    def _loop(self, last: int) -> int:
        """The native loop over output times, in chunks."""
        run = self.ida.run
        first = run.number["first"]
        flag = 0
        native = _NATIVE(ida_runtime().addresses["ida_run"])
        while self.done < last and flag >= 0:
            chunk = 1 if self._fresh else _CHUNK  # after the first output time the smallest step changes
            run.words[first] = self.done
            run.words[run.number["last"]] = min(self.done + chunk, last)
            self._limit_steps()
            flag = flag_of(self.model.entries.timed(native, run.address), self._loops)
            moved = run.words[first] > self.done
            self.done = int(run.words[first])
            if flag == Flag.ROOT:
                self.reached = float(self.ida.reached[0])
                self._read_roots()
                return flag
            if flag == Flag.CLOSE_ROOTS and float(self.ida.reached[0]) > self.now:  # IDA restarts at the last root
                self.restart(float(self.ida.reached[0]))
                flag = 0
                continue
            flag = self.progress.seen(flag, *self._where(), bool(moved))
            self.reached = self._where()[0]
            self._fresh = self._fresh and not moved
            self.tolerances.adapt(self.ida.address, self.model, Point(self._where()[0], self.p), self.y, self.yp)
            if flag in self.stuck:
                flag = self._cross(flag)
                flag = self._go_on_after(flag) if flag in self.stuck else flag
                if flag == Flag.ROOT:
                    return flag
        return flag if flag < 0 else 0

    def _limit_steps(self) -> None:
        """The smallest step that still moves time; failing below it is how a jump is noticed.

        Before the first output time it is also far below the step IDA starts with, which speeds and tolerances decide.
        """
        there = float(self.times[self.done])
        self.smallest = 64.0 * np.finfo(float).eps * max(abs(self.reached), abs(there))
        if self._fresh:
            speed = self.tolerances.speed(self.y, self.yp)
            first_step = min(1e-3 * (there - self.reached), 0.5 / max(speed, 1e-300))
            self.smallest = min(self.smallest, 1e-12 * first_step)
        self.ida.call("IDASetMinStep", self.smallest)

    def _cross(self, flag: int) -> int:
        """Continue after a jump: where even the smallest step fails and a condition switches, restart just after it.

        No substitute for events, but it carries step sources and switches. Returns 0 when the integration can continue,
        the flag of the failure when nothing switches there (a pole), CHATTERING when too much does.
        """
        self._count()
        here = State(self.reached, self.y.copy(), self.yp.copy(), self.p)
        found = across_a_jump(self.model, here, self.smallest, self.end)
        if found is None:
            return flag
        self.culprits = found.switched
        self.crossings.append(found.t)
        if is_chattering(self.crossings, self.options.length):
            return Flag.CHATTERING
        self._go_on_from(found)
        return 0

    def _go_on_after(self, flag: int) -> int:
        """Continue where even the smallest step fails: 0, ROOT, or the flag of the failure.

        Where a steep place was stepped over relations may have switched on the way, so that it is an event.
        """
        if self._restart_with_wider_tolerances():
            return 0
        here = State(self.reached, self.y, self.yp, self.p)
        found = None if self.steep is None else self.steep.beyond(self.model, here)
        if found is None or found.t >= self.end:
            return flag
        self._go_on_from(found)
        if self.events is None:
            return 0
        self.reached = found.t
        self.events.roots[:] = 0
        return Flag.ROOT

    def _go_on_from(self, beyond: Beyond) -> None:
        """Restart after something that was not integrated."""
        self.y[:], self.yp[:] = beyond.unknowns
        self.ida.call("IDAReInit", beyond.t, *self.ida.vectors)
        while self.times[self.done] <= beyond.t:
            self.output[self.done] = self.y
            self.done += 1

    def _restart_with_wider_tolerances(self) -> bool:
        """Where steps fail by what is asked of algebraic unknowns; False where nothing can be done."""
        here = Point(self.ida.time, self.p)
        if not self.tolerances.give_way(self.model, here, self.y, self.yp):
            return False
        consistent = continued(self.model, here, self.y, self.yp)
        if consistent is None:
            return False
        self.y[:], self.yp[:] = consistent
        self.restart(here.t)
        return True

    def _where(self) -> tuple[float, int]:
        """The time reached and the steps since the last restart."""
        return self.ida.time, sundials().count("IDAGetNumSteps", self.ida.address)

    def _count(self) -> None:
        """Add up the counters, which IDA sets back at each restart."""
        ida = self.ida
        if self.step_log is not None:
            self.step_log.finish()
        for name, count in ida.counts().items():
            self.stats[name] = self.stats.get(name, 0) + count
        for name in ("residual_evaluations", "jacobian_evaluations"):
            self.stats[name] = ida.record.get(name)
        self.reached = ida.time
        self.stats |= {"repivots": ida.lu.repivots, "restarts": len(self.crossings)}
        self.stats["factor_entries"] = ida.lu.elimination.fill

    def failure(self, flag: int) -> Outcome:
        """How it ended, with the equations and states to look at."""
        t = max(self.reached, self.now)
        if flag == Flag.SINGULAR_POSITION and self._loops is not None:
            return self._loops.outcome(t)
        here = State(t, self.y, self.yp, self.p)
        rows = self.culprits if flag == Flag.CHATTERING else ()
        length = self.options.length
        stop = Stop(self.model, here, lambda d: State(t + d, here.y + d * here.yp, here.yp, here.p), length)
        return stop.outcome(flag, rows)


def integrate(
    model: NativeModel, point: Point, options: Options, initial: Consistent, scales: Scales
) -> tuple[Ida, FloatArray, Outcome]:
    """Run IDA from consistent initial values; the integration carries times and statistics."""
    integration = Ida(model, point.p, options, Tolerances(options, scales, model))
    with integration.progress:
        output, outcome = integration.run(*initial)
    return integration, output, outcome

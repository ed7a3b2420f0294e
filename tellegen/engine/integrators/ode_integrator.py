"""One integration in ODE mode, whatever the method: output, restarts after jumps, how it ended.

    run()             from the start to the end
    begin(), go(t)    segment by segment, for models with events: to a time, or to the first root before it

A method (cvode.py, rk45.py) brings native code that advances over a range of output times; Python
looks in every few milliseconds, as in engine/integrators/ida.py.
"""

from __future__ import annotations

from abc import abstractmethod
from time import perf_counter

import numpy as np

from tellegen.engine.diagnostics.integration_failure import Stop
from tellegen.engine.diagnostics.progress import Watch
from tellegen.engine.diagnostics.switched_relations import State, can_switch, switched
from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.integrators.dynamic_state_selection import depends_on_point
from tellegen.engine.integrators.segmented_integrator import SegmentedIntegrator
from tellegen.engine.integrators.step_over import is_chattering
from tellegen.engine.integrators.watched_choice import WatchedChoice, WatchedChoices
from tellegen.engine.linear_algebra.pivots import SingularMatrixError
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.native.flags import NOT_EVALUATED, Flag
from tellegen.engine.native.outcome import Outcome, from_flag, success
from tellegen.engine.native.waiting_for_code import working_time
from tellegen.engine.request.run_options import Options
from tellegen.engine.request.run_state import RunState
from tellegen.engine.request.scales import AbsoluteTolerances, Peaks
from tellegen.ir.model import FloatArray, IntArray
from tellegen.start.later import later
from tellegen.start.records import dataclass

with later():
    from tellegen.engine.diagnostics.invariant_drift import count_projections, singular_row

_GLANCE_SECONDS = 0.05
_AT_A_JUMP = (Flag.ERROR_TEST, Flag.NO_CONVERGENCE, Flag.REPEATED_RHS)
_TRIES = 12
_ROUNDING = 64.0 * float(np.finfo(float).eps)
# so few that Python need not look in between
_FEW_STATES = 100
_FIRST_POINTS = 4096
_POINTS_OF_MANY_STATES = 16
PER_STEP = 0.25
"""The part of the tolerances that a single step may use: the errors of the steps add up."""

_FINEST = 1e-14


class OdeRun(SegmentedIntegrator):
    """A run from consistent values in the system's work vector; used once."""

    solver = ""
    short_calls = False  # whether native code comes back after some number of steps, reached output times or not

    def __init__(
        self, system: OdeSystem, options: Options, absolute: AbsoluteTolerances, events: EventHandler | None = None
    ) -> None:
        super().__init__(options, system.row_size, events)
        self.system = system
        self.model: NativeModel = system.model
        self.output[0] = system.row
        self.since = options.start
        self.x = system.y[system.states]
        self.absolute = absolute
        self.step_tolerances = self._per_step()
        self.peak: FloatArray | None = None  # the largest values of the states so far; None before it begins
        self.choice = self._watched()
        self.end = options.stop  # beyond which nothing is looked at
        self.rtol = self.step_tolerances.per_step * options.rtol
        self.stats["solver"] = self.solver
        self.progress = Watch(self.model.flat.name, options.start, options.stop, budget=options.max_steps)
        self.smallest = 0.0
        if system.machine.smooth and self.events is None:
            self.largest = options.length if options.longest is None else options.longest
        self.crossings: list[float] = []
        self.culprits: list[int] = []

    @property
    def per_step(self) -> float:
        """The part of the tolerances that a single step may use, by its own estimate."""
        return PER_STEP

    def start(self) -> None:
        """Begin, with states that are good where it starts."""
        system = self.system
        if self.choice is None or not self.choice.is_doubtful(self.since, system.y, system.yp):
            self.begin()
            return
        consistent = system.w.copy()
        self.begin()
        system.w[:] = consistent  # with poor states, other unknowns may have been found for the same ones
        self._choose(self.since)

    @abstractmethod
    def begin(self) -> None:
        """Get ready to integrate from `since` and self.x."""

    @abstractmethod
    def advance(self, last: int) -> int:
        """Integrate to the output times done..last-1, keep `done` up to date; a negative flag is a failure."""

    @abstractmethod
    def restart(self, t: float) -> None:
        """Go on from time t and self.x."""

    @abstractmethod
    def where(self) -> tuple[float, int]:
        """The time reached and the steps since the last restart."""

    @abstractmethod
    def count(self) -> None:
        """Add what the method counts to the statistics."""

    def take_over(self, other: OdeRun) -> None:
        """Go on where a run with another method stands."""
        self.go_on(other)
        self.x = other.x.copy()
        self.peak = None if other.peak is None else other.peak.copy()
        self.since = other.reached
        self.crossings = other.crossings

    def resume(self, state: RunState) -> None:
        """Continue with the tolerances that another run had in the end; before it begins."""
        if state.peaks is not None:
            largest = np.zeros(len(self.system.y))
            largest[state.peaks.unknowns] = state.peaks.value
            self.peak = largest[self.system.states]

    def step_control(self) -> bytes:
        """What another run needs to take the next step as this one would; empty where it has to start again."""
        return b""

    def run(self) -> tuple[FloatArray, Outcome]:
        """The unknowns at the output times that were reached, and how it ended."""
        return self.result(self.integrate())

    def integrate(self) -> int:
        """Go as far as it goes: 0, or the flag of a failure."""
        began = working_time()
        try:
            self.start()
            flag = self.reach(self.total)
        except SingularMatrixError:
            return Flag.SINGULAR
        finally:
            self.progress.stop()
        self.finish(began)
        return flag

    def finish(self, began: float) -> None:
        """Statistics and what the next run may use, at the end of work that began at this working time."""
        self.progress.stop()
        self.count()
        self.stats["seconds"] = self.stats.get("seconds", 0.0) + working_time() - began
        self.stats["rhs_evaluations"] = self.system.count("evaluations")
        self.stats["restarts"] = len(self.crossings)
        self.system.remember_pivots()
        if self.system.projection is not None:
            count_projections(self.system.projection, self.stats, self.reached, self.x)

    def peaks(self) -> Peaks:
        """The largest values of what has a tolerance: of states, and of what Newton's method solves for."""
        index = self.system.states
        peak = np.abs(self.x) if self.peak is None else self.peak.copy()
        too_loose = self.step_tolerances.too_loose
        tears = self.system.machine.iterated
        if len(tears):
            index = np.concatenate([index, tears])
            peak = np.concatenate([peak, np.abs(self.output[: self.done, tears]).max(axis=0)])
            too_loose = self.absolute.too_loose[index]
        is_low = 1 in (peak < too_loose).tobytes()  # a tenth of the time of NumPy's any()
        return Peaks(index, peak, is_low)

    def result(self, flag: int) -> tuple[FloatArray, Outcome]:
        """What there is, and the outcome in words."""
        if flag >= 0:
            self.reached = float(self.times[-1])
            return self.output, success(self.reached)
        return self.output[: self.done], self.failure(flag)

    def failure(self, flag: int) -> Outcome:
        """The outcome in words."""
        if flag == Flag.POLE:
            part, self.culprits = self.system.pole()
            self.reached = float(np.interp(part, (0.0, 1.0), self.times[self.done - 1 : self.done + 1]))
        elif flag == Flag.TOO_MUCH_WORK and (rows := self._switching_ahead(self.reached)[1]):
            flag = Flag.CHATTERING
            self.culprits = rows
        elif flag in NOT_EVALUATED and self.system.count("failed_step"):
            flag = Flag.NO_CONVERGENCE
        elif flag == Flag.SINGULAR_POSITION and self.system.projection is not None:
            return from_flag(flag, self.reached, (f"repeats others: {singular_row(self.system.projection)}",))
        return self._ended(flag)

    def stay(self, t: float) -> None:
        """See SegmentedIntegrator."""
        self.system.rhs(t, self.x)

    def reach(self, last: int) -> int:
        """See SegmentedIntegrator."""
        if self.options.rtol <= _FINEST:
            return Flag.TOO_MUCH_ACCURACY
        flag = 0
        chunk = last  # methods that come back after some steps do all of them: those inside a step before the next one
        if not self.short_calls:
            chunk = self._first_chunk(last)
            self.progress.start()
        while self.done < last and flag >= 0 and flag != Flag.ROOT:
            self.smallest = _ROUNDING * abs(self.reached)
            before = self.done
            began = perf_counter()
            flag = self.advance(min(self.done + chunk, last))
            t, steps = self.where()
            if flag == Flag.DOUBTFUL:
                flag = 0
                self._reconsider(t)
            flag = self.progress.seen(flag, t, steps, self.done > before) if flag != Flag.ROOT else flag
            self.reached = t
            if flag in _AT_A_JUMP:
                flag = self._cross(flag, t)
            elif not self.short_calls:
                is_fast = perf_counter() - began < _GLANCE_SECONDS
                chunk = min(4 * chunk, last) if is_fast else max(chunk // 2, 1)
            if self.done < last and flag != Flag.ROOT:
                self.progress.start()
                self.system.machine.look_after(self.system)
        return flag

    def _per_step(self) -> StepTolerances:
        """The absolute tolerances of the states in a single step; those of the last run are mostly those of this one.

        Absolute tolerances belong to one rtol, so the part of a step is that of before as well.
        """
        system = self.system
        given = self.absolute
        states = system.states
        known = system.attachment(StepTolerances)
        is_known = known is not None and known.given is given and known.states is states and known.solver == self.solver
        if known is None or not is_known:
            part = self.per_step
            start = part * given.start[states]
            growth = part * given.part[states]
            known = StepTolerances(self.solver, given, part, states, start, growth, given.too_loose[states])
            system.attach(known)
        return known

    def _watched(self) -> WatchedChoice | None:
        if not depends_on_point(self.model):
            return None
        system = self.system
        choices = system.attachment(WatchedChoices) or system.attach(WatchedChoices(system.p))
        return choices.of(self.model)

    def _reconsider(self, t: float) -> bool:
        """Compute all unknowns where the run stands, and continue with better states if there are some; True if so."""
        return self.system.rhs(t, self.x) and self._choose(t)

    def _choose(self, t: float) -> bool:
        """Compare the states with other choices at the present unknowns, and continue with a better one; True if so."""
        assert self.choice is not None
        system = self.system
        here = t, system.y, system.yp, system.p
        stages = self.choice.better(*here)
        if stages is None or not self._selected(t, self.model.with_states(stages)):
            self.choice.keep(*here)
            return False
        self.stats["state_changes"] = self.stats.get("state_changes", 0) + 1
        return True

    def _selected(self, t: float, model: NativeModel) -> bool:
        """Go on with other states; False, and as before, where they have no solution."""
        system = self.system
        if model.ode.reason:
            return False
        before = self.model
        solved = system.w.copy()
        largest = np.abs(system.y)
        largest[system.states] = np.abs(self.x) if self.peak is None else self.peak
        system.select(model)
        if not system.rhs(t, solved[system.states]):
            system.select(before)
            system.w[:] = solved
            return False
        self.count()
        self.model = model
        self.x[:] = solved[system.states]
        self.since = self.reached = t
        self.peak = largest[system.states]
        self.step_tolerances = self._per_step()
        self.choice = self._watched()
        if self.machine is not None:
            self.machine.select_states(system.program.states)
        end = self.end
        self.continue_here()
        self.aim(end)
        return True

    def continue_here(self) -> None:
        """Begin again from `since` and self.x, with other states."""
        self.begin()

    def _first_chunk(self, last: int) -> int:
        """How many output times to do before Python looks."""
        return min(last, _FIRST_POINTS) if len(self.x) < _FEW_STATES else _POINTS_OF_MANY_STATES

    def _state(self, t: float, x: FloatArray) -> State | None:
        if not self.system.rhs(t, x):
            return None
        return State(t, self.system.y.copy(), self.system.yp.copy(), self.system.p)

    def _switching_ahead(self, t: float) -> tuple[State | None, list[int]]:
        """The nearest point ahead where a condition has switched, and the rows with such conditions."""
        here = self._state(t, self.x) if can_switch(self.model.reduced) else None
        if here is None:
            return None, []
        rates = self.system.rates[: len(self.x)].copy()
        tiny = 1e-15 * (self.options.stop - self.options.start)
        for attempt in range(_TRIES):
            ahead = 2.0 * max(self.smallest, tiny) * 4.0**attempt
            beyond = self._state(t + ahead, self.x + ahead * rates)
            if beyond is None or t + ahead >= self.times[-1]:
                break
            if rows := switched(self.model.reduced, here, beyond):
                return beyond, rows
        return None, []

    def _cross(self, flag: int, t: float) -> int:
        """Continue after a jump, as IDA's integration does: 0, or the flag of a failure."""
        beyond, rows = self._switching_ahead(t)
        if beyond is None:
            return flag
        self.culprits = rows
        self.crossings.append(beyond.t)
        if is_chattering(self.crossings, self.options.length):
            return Flag.CHATTERING
        self.x[:] = beyond.y[self.system.states]
        while self.times[self.done] <= beyond.t:
            self.output[self.done] = beyond.y
            self.done += 1
        self.count()
        self.system.forget_divisors()
        self.restart(beyond.t)
        return 0

    def _ended(self, flag: int) -> Outcome:
        """How it ended, with the equations and states to look at."""
        system = self.system
        t = self.reached
        x = self.x.copy()

        def look(ahead: float) -> State:
            system.rhs(t + ahead, x + ahead * rates)
            return State(t + ahead, system.y.copy(), system.yp.copy(), system.p)

        solved = system.rhs(t, x)
        rates = system.yp[system.states]
        rows = self.culprits if flag in (Flag.CHATTERING, Flag.POLE) else [] if solved else system.failed_rows()
        here = State(t, system.y.copy(), system.yp.copy(), system.p)
        return Stop(self.model, here, look, self.options.stop - self.options.start).outcome(flag, rows)


@dataclass(frozen=True, eq=False)
class StepTolerances:
    """The absolute tolerances that were asked for, and those of the states in a step."""

    solver: str
    given: AbsoluteTolerances  # of all unknowns
    per_step: float
    states: IntArray
    start: FloatArray
    part: FloatArray  # of the largest value seen
    too_loose: FloatArray

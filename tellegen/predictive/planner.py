"""The planner: at every sample the plan of the last one is moved on by a period and improved.

The first plan is searched until it changes no more: the plant is run along several steps of different length side by
side, and the best is taken. After that one improvement a sample is enough ("real-time iteration"), because plants move
little from one sample to the next. It is a full step to where the linear horizon says; what is not linear opens gaps
between the intervals. Where they are wide the step is not taken: a few steps are searched as for the first plan, from
the inputs of the last one, so that the plan gets no worse. Where the last plan leads nowhere a new one is searched;
where there is none, the controller continues with the last one as far as it reaches, then applies the inputs nearest to
zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from tellegen.errors import users_call
from tellegen.ir.model import FloatArray
from tellegen.predictive.disturbances import Believed, corrected
from tellegen.predictive.intervals import Ends, Intervals, Plant
from tellegen.predictive.problem import ControlProblem, wrong
from tellegen.predictive.quadratic_program import Horizon, Plan, Situation
from tellegen.start.records import dataclass

_CONVERGED = 1e-6  # of the range of an input: a plan that changes less is found
_MOST_ITERATIONS = 200  # of the first plan
_BEYOND = 1e-5  # of a limit: a plan that exceeds it by less does not
_NEAR = 1e-3  # the same, where rounding and tolerances of the plant let no step be better
_GAP = 0.05  # between intervals, of how far a state moves in a plan: a step that opens wider ones is too long
_AT_REST = 1e-3  # of a state: it counts as moving so far at least
_FEW_ITERATIONS = 10  # of a search in place of such a step
_OF_ENDS = ("values", "by_state", "by_input", "ok")


@dataclass(frozen=True, eq=False)
class Sample:
    """What was decided at one sample, and by which disturbances."""

    inputs: dict[str, float]
    disturbances: dict[str, float]
    beyond: dict[str, float]  # limits that the plan exceeds, and by how much
    plan: Plan | None
    success: bool
    message: str
    iterations: int
    seconds: float


@dataclass(frozen=True, eq=False)
class _Course:
    """A plan, and where its intervals end; also that of one interval more, with the inputs of the last."""

    plan: Plan
    ends: Ends
    next_end: Ends | None = None


@dataclass(frozen=True, eq=False)
class _Search:
    """How a search ended: a course, or None with the reason."""

    course: _Course | None
    iterations: int
    message: str


@dataclass(frozen=True, eq=False)
class Memory:
    """What is known from the samples before."""

    course: _Course | None
    left: int  # intervals of the plan that can still be applied
    applied: FloatArray
    believed: Believed
    samples: int


class Planner:
    """Chooses inputs of a plant by looking ahead."""

    def __init__(self, problem: ControlProblem, plant: Plant, intervals: Intervals, iterations: int) -> None:
        self.problem = problem
        self.plant = plant
        self.intervals = intervals
        self.iterations = iterations
        self._horizon = Horizon(problem, len(plant.states))
        self.reset()

    @property
    def states(self) -> tuple[str, ...]:
        """What has to be known of the plant at every sample."""
        return self.plant.states

    @users_call
    def reset(self, guess: Mapping[str, float] | None = None) -> None:
        """Forget the plan: the next sample is a first one.

        Its search begins with the inputs of `guess`, else with those nearest to zero. Where a plant has several
        plans that are best among their neighbours, the guess decides which one is found.
        """
        self._course: _Course | None = None
        self._left = 0  # intervals of the plan that can still be applied
        self._applied = np.clip(np.zeros(len(self.problem.inputs)), self.problem.low, self.problem.high)
        self._first = self._guessed(guess or {})
        self._believed = Believed(self.plant.disturbances, np.zeros(len(self.states)))
        self.samples: list[Sample] = []

    @property
    def last(self) -> Sample | None:
        """The decision at the last sample."""
        return self.samples[-1] if self.samples else None

    def memory(self) -> Memory:
        """What is known from the samples before, to come back to."""
        return Memory(self._course, self._left, self._applied, self._believed, len(self.samples))

    def recall(self, memory: Memory) -> None:
        """Go back to what was known then."""
        self._course = memory.course
        self._left = memory.left
        self._applied = memory.applied
        self._believed = memory.believed
        del self.samples[memory.samples :]

    @users_call
    def step(self, state: Mapping[str, Any], references: Mapping[str, Any] | None = None) -> dict[str, float]:
        """The inputs until the next sample, for the states as they are now, all in declared units.

        `references` are what tracked variables are to be, zero where nothing is said: a number, or one for the end of
        each interval of the horizon. `last` is the whole decision: plan, success, message, seconds.
        """
        begin = perf_counter()
        measured = self._state(state)
        believed = corrected(self._believed, self.intervals, self.problem.given.gains, measured)
        now = Situation(measured, self._applied, believed.values, self._references(references))
        moved = None if self._course is None else self._moved(self._course, now)
        found = _Search(None, 0, "") if moved is None else self._continued(moved, now)
        if found.course is None:
            first = self._applied if self.samples else self._first
            found = self._searched(np.tile(first, (self.problem.horizon, 1)), now, _MOST_ITERATIONS)
        if found.course is not None:
            self._course = found.course
            self._left = self.problem.horizon - 1
            inputs = found.course.plan.inputs[0]
        else:
            inputs = self._without_a_plan(moved)
        self._applied = inputs
        self._believed = believed.after(measured, inputs)
        self.samples.append(self._sample(found, inputs, believed, perf_counter() - begin))
        return self.samples[-1].inputs

    def _sample(self, found: _Search, inputs: FloatArray, believed: Believed, seconds: float) -> Sample:
        """The decision in names."""
        problem = self.problem
        beyond = np.zeros(len(problem.limited)) if found.course is None else found.course.plan.beyond
        return Sample(
            inputs=dict(zip(problem.inputs, inputs.tolist(), strict=True)),
            disturbances=dict(zip(problem.given.disturbances, believed.values.tolist(), strict=True)),
            beyond={
                path: float(much)
                for path, much, size in zip(problem.limited, beyond, problem.sizes, strict=True)
                if much > _BEYOND * size
            },
            plan=None if self._course is None else self._course.plan,
            success=found.course is not None,
            message=found.message,
            iterations=found.iterations,
            seconds=seconds,
        )

    # -- the search -----------------------------------------------------------------------------------------------
    def _continued(self, course: _Course, now: Situation) -> _Search:
        """The plan of the last sample, improved by full steps; its intervals need not meet, but nearly."""
        first = course
        for count in range(1, self.iterations + 1):
            if not course.ends.ok.all():
                return _Search(None, count, "the plant cannot be run along the last plan")
            wanted = self._horizon.improved(course.plan, course.ends, now)
            if wanted is None:
                return _Search(None, count, "the quadratic program has no answer")
            course = self._along(wanted, now)
            if not _nearly_meet(course):
                return self._searched(first.plan.inputs, now, _FEW_ITERATIONS)
        return _Search(course, self.iterations, "improved")

    def _searched(self, first: FloatArray, now: Situation, most: int) -> _Search:
        """A plan from the inputs that it begins with: each step is as long as makes the run along its inputs best."""
        best = self._best_run(first[None], now)
        if best is None:
            return _Search(None, 0, "the plant cannot be run with the inputs it has")
        course, cost = best
        for count in range(1, most + 1):
            wanted = self._horizon.improved(course.plan, course.ends, now)
            if wanted is None:
                return _Search(course if count > 1 else None, count, "the quadratic program has no answer")
            step = wanted.inputs - course.plan.inputs
            tried = course.plan.inputs + np.array(self.intervals.parts)[:, None, None] * step
            best = self._best_run(tried, now)
            if best is None or not best[1] < cost:
                converged = float(np.abs(step / self._ranges()).max()) < _NEAR
                return _Search(course, count, "converged" if converged else "no step makes the plan better")
            change = float(np.abs((best[0].plan.inputs - course.plan.inputs) / self._ranges()).max())
            course, cost = best
            if change < _CONVERGED:
                return _Search(course, count, "converged")
        return _Search(course, most, f"stopped after {most} iterations")

    def _along(self, plan: Plan, now: Situation) -> _Course:
        """All intervals of a plan, each from where it begins."""
        inputs = np.vstack([plan.inputs, plan.inputs[-1:]])
        ends = self.intervals.run(plan.states, self._held(inputs, now))
        return _Course(plan, _rows(ends, slice(None, -1)), _rows(ends, slice(-1, None)))

    def _best_run(self, inputs: FloatArray, now: Situation) -> tuple[_Course, float] | None:
        """The best of several sequences of inputs, each applied to the plant from now on, side by side."""
        count, horizon, _ = inputs.shape
        states = np.full((count, horizon + 1, len(now.state)), np.nan)
        states[:, 0] = now.state
        held = self._held(inputs.reshape(count * horizon, -1), now).reshape(count, horizon, -1)
        ends = []
        for k in range(horizon):
            ends.append(self.intervals.run(states[:, k], held[:, k]))
            states[:, k + 1] = ends[-1].values[:, : len(now.state)]
        good = np.all([each.ok for each in ends], axis=0)
        outputs = np.stack([each.values[:, len(now.state) :] for each in ends], axis=1)
        costs = [self._cost(outputs[n], inputs[n], now) if good[n] else np.inf for n in range(count)]
        best = int(np.argmin(costs))
        if not np.isfinite(costs[best]):
            return None
        own = Ends(*(np.stack([getattr(each, name)[best] for each in ends]) for name in _OF_ENDS))
        return _Course(Plan(states[best], inputs[best], self._beyond(outputs[best])), own), costs[best]

    def _held(self, inputs: FloatArray, now: Situation) -> FloatArray:
        """Inputs in rows, with the disturbances beside them."""
        return np.hstack([inputs, np.tile(now.disturbances, (len(inputs), 1))])

    def _beyond(self, outputs: FloatArray) -> FloatArray:
        """How far each limit is exceeded, at worst."""
        problem = self.problem
        limited = outputs[:, len(problem.tracked) :]
        return np.maximum(np.maximum(problem.lowest - limited, limited - problem.highest), 0.0).max(axis=0, initial=0.0)

    def _cost(self, outputs: FloatArray, inputs: FloatArray, now: Situation) -> float:
        problem = self.problem
        tracked = outputs[:, : len(problem.tracked)]
        before = np.vstack([now.applied, inputs[:-1]])
        cost = 0.5 * float((problem.weights * (tracked - now.references) ** 2).sum())
        cost += 0.5 * float((problem.effort * inputs**2).sum())
        cost += 0.5 * float((problem.changes * (inputs - before) ** 2).sum())
        beyond = self._beyond(outputs)
        return cost + problem.violation * float((beyond + 0.5 * beyond**2 / problem.sizes).sum())

    def _ranges(self) -> FloatArray:
        span = self.problem.high - self.problem.low
        return np.where(np.isfinite(span), span, np.maximum(np.abs(self._applied), 1.0))

    # -- plans ----------------------------------------------------------------------------------------------------
    def _moved(self, course: _Course, now: Situation) -> _Course:
        """A period later; the last interval has the inputs of the one before."""
        plan = course.plan
        inputs = np.vstack([plan.inputs[1:], plan.inputs[-1:]])
        begins = plan.states[1:]
        if course.next_end is None or len(now.disturbances):  # what acts may be another than it was believed
            ends = self.intervals.run(begins, self._held(inputs, now))
        else:
            parts = [(getattr(course.ends, name)[1:], getattr(course.next_end, name)) for name in _OF_ENDS]
            ends = Ends(*(np.concatenate(pair) for pair in parts))
        final = ends.values[-1:, : begins.shape[1]]
        states = np.vstack([begins, final if np.isfinite(final).all() else begins[-1:]])
        return _Course(Plan(states, inputs, plan.beyond), ends)

    def _without_a_plan(self, moved: _Course | None) -> FloatArray:
        """The next inputs of the last plan, as far as it reaches."""
        if moved is not None and self._left > 0:
            self._left -= 1
            self._course = moved
            return moved.plan.inputs[0]
        self._course = None
        return np.clip(np.zeros(len(self.problem.inputs)), self.problem.low, self.problem.high)

    def _guessed(self, guess: Mapping[str, float]) -> FloatArray:
        """Inputs to begin a search with; of those without a guess the ones that are applied."""
        names = self.problem.inputs
        stranger = next((path for path in guess if path not in names), None)
        if stranger is not None:
            raise wrong(f"the guess names '{stranger}', which is not set", f"inputs are {', '.join(names)}")
        found = [float(guess.get(path, value)) for path, value in zip(names, self._applied, strict=True)]
        return np.clip(found, self.problem.low, self.problem.high)

    # -- what is given --------------------------------------------------------------------------------------------
    def _state(self, given: Mapping[str, Any]) -> FloatArray:
        missing = [path for path in self.states if path not in given]
        if missing:
            raise wrong(f"the state of the plant lacks {', '.join(missing)}", f"give all of {', '.join(self.states)}")
        try:
            found = np.array([float(given[path]) for path in self.states])
        except (TypeError, ValueError):
            raise wrong(f"states of the plant are numbers, not {dict(given)!r}", "in declared units") from None
        if not np.isfinite(found).all():
            bad = self.states[int(np.flatnonzero(~np.isfinite(found))[0])]
            raise wrong(f"the state '{bad}' of the plant is not a finite number", "check the sensor or the estimator")
        return found

    def _references(self, given: Mapping[str, Any] | None) -> FloatArray:
        tracked = self.problem.tracked
        out = np.zeros((self.problem.horizon, len(tracked)))
        for path, value in (given or {}).items():
            if path not in tracked:
                raise wrong(f"'{path}' is not tracked", f"references are those of {', '.join(tracked)}")
            column = np.asarray(value, float)
            if column.shape not in ((), (self.problem.horizon,)) or not np.isfinite(column).all():
                what = f"the reference of '{path}' is a number, or {self.problem.horizon} of them"
                raise wrong(what, "one for the end of each interval of the horizon")
            out[:, tracked.index(path)] = column
        return out


def _rows(ends: Ends, which: slice) -> Ends:
    """Some of the intervals."""
    return Ends(*(getattr(ends, name)[which] for name in _OF_ENDS))


def _nearly_meet(course: _Course) -> bool:
    """Whether intervals end near where the next ones begin."""
    states = course.plan.states
    gaps = np.abs(course.ends.values[:, : states.shape[1]] - states[1:]).max(axis=0)
    moves = np.maximum(np.ptp(states, axis=0), _AT_REST * np.abs(states).max(axis=0))
    return bool(course.ends.ok.all() and (gaps <= _GAP * moves).all())

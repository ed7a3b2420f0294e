"""The trajectory as a nonlinear program: multiple shooting.

Unknowns are the states at the ends of all intervals, the inputs of all intervals, and how long an interval lasts:

    z = (s[1] ... s[N], q[0] ... q[N-1], h)         s[k+1] = where interval k ends, from s[k] with q[k] in time h

All intervals run side by side with exact first derivatives, whether or not they meet. Second derivatives of the
Lagrange function are differences of those, interval by interval, in the same lanes. Unknowns are in units of their own
sizes, so that one of them is as large as another.
"""

from __future__ import annotations

import numpy as np

from tellegen.ir.model import FloatArray
from tellegen.predictive.intervals import Ends, Intervals
from tellegen.predictive.trajectories.problem import TrajectoryProblem
from tellegen.predictive.trajectories.sizes import sizes_of
from tellegen.start.records import dataclass

_PART = 1e-4  # of the size of an unknown: how far derivatives are compared


@dataclass(frozen=True, eq=False)
class Guess:
    """States at the ends of intervals (the start first), inputs of intervals, and the length of one."""

    states: FloatArray  # (N + 1, states)
    inputs: FloatArray  # (N, inputs)
    length: float


@dataclass(frozen=True, eq=False)
class Point:
    """The program at a point: `z` in units of sizes; derivatives are by these."""

    z: FloatArray
    guess: Guess
    ends: Ends
    cost: float
    gaps: FloatArray  # of states at the ends of intervals, in units of their sizes
    missed: FloatArray  # of end conditions, in units of their sizes
    limited: FloatArray  # (N, limited): values


class NonlinearProgram:
    """Cost, constraints and their derivatives at points z."""

    def __init__(self, problem: TrajectoryProblem, intervals: Intervals, first: Guess) -> None:
        self.problem = problem
        self.intervals = intervals
        self.start = first.states[0]
        count = problem.count
        self.states = len(self.start)
        self.inputs = len(problem.given.names)
        held = np.hstack([first.inputs, np.full((count, 1), first.length)])
        self.sizes = sizes_of(problem, intervals, first.states, held)
        self.units = self.sizes.of_unknowns(count)

    # -- vectors ------------------------------------------------------------------------------------------------------
    def vector(self, guess: Guess) -> FloatArray:
        """A guess as a vector in units of sizes."""
        return np.concatenate([guess.states[1:].ravel(), guess.inputs.ravel(), [guess.length]]) / self.units

    def guess(self, z: FloatArray) -> Guess:
        """A vector as states, inputs and a length."""
        count = self.problem.count
        values = z * self.units
        states = np.vstack([self.start, values[: count * self.states].reshape(count, self.states)])
        return Guess(states, values[count * self.states : -1].reshape(count, self.inputs), float(values[-1]))

    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """Of the vector; states have none."""
        problem = self.problem
        free = np.full(problem.count * self.states, np.inf)
        given = problem.given
        low = np.concatenate([-free, np.tile(given.low, problem.count), [problem.duration.low / problem.count]])
        high = np.concatenate([free, np.tile(given.high, problem.count), [problem.duration.high / problem.count]])
        return low / self.units, high / self.units

    # -- evaluation ---------------------------------------------------------------------------------------------------
    def points(self, vectors: FloatArray) -> list[Point | None]:
        """The program at several vectors, side by side; None where an interval cannot be run."""
        guesses = [self.guess(z) for z in vectors]
        states = np.vstack([guess.states[:-1] for guess in guesses])
        held = np.vstack([self._held(guess) for guess in guesses])
        ends = self.intervals.run(states, held)
        count = self.problem.count
        found: list[Point | None] = []
        for k, (z, guess) in enumerate(zip(vectors, guesses, strict=True)):
            part = slice(k * count, (k + 1) * count)
            own = Ends(ends.values[part], ends.by_state[part], ends.by_input[part], ends.ok[part])
            found.append(self._point(z, guess, own) if own.ok.all() else None)
        return found

    def _held(self, guess: Guess) -> FloatArray:
        return np.hstack([guess.inputs, np.full((len(guess.inputs), 1), guess.length)])

    def _point(self, z: FloatArray, guess: Guess, ends: Ends) -> Point:
        problem = self.problem
        outputs = ends.values[:, self.states :]
        reached = len(problem.reached)
        cost = problem.of_time * problem.count * guess.length
        cost += guess.length * float((problem.effort * guess.inputs**2).sum())
        if problem.least:
            cost += problem.sign * float(outputs[-1, reached])
        gaps = (ends.values[:, : self.states] - guess.states[1:]) / self.sizes.states
        missed = (outputs[-1, :reached] - problem.ends) / self.sizes.ends
        return Point(z, guess, ends, cost, gaps, missed, outputs[:, reached + len(problem.least) :])

    def gradient(self, point: Point) -> FloatArray:
        """Of the cost, in units of its size."""
        problem = self.problem
        count = problem.count
        out = np.zeros(len(point.z))
        inputs = slice(count * self.states, -1)
        out[inputs] += 2.0 * point.guess.length * (problem.effort * point.guess.inputs).ravel()
        out[-1] += problem.of_time * count + float((problem.effort * point.guess.inputs**2).sum())
        if problem.least:
            out += problem.sign * self._row(point, count - 1, self.states + len(problem.reached)) / self.units
        return out * self.units / self.sizes.cost

    def continuity(self, point: Point) -> FloatArray:
        """The matrix of the gaps."""
        count = self.problem.count
        rows = [self._row(point, k, j) for k in range(count) for j in range(self.states)]
        out = np.array(rows) / np.tile(self.sizes.states, count)[:, None]
        out[:, : count * self.states] -= np.eye(count * self.states)
        return out

    def end_rows(self, point: Point) -> FloatArray:
        """The matrix of what is missed at the end."""
        rows = [self._row(point, self.problem.count - 1, self.states + j) for j in range(len(self.problem.reached))]
        return np.array(rows).reshape(-1, len(point.z)) / self.sizes.ends[:, None]

    def limit_rows(self, point: Point) -> FloatArray:
        """The matrix of what is limited, all intervals of the first limit, then of the second, in units of sizes."""
        first = self.states + len(self.problem.reached) + len(self.problem.least)
        rows = [
            self._row(point, k, first + j) / size
            for j, size in enumerate(self.sizes.limits)
            for k in range(self.problem.count)
        ]
        return np.array(rows).reshape(-1, len(point.z))

    def _row(self, point: Point, k: int, row: int) -> FloatArray:
        """The derivatives of one number at the end of interval k, by the vector in units of sizes."""
        count = self.problem.count
        out = np.zeros(len(point.z))
        if k > 0:
            out[(k - 1) * self.states : k * self.states] = point.ends.by_state[k, row]
        begin = count * self.states + k * self.inputs
        out[begin : begin + self.inputs] = point.ends.by_input[k, row, : self.inputs]
        out[-1] = point.ends.by_input[k, row, self.inputs]
        return out * self.units

    def hessian(self, point: Point, weights: FloatArray) -> FloatArray:
        """Of the cost and of `weights` (N, states + outputs) times the ends of intervals, in units of sizes."""
        problem = self.problem
        count = problem.count
        size = self.states + self.inputs + 1
        own = np.concatenate([self.sizes.states, self.sizes.inputs, self.units[-1:]])
        blocks = self._interval_hessians(point, weights, own)
        out = np.zeros((len(point.z), len(point.z)))
        inputs = np.arange(self.inputs)
        for k in range(count):
            block = blocks[k]
            effort = 2.0 * problem.effort * self.sizes.inputs / self.sizes.cost
            block[self.states + inputs, self.states + inputs] += point.guess.length * effort * self.sizes.inputs
            cross = effort * point.guess.inputs[k] * self.sizes.length
            block[self.states : -1, -1] += cross
            block[-1, self.states : -1] += cross
            states = np.arange((k - 1) * self.states, k * self.states)
            begin = count * self.states + k * self.inputs
            where = np.concatenate([states, begin + inputs, [len(point.z) - 1]])
            known = np.arange(self.states if k == 0 else 0, size)  # the start does not move
            at = where[known]
            out[at[:, None], at] += block[known[:, None], known]
        return out

    def _interval_hessians(self, point: Point, weights: FloatArray, own: FloatArray) -> FloatArray:
        """Central differences of the gradients of each interval."""
        count = self.problem.count
        size = len(own)
        given = np.hstack([point.guess.states[:-1], self._held(point.guess)])
        steps = _PART * own
        moved = np.concatenate([given + sign * np.diag(steps)[j] for j in range(size) for sign in (1.0, -1.0)])
        ends = self.intervals.run(moved[:, : self.states], moved[:, self.states :])
        slopes = np.concatenate([ends.by_state, ends.by_input], axis=2)
        slopes = np.where(np.isfinite(slopes), slopes, 0.0).reshape(size, 2, count, -1, size)
        second = (slopes[:, 0] - slopes[:, 1]) / (2.0 * steps[:, None, None, None])
        blocks = np.einsum("jkri,kr->kji", second, weights) * own[:, None] * own
        return 0.5 * (blocks + blocks.transpose(0, 2, 1))

"""One step of the search: the horizon made linear at a plan, as a quadratic program in the inputs alone.

States follow from inputs interval by interval,

    dx[k+1] = A[k] dx[k] + B[k] du[k] + gap[k],     gap[k] = where interval k ends - where interval k+1 begins

so they are eliminated ("condensing"). The cost is a sum of squares, of which the Gauss-Newton matrix is taken. Limits
of inputs are hard. Limits of outputs give way at a price: one slack for each, so that a plan always exists.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.predictive.intervals import Ends
from tellegen.predictive.problem import ControlProblem
from tellegen.start.records import dataclass

_REGULAR = 1e-12  # of the largest curvature, added to all: a program with one answer
_SMALLEST_SLACK = 1e-4  # unit of a slack, of the limit: large violations are not too many of them
_UNBOUNDED = 1e30  # what DAQP takes for no bound
_SOLVED = 1  # what DAQP calls an optimal answer


@dataclass(frozen=True, eq=False)
class Plan:
    """States at the begin of each interval and at the end of the last, and the inputs of each interval."""

    states: FloatArray  # (horizon + 1, states)
    inputs: FloatArray  # (horizon, inputs)
    beyond: FloatArray  # how far each limit of a variable is exceeded


@dataclass(frozen=True, eq=False)
class Situation:
    """Where the plant is, what was applied last, what acts on it, and what the outputs are to be in each interval."""

    state: FloatArray
    applied: FloatArray
    disturbances: FloatArray
    references: FloatArray  # (horizon, tracked)


@dataclass(frozen=True, eq=False)
class Program:
    """min 1/2 x'Hx + g'x with low <= (x, A x) <= high, in numbers of about one: DAQP's tolerances are absolute."""

    hessian: FloatArray
    gradient: FloatArray
    rows: FloatArray  # A
    low: FloatArray  # of x, then of A x
    high: FloatArray
    sizes: FloatArray  # what a one of x stands for


class Horizon:
    """Steps of one problem: the memory of its matrices, which are filled at every sample.

    Everything in interval k is a row of numbers: what it is without changes, then its slopes by the changes of all
    inputs, each in units of its size. `_rows[k]` are the outputs and states at the end of the interval before, a one,
    and the inputs of interval k, so that one product gives `_rows[k + 1]`.
    """

    def __init__(self, problem: ControlProblem, states: int) -> None:
        horizon = problem.horizon
        inputs = len(problem.inputs)
        self.problem = problem
        self._states = slice(len(problem.outputs), len(problem.outputs) + states)
        self._width = 1 + horizon * inputs
        self._rows = np.zeros((horizon + 1, self._states.stop + 1 + inputs, self._width))
        self._rows[:, self._states.stop, 0] = 1.0
        for k in range(horizon):
            self._rows[k, self._states.stop + 1 :, 1 + k * inputs : 1 + (k + 1) * inputs] = np.eye(inputs)
        self._by_rows = np.empty((horizon, self._states.stop, states + 1 + inputs))
        self._products = [
            (self._by_rows[k], self._rows[k, self._states.start :], self._rows[k + 1, : self._states.stop])
            for k in range(horizon)
        ]
        self._roots = np.repeat(np.sqrt(problem.weights)[:, :, None], states + 1 + inputs, axis=2)
        self._input_sizes = _bound_sizes(problem.low, problem.high)
        self._limit_sizes = _bound_sizes(problem.lowest, problem.highest)
        self._price_sizes = problem.sizes
        self._curvature = _own_curvature(problem)
        self._give_way = np.tile(np.eye(len(problem.limited)), (horizon, 1))

    def improved(self, plan: Plan, ends: Ends, now: Situation) -> Plan | None:
        """The plan after a full step of Gauss and Newton; None where the program has no answer."""
        problem = self.problem
        sizes = _sizes(self._input_sizes, plan.inputs)
        self._condense(plan, ends, now, sizes)
        solved = solve(self.program(plan, now, sizes))
        if solved is None:
            return None
        count = plan.inputs.size
        change = solved[:count].reshape(plan.inputs.shape)
        moved = self._rows[:, self._states] @ np.concatenate([[1.0], (change / sizes).ravel()])
        inputs = np.minimum(np.maximum(plan.inputs + change, problem.low), problem.high)
        return Plan(plan.states + moved, inputs, np.maximum(solved[count:], 0.0))

    def _condense(self, plan: Plan, ends: Ends, now: Situation, sizes: FloatArray) -> None:
        """States and outputs of all intervals as linear functions of the changes of all inputs.

        Of what is tracked it is how far it is from its reference, times the root of its weight.
        """
        states = plan.states.shape[1]
        for to, own in ((slice(states, None), slice(0, self._states.start)), (slice(0, states), self._states)):
            self._by_rows[:, own, :states] = ends.by_state[:, to]
            self._by_rows[:, own, states] = ends.values[:, to]
            self._by_rows[:, own, states + 1 :] = ends.by_input[:, to, : len(sizes)] * sizes
        self._by_rows[:, self._states, states] -= plan.states[1:]
        tracked = len(self.problem.tracked)
        self._by_rows[:, :tracked, states] -= now.references
        self._by_rows[:, :tracked] *= self._roots
        self._rows[0, self._states, 0] = now.state - plan.states[0]
        for slopes, rows, following in self._products:
            np.matmul(slopes, rows, out=following)

    def _squares(self, plan: Plan, now: Situation, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Hessian and gradient of the cost by the changes of inputs: half the sum of weighted squares."""
        problem = self.problem
        tracked = len(problem.tracked)
        missed = self._rows[1:, :tracked].reshape(-1, self._width)
        squares = missed.T @ missed
        before = np.vstack([now.applied, plan.inputs[:-1]])
        jumps = problem.changes * (plan.inputs - before)
        slopes = problem.effort * plan.inputs + jumps
        slopes[:-1] -= jumps[1:]
        of_all = np.broadcast_to(sizes, slopes.shape).ravel()
        hessian = squares[1:, 1:] + self._curvature * (of_all[:, None] * of_all)
        return hessian, squares[1:, 0] + (slopes * sizes).ravel()

    def program(self, plan: Plan, now: Situation, sizes: FloatArray) -> Program:
        """Changes of inputs, then slacks of limits."""
        problem = self.problem
        of_inputs, slopes = self._squares(plan, now, sizes)
        count = len(slopes)
        limited = len(problem.limited)
        curvature = float(of_inputs.max()) or 1.0
        typical = float(of_inputs.diagonal().max())
        of_inputs.reshape(-1)[:: count + 1] += _REGULAR * curvature
        read = self._rows[1:, len(problem.tracked) : self._states.start]
        outputs = read[:, :, 0]
        limit_sizes = _sizes(self._limit_sizes, outputs)
        slack_sizes = self._slack_sizes(limit_sizes, typical)
        of_slacks = problem.violation / self._price_sizes * slack_sizes**2
        unit = max(curvature, float(of_slacks.max(initial=0.0)))
        hessian = np.zeros((count + limited, count + limited))
        hessian[:count, :count] = of_inputs / unit
        hessian[count:, count:] = np.diag(of_slacks / unit)
        half = self.problem.horizon * limited
        rows = np.empty((2 * half, count + limited))
        rows[:half, :count] = (read[:, :, 1:] / limit_sizes[:, None]).reshape(half, count)
        rows[half:, :count] = rows[:half, :count]
        rows[half:, count:] = self._give_way * (slack_sizes / limit_sizes)
        rows[:half, count:] = -rows[half:, count:]
        low = np.full(count + limited + 2 * half, -_UNBOUNDED)
        high = np.full(count + limited + 2 * half, _UNBOUNDED)
        low[:count] = ((problem.low - plan.inputs) / sizes).ravel()
        high[:count] = ((problem.high - plan.inputs) / sizes).ravel()
        low[count : count + limited] = 0.0
        high[count + limited : count + limited + half] = ((problem.highest - outputs) / limit_sizes).ravel()
        low[count + limited + half :] = ((problem.lowest - outputs) / limit_sizes).ravel()
        return Program(
            hessian=hessian,
            gradient=np.concatenate([slopes, problem.violation * slack_sizes]) / unit,
            rows=rows,
            low=np.maximum(low, -_UNBOUNDED),
            high=np.minimum(high, _UNBOUNDED),
            sizes=np.concatenate([np.broadcast_to(sizes, plan.inputs.shape).ravel(), slack_sizes]),
        )

    def _slack_sizes(self, limit_sizes: FloatArray, typical: float) -> FloatArray:
        """Units of slacks in which they curve the cost as inputs do, whatever a violation costs."""
        violation = self.problem.violation
        if not (violation > 0.0 and typical > 0.0):
            return limit_sizes
        wanted = np.sqrt(typical * self._price_sizes / violation)
        return np.minimum(np.maximum(wanted, _SMALLEST_SLACK * limit_sizes), limit_sizes)


def _own_curvature(problem: ControlProblem) -> FloatArray:
    """What inputs cost by themselves: the squares of each, and of its changes from interval to interval."""
    horizon = problem.horizon
    inputs = len(problem.inputs)
    every = np.eye(horizon * inputs)
    moved = every - np.eye(horizon * inputs, k=-inputs)
    return np.tile(problem.effort, horizon) * every + moved.T @ (np.tile(problem.changes, horizon)[:, None] * moved)


def solve(program: Program) -> FloatArray | None:
    """The answer in declared units; None where there is none."""
    found, _, flag, _ = daqp().solve(program.hessian, program.gradient, program.rows, program.high, program.low)
    return np.asarray(found) * program.sizes if flag == _SOLVED and np.isfinite(found).all() else None


def _bound_sizes(low: FloatArray, high: FloatArray) -> FloatArray:
    """The larger of two limits."""
    bounds = np.abs([low, high])
    return np.where(np.isfinite(bounds), bounds, 0.0).max(axis=0)


def _sizes(bounds: FloatArray, values: FloatArray) -> FloatArray:
    """What is large for quantities between limits: DAQP's tolerances are absolute, so it gets numbers of about one."""
    found = np.maximum(bounds, np.abs(values).max(axis=0, initial=0.0))
    found[found == 0.0] = 1.0
    return found


@cache
def daqp() -> Any:
    try:
        import daqp as solver
    except ImportError:
        raise DesignError(
            "E691",
            "predictive control needs the solver DAQP of quadratic programs, which is not installed",
            location=here(),
            advice="pip install 'tellegen[predictive]'",
        ) from None
    return solver

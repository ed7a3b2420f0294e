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
class _Linear:
    """States and outputs of all intervals as linear functions of the changes of all inputs."""

    state_offset: FloatArray  # (horizon + 1, states)
    by_inputs: FloatArray  # (horizon + 1, states, horizon * inputs)
    outputs: FloatArray  # (horizon, outputs)
    outputs_by_inputs: FloatArray  # (horizon, outputs, horizon * inputs)


def improved(problem: ControlProblem, plan: Plan, ends: Ends, now: Situation) -> Plan | None:
    """The plan after a full step of Gauss and Newton; None where the program has no answer."""
    linear = _condensed(plan, ends, now.state)
    solved = solve(program_of(problem, plan, linear, now))
    if solved is None:
        return None
    change = solved[: plan.inputs.size]
    states = plan.states + linear.state_offset + linear.by_inputs @ change
    inputs = np.clip(plan.inputs + change.reshape(plan.inputs.shape), problem.low, problem.high)
    return Plan(states, inputs, np.maximum(solved[plan.inputs.size :], 0.0))


def _condensed(plan: Plan, ends: Ends, state: FloatArray) -> _Linear:
    """All as matrices with a column for what is there without changes, then one for each change."""
    horizon, inputs = plan.inputs.shape
    states = plan.states.shape[1]
    rows = ends.values.shape[1]
    moved = np.zeros((horizon + 1, states, 1 + horizon * inputs))
    read = np.zeros((horizon, rows, 1 + horizon * inputs))
    moved[0, :, 0] = state - plan.states[0]
    there = ends.values.copy()
    there[:, :states] -= plan.states[1:]
    for k in range(horizon):
        own = 1 + k * inputs
        now = read[k]
        np.matmul(ends.by_state[k], moved[k, :, :own], out=now[:, :own])
        now[:, 0] += there[k]
        now[:, own : own + inputs] = ends.by_input[k, :, :inputs]
        moved[k + 1] = now[:states]
    outputs = read[:, states:]
    return _Linear(moved[:, :, 0], moved[:, :, 1:], outputs[:, :, 0], outputs[:, :, 1:])


def _least_squares(
    problem: ControlProblem, plan: Plan, linear: _Linear, now: Situation
) -> tuple[FloatArray, FloatArray]:
    """The cost is half the square of matrix @ change + residual."""
    horizon, inputs = plan.inputs.shape
    tracked = len(problem.tracked)
    roots = np.sqrt(problem.weights)
    missed = roots * (linear.outputs[:, :tracked] - now.references)
    by_inputs = roots[:, :, None] * linear.outputs_by_inputs[:, :tracked]
    every = np.eye(horizon * inputs)
    effort = np.tile(np.sqrt(problem.effort), horizon)
    changes = np.tile(np.sqrt(problem.changes), horizon)
    before = np.vstack([now.applied, plan.inputs[:-1]])
    moved = every - np.eye(horizon * inputs, k=-inputs)
    matrix = np.vstack([by_inputs.reshape(-1, horizon * inputs), effort[:, None] * every, changes[:, None] * moved])
    residual = np.concatenate([missed.ravel(), effort * plan.inputs.ravel(), changes * (plan.inputs - before).ravel()])
    return matrix, residual


@dataclass(frozen=True, eq=False)
class Program:
    """min 1/2 x'Hx + g'x with low <= (x, A x) <= high, in numbers of about one: DAQP's tolerances are absolute."""

    hessian: FloatArray
    gradient: FloatArray
    rows: FloatArray  # A
    low: FloatArray  # of x, then of A x
    high: FloatArray
    sizes: FloatArray  # what a one of x stands for


def program_of(problem: ControlProblem, plan: Plan, linear: _Linear, now: Situation) -> Program:
    """Changes of inputs, then slacks of limits."""
    matrix, residual = _least_squares(problem, plan, linear, now)
    count = plan.inputs.size
    limited = len(problem.limited)
    horizon = problem.horizon
    hessian = np.zeros((count + limited, count + limited))
    hessian[:count, :count] = matrix.T @ matrix
    curvature = float(np.abs(hessian).max()) or 1.0
    hessian[np.diag_indices(count)] += _REGULAR * curvature
    slacks = np.arange(count, count + limited)
    hessian[slacks, slacks] = problem.violation / problem.sizes
    gradient = np.concatenate([matrix.T @ residual, np.full(limited, problem.violation)])
    low = np.concatenate([(problem.low - plan.inputs).ravel(), np.zeros(limited)])
    high = np.concatenate([(problem.high - plan.inputs).ravel(), np.full(limited, np.inf)])
    outputs = linear.outputs[:, len(problem.tracked) :]
    slopes = linear.outputs_by_inputs[:, len(problem.tracked) :]
    limit_sizes = _sizes(problem.lowest, problem.highest, outputs)
    give_way = np.tile(np.eye(limited), (horizon, 1))
    rows = slopes.reshape(horizon * limited, count)
    below = np.hstack([rows, -give_way])
    above = np.hstack([rows, give_way])
    nothing = np.full(horizon * limited, np.inf)
    upper = [high, (problem.highest - outputs).ravel(), nothing]
    lower = [low, -nothing, (problem.lowest - outputs).ravel()]
    input_sizes = np.tile(_sizes(problem.low, problem.high, plan.inputs), horizon)
    typical = float((hessian.diagonal()[:count] * input_sizes**2).max(initial=0.0))
    sizes = np.concatenate([input_sizes, _slack_sizes(problem, limit_sizes, typical)])
    row_sizes = np.tile(limit_sizes, 2 * horizon)
    bound_sizes = np.concatenate([sizes, row_sizes])
    hessian *= sizes[:, None] * sizes
    unit = float(np.abs(hessian).max()) or 1.0
    return Program(
        hessian=hessian / unit,
        gradient=gradient * sizes / unit,
        rows=np.ascontiguousarray(np.vstack([below, above]) * sizes / row_sizes[:, None]),
        low=_bounded(np.concatenate(lower) / bound_sizes),
        high=_bounded(np.concatenate(upper) / bound_sizes),
        sizes=sizes,
    )


def solve(program: Program) -> FloatArray | None:
    """The answer in declared units; None where there is none."""
    found, _, flag, _ = daqp().solve(program.hessian, program.gradient, program.rows, program.high, program.low)
    return np.asarray(found) * program.sizes if flag == _SOLVED and np.isfinite(found).all() else None


def _sizes(low: FloatArray, high: FloatArray, values: FloatArray) -> FloatArray:
    """What is large for quantities between limits: DAQP's tolerances are absolute, so it gets numbers of about one."""
    bounds = np.where(np.isfinite([low, high]), np.abs([low, high]), 0.0).max(axis=0)
    found = np.maximum(bounds, np.abs(values).max(axis=0, initial=0.0))
    return np.where(found > 0.0, found, 1.0)


def _slack_sizes(problem: ControlProblem, limit_sizes: FloatArray, typical: float) -> FloatArray:
    """Units of slacks in which they curve the cost as inputs do, whatever a violation costs."""
    if not (problem.violation > 0.0 and typical > 0.0):
        return limit_sizes
    wanted = np.sqrt(typical * problem.sizes / problem.violation)
    return np.clip(wanted, _SMALLEST_SLACK * limit_sizes, limit_sizes)


def _bounded(bounds: FloatArray) -> FloatArray:
    """DAQP takes 1e30 for no bound."""
    return np.clip(bounds, -1e30, 1e30)


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

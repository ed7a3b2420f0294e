"""Sequential quadratic programming on a trajectory: a step is the answer of a quadratic program in few unknowns.

    min  1/2 p'Hp + g'p      gaps + J p = 0,    low <= z + p <= high,    ends and limits within slacks that have a price

An orthogonal basis Z of the steps that close all gaps (QR, good for unstable plants too) leaves as many unknowns as
there are inputs. H is the second derivative of the Lagrange function, made convex on that space. Steps are shortened
until the cost and what is missed, at its price, are less; those tried run side by side.
"""

from __future__ import annotations

import numpy as np

from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import BoolArray
from tellegen.predictive.quadratic_program import daqp
from tellegen.predictive.trajectories.nonlinear_program import Guess, NonlinearProgram, Point
from tellegen.start.on_use import scipy
from tellegen.start.records import dataclass

_PARTS = (1.0, 0.5, 0.25, 0.1, 0.03, 0.01, 0.001)
_MOST = 150  # steps of a search
_CLOSED = 1e-7  # in units of sizes: gaps and what is missed at the end
_STILL = 1e-9  # of the cost: a step that promises less is none
_NEAR = 1e-5  # the same, where no step is better
_LEAST = 1e-8  # of the largest curvature
_FIRST_DAMPING = 1e-4  # of the largest curvature, where steps have to be short
_MOST_DAMPING = 1e6
_MOST_PRICE = 1e6  # of what is missed: what is missed at this price cannot be met
_SOFT = 1e-3  # curvature of slacks, in parts of their price
_ENOUGH = 1e-4  # of what a step promises: it is better
_SOLVED = 1


@dataclass(frozen=True, eq=False)
class Found:
    """Where a search ended."""

    point: Point
    steps: int
    message: str
    success: bool
    slacks: FloatArray  # of end conditions, then of limits: what is missed, in units of sizes
    pressing: tuple[str, ...]  # inputs and variables that would go further if they were not limited


@dataclass(frozen=True, eq=False)
class _Step:
    """A step and the multipliers there."""

    change: FloatArray
    of_gaps: FloatArray
    of_ends: FloatArray
    of_limits: FloatArray  # (limited, N)
    promised: float  # by how much the model of cost and penalties falls
    closing: FloatArray  # the least step that closes gaps, by these


@dataclass(frozen=True, eq=False)
class _Rows:
    """low <= matrix @ w <= high: bounds of unknowns first, then end conditions, then limits of variables."""

    matrix: FloatArray
    low: FloatArray
    high: FloatArray
    bounds: int


class Search:
    """Steps from a first vector to an optimum."""

    def __init__(self, program: NonlinearProgram) -> None:
        self.program = program
        problem = program.problem
        self.low, self.high = program.bounds()
        self.free = self.high > self.low  # else it stays: the length of intervals, where the duration is given
        self.price = 10.0  # of what is missed
        self.damping = 0.0
        self.of_gaps = np.zeros((problem.count, program.states))
        self.of_ends = np.zeros(len(problem.reached))
        self.of_limits = np.zeros((len(problem.limited), problem.count))

    def best_of(self, guesses: list[Guess]) -> Point | None:
        """The guess that misses least; None where the plant can be run along none of them."""
        vectors = [self.program.vector(guess) for guess in guesses if np.isfinite(guess.states).all()]
        points = [point for point in self.program.points(np.array(vectors)) if point is not None]
        return min(points, key=lambda point: self._missing(point) + float(np.abs(point.gaps).sum()), default=None)

    def run(self, point: Point) -> Found:
        """The optimum, from a first point."""
        for count in range(1, _MOST + 1):
            step = self._step(point)
            if step is None:
                if self.damping > _MOST_DAMPING:
                    return self._found(point, count, "the quadratic program has no answer", False)
                self.damping = max(10.0 * self.damping, _FIRST_DAMPING)
                continue
            self._learn(step)
            is_still = self._is_closed(point) and step.promised < _STILL * (1.0 + abs(self._cost(point)))
            part, better = (0.0, None) if is_still else self._better(point, step)
            if better is not None:
                point = better
                self.damping *= 0.2 if part >= 0.5 else 1.0 if part >= 0.25 else 4.0
                self.damping = max(self.damping, _FIRST_DAMPING) if part < 0.25 else self.damping
            elif is_still or self.damping > _MOST_DAMPING:
                near = self._is_closed(point) and step.promised < _NEAR * (1.0 + abs(self._cost(point)))
                if self._missing(point) > _CLOSED and self.price < _MOST_PRICE:
                    self.price *= 10.0
                    self.damping = 0.0
                    continue
                return self._found(point, count, "converged" if near else "no step makes the trajectory better", near)
            else:
                self.damping = max(10.0 * self.damping, _FIRST_DAMPING)
        return self._found(point, _MOST, f"stopped after {_MOST} steps", False)

    # -- the step -----------------------------------------------------------------------------------------------------
    def _step(self, point: Point) -> _Step | None:
        program = self.program
        free = self.free
        bounded = (np.isfinite(self.low) | np.isfinite(self.high))[free]
        gaps = program.continuity(point)[:, free]
        ends = program.end_rows(point)[:, free]
        limits = program.limit_rows(point)[:, free]
        gradient = program.gradient(point)[free]
        kept = np.flatnonzero(free)
        hessian = program.hessian(point, self._weights())[kept[:, None], kept]
        q, r = scipy.linalg.qr(gaps.T)
        count = len(gaps)
        closes = q[:, :count] @ scipy.linalg.solve_triangular(r[:count].T, -np.eye(count), lower=True)
        closing = closes @ point.gaps.ravel()
        basis = q[:, count:]
        rows = np.vstack([basis[bounded], ends @ basis, limits @ basis])
        moved = np.concatenate([closing[bounded], ends @ closing, limits @ closing])
        low, high = self._sides(point, bounded)
        limited = _Rows(rows, low - moved, high - moved, int(bounded.sum()))
        answer = self._solved(basis.T @ hessian @ basis, basis.T @ (gradient + hessian @ closing), limited)
        if answer is None:
            return None
        w, multipliers, missing = answer
        change = closing + basis @ w
        of_bounds, of_ends, of_limits = np.split(multipliers, [limited.bounds, limited.bounds + len(ends)])
        slope = gradient + hessian @ change + ends.T @ of_ends + limits.T @ of_limits
        slope[bounded] += of_bounds
        of_gaps = -scipy.linalg.solve_triangular(r[:count], q[:, :count].T @ slope)
        least = gradient @ change + 0.5 * change @ hessian @ change
        closed = float(np.abs(point.gaps).sum())
        promised = self.price * (self._missing(point) + closed - missing) - min(least, gradient @ change)
        shape = (program.problem.count, program.states)
        return _Step(
            change=_at(free, change),
            of_gaps=of_gaps.reshape(shape),
            of_ends=of_ends,
            of_limits=of_limits.reshape(self.of_limits.shape),
            promised=promised,
            closing=_at(free, closes),
        )

    def _sides(self, point: Point, bounded: BoolArray) -> tuple[FloatArray, FloatArray]:
        """How far unknowns, ends and limits may move from here, downwards and upwards."""
        problem = self.program.problem
        sizes = self.program.sizes.limits[:, None]
        values = point.limited.T / sizes
        below = problem.lowest[:, None] / sizes - values
        above = problem.highest[:, None] / sizes - values
        low = (self.low - point.z)[self.free][bounded]
        high = (self.high - point.z)[self.free][bounded]
        return np.concatenate([low, -point.missed, below.ravel()]), np.concatenate([high, -point.missed, above.ravel()])

    def _weights(self) -> FloatArray:
        """Of the ends of intervals in the Lagrange function, in declared units."""
        program = self.program
        problem = program.problem
        reached = len(problem.reached)
        out = np.zeros((problem.count, program.states + len(problem.outputs)))
        out[:, : program.states] = self.of_gaps / program.sizes.states
        out[-1, program.states : program.states + reached] = self.of_ends / program.sizes.ends
        first = program.states + reached
        if problem.least:
            out[-1, first] = problem.sign / program.sizes.cost
        out[:, first + len(problem.least) :] = (self.of_limits / program.sizes.limits[:, None]).T
        return out

    def _solved(
        self, hessian: FloatArray, gradient: FloatArray, limited: _Rows
    ) -> tuple[FloatArray, FloatArray, float] | None:
        """Unknowns, multipliers of rows, and what is missed: one slack for each end condition and for each limit."""
        problem = self.program.problem
        count = len(gradient)
        hard = limited.bounds
        groups = np.repeat(
            np.arange(len(problem.reached) + len(problem.limited)),
            [1] * len(problem.reached) + [problem.count] * len(problem.limited),
        )
        give_way = np.eye(len(problem.reached) + len(problem.limited))[groups]
        size = count + give_way.shape[1]
        unit = max(float(np.abs(gradient).max(initial=0.0)), float(np.abs(hessian).max(initial=0.0))) or 1.0
        price = self.price / unit
        whole = np.zeros((size, size))
        whole[:count, :count] = _convex(hessian, self.damping) / unit
        whole[np.arange(count, size), np.arange(count, size)] = _SOFT * price
        slope = np.concatenate([gradient / unit, np.full(size - count, price)])
        rows = np.zeros((hard + 2 * len(groups), size))
        rows[:hard, :count] = limited.matrix[:hard]
        rows[hard:, :count] = np.tile(limited.matrix[hard:], (2, 1))
        rows[hard:, count:] = np.vstack([give_way, -give_way])
        none = np.full(len(groups), np.inf)
        low = np.concatenate([np.full(count, -np.inf), np.zeros(size - count), limited.low, -none])
        high = np.concatenate([np.full(size, np.inf), limited.high[:hard], none, limited.high[hard:]])
        found, _, flag, info = daqp().solve(
            whole, slope, rows, np.clip(high, -1e30, 1e30), np.clip(low, -1e30, 1e30), primal_tol=1e-9
        )
        if flag != _SOLVED or not np.isfinite(found).all():
            return None
        of_bounds, below, above = np.split(np.asarray(info["lam"])[size:] * unit, [hard, hard + len(groups)])
        return found[:count], np.concatenate([of_bounds, below + above]), float(np.maximum(found[count:], 0.0).sum())

    # -- the search ---------------------------------------------------------------------------------------------------
    def _learn(self, step: _Step) -> None:
        self.of_gaps = step.of_gaps
        self.of_ends = step.of_ends
        self.of_limits = step.of_limits
        largest = max(float(np.abs(each).max(initial=0.0)) for each in (step.of_gaps, step.of_ends))
        largest = max(largest, float(np.abs(step.of_limits).sum(axis=1).max(initial=0.0)))
        self.price = max(0.5 * self.price, min(2.0 * largest, _MOST_PRICE))

    def _better(self, point: Point, step: _Step) -> tuple[float, Point | None]:
        """The longest part of a step that is better, and where it leads."""
        tried = np.clip(point.z + np.array(_PARTS)[:, None] * step.change, self.low, self.high)
        here = self._merit(point)
        points = self.program.points(tried)
        whole = points[0]
        if whole is not None and self._merit(whole) >= here - _ENOUGH * step.promised:
            again = np.clip(whole.z + step.closing @ whole.gaps.ravel(), self.low, self.high)
            points[0] = self.program.points(again[None, :])[0]  # gaps that the bend of the plant has opened are closed
        for part, other in zip(_PARTS, points, strict=True):
            if other is not None and self._merit(other) < here - _ENOUGH * part * max(step.promised, 0.0):
                return part, other
        return 0.0, None

    def _merit(self, point: Point) -> float:
        return self._cost(point) + self.price * (self._missing(point) + float(np.abs(point.gaps).sum()))

    def _cost(self, point: Point) -> float:
        """In units of its size, as all that is searched."""
        return point.cost / self.program.sizes.cost

    def _missing(self, point: Point) -> float:
        return float(self._slacks(point).sum())

    def _slacks(self, point: Point) -> FloatArray:
        problem = self.program.problem
        beyond = np.maximum(np.maximum(problem.lowest - point.limited, point.limited - problem.highest), 0.0)
        return np.concatenate([np.abs(point.missed), beyond.max(axis=0, initial=0.0) / self.program.sizes.limits])

    def _is_closed(self, point: Point) -> bool:
        return float(np.abs(point.gaps).max()) < _CLOSED

    def _found(self, point: Point, count: int, message: str, success: bool) -> Found:
        return Found(point, count, message, success, self._slacks(point), self._pressing(point))

    def _pressing(self, point: Point) -> tuple[str, ...]:
        problem = self.program.problem
        given = problem.given
        inputs = point.guess.inputs
        slack = 1e-6 * self.program.sizes.inputs
        lowest, highest = inputs.min(axis=0), inputs.max(axis=0)
        at_bound = (lowest < given.low + slack) | (highest > given.high - slack)
        forces = np.abs(self.of_limits).max(axis=1, initial=0.0)
        pushed = forces > 1e-6 * self.price
        names = [path for path, held in zip(given.names, at_bound, strict=True) if held]
        return *names, *(path for path, held in zip(problem.limited, pushed, strict=True) if held)


def _at(free: BoolArray, values: FloatArray) -> FloatArray:
    """Values of what is free, among zeros."""
    out = np.zeros((len(free), *values.shape[1:]))
    out[free] = values
    return out


def _convex(matrix: FloatArray, damping: float) -> FloatArray:
    """The matrix with all curvatures positive, as large as they are: steps against a negative one have its length."""
    values, vectors = np.linalg.eigh(0.5 * (matrix + matrix.T))
    largest = float(np.abs(values).max(initial=0.0)) or 1.0
    return (vectors * (np.maximum(np.abs(values), _LEAST * largest) + damping * largest)) @ vectors.T

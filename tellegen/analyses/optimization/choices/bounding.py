"""How good the leaves of a node can be at best: the relaxed problem in the box of the numbers that are left.

The box holds the numbers of all leaves, so the optimum of the relaxed problem bounds theirs, provided that it is found:
methods with gradients find local optima. Where objective and constraints are monotone in the numbers of the options
there is only one; the signs of all derivatives seen say whether they are.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from tellegen.analyses.optimization.algorithms.gradient_based import Limits
from tellegen.analyses.optimization.choices.node import Node
from tellegen.analyses.optimization.choices.shape import Shape
from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE, Asked, Evaluation, Searchable
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.formulation.search_variables import Variables
from tellegen.ir.model import FloatArray

_LIMITS = Limits(tolerance=1e-4, iterations=40)
_GOOD = 0.02  # by which part a point of a box is better than the best leaf, so that the box stays whatever its bound is
_CLEAR = 1e3 * FEASIBLE  # by how much a limit is broken that cannot be kept


@dataclass(frozen=True, eq=False)
class Bounded:
    """A node with its bound; `broken` is the constraint that none of its leaves satisfies, `reached` its best value."""

    node: Node
    runs: int
    broken: str = ""
    reached: float = np.nan
    is_known: bool = True  # False: no run succeeded, or no point was found that satisfies all constraints


@dataclass(frozen=True)
class Broken:
    """A constraint that cannot be satisfied, and the best value it reaches."""

    text: str
    value: float


class SatisfiedError(Exception):
    """A constraint can be satisfied: no need to search any further."""


class GoodEnoughError(Exception):
    """A box has a point much better than the best leaf: no need to search any further."""


class Narrowed(Searchable):
    """A problem between narrower bounds; those whose bounds are equal are left out of it."""

    def __init__(self, problem: Problem, low: FloatArray, high: FloatArray, known: float) -> None:
        own = problem.variables
        self.enough = known - _GOOD * abs(known)  # of the objective
        self.free = np.flatnonzero(high > low)
        self.middle = 0.5 * (low + high)
        kept = Variables(
            tuple(own.names[k] for k in self.free),
            tuple(own.units[k] for k in self.free),
            tuple(own.is_start[k] for k in self.free),
            low[self.free],
            high[self.free],
            own.own[self.free],
        )
        super().__init__(problem.asked, kept)
        self.problem = problem
        self.size = problem.size

    @property
    def sizes(self) -> FloatArray:
        """Of the constraints."""
        return self.problem.sizes

    def values(self, x: FloatArray) -> FloatArray:
        """Of all variables of the problem."""
        full = self.middle.copy()
        full[self.free] = x
        return full

    def evaluate(self, x: FloatArray, gradient: bool = True) -> Evaluation:
        """One run."""
        found = self.problem.evaluate(self.values(x), gradient)
        self.size = self.problem.size
        slope = None if found.slope is None else found.slope[self.free]
        jacobian = None if found.jacobian is None else found.jacobian[:, self.free]
        seen = replace(found, x=np.array(x), slope=slope, jacobian=jacobian)
        self.history.append(seen)
        if not seen.failed and seen.violation <= FEASIBLE and seen.objective < self.enough:
            raise GoodEnoughError
        return seen


class OneConstraint(Searchable):
    """A constraint by itself: how far it can be brought to the limit that it breaks (`sign` 1: the upper one)."""

    def __init__(self, narrowed: Narrowed, number: int, sign: float) -> None:
        constraint = narrowed.asked.constraints[number]
        super().__init__(Asked(constraint.performance, ()), narrowed.variables)
        self.narrowed = narrowed
        self.number = number
        self.sign = sign
        self.limit = constraint.high if sign > 0 else constraint.low
        self.size = float(narrowed.sizes[number])

    @property
    def sizes(self) -> FloatArray:
        """Of no constraints."""
        return np.zeros(0)

    def evaluate(self, x: FloatArray, gradient: bool = True) -> Evaluation:
        """One run."""
        found = self.narrowed.evaluate(x, gradient)
        if found.failed:
            return found
        assert found.jacobian is not None
        seen = replace(
            found,
            objective=self.sign * float(found.constraints[self.number]),
            constraints=np.zeros(0),
            slope=self.sign * found.jacobian[self.number],
            jacobian=np.zeros((0, len(x))),
            violation=0.0,
            seen_violation=0.0,
        )
        self.history.append(seen)
        if seen.objective <= self.sign * self.limit:
            raise SatisfiedError
        return seen


def bound(shape: Shape, node: Node, known: float) -> Bounded:
    """The node with its bound; that of one with a point much better than the best leaf known is not looked for."""
    search = _BoxSearch(shape, node, known)
    try:
        return search.run()
    except GoodEnoughError:
        return search.answer(is_known=False)


class _BoxSearch:
    """The relaxed problem in the box of a node."""

    def __init__(self, shape: Shape, node: Node, known: float) -> None:
        self.node = node
        self.method = shape.relaxed.method
        self.problem = shape.relaxed.problem
        self.before = len(self.problem.history)
        self.box = _box(shape, node, known)
        self.reachable: set[int] = set()  # constraints that can be satisfied, each by itself

    def run(self) -> Bounded:
        """First each constraint that is broken at the start by itself, then all of them together."""
        own = self.problem.variables
        start = self.node.guess if len(self.node.guess) else own.guess(None)
        variables = self.box.variables
        first = np.clip(start[self.box.free], variables.low, variables.high)
        is_known = not len(first)
        for x in (first, variables.values(np.full(len(first), 0.5))):
            seen = self.box.evaluate(x)
            if seen.failed:
                continue
            broken = self._broken(seen)
            if broken is not None:
                return self.answer(is_known=True, broken=broken)
            if len(x):  # from both starts: a local optimum is not a bound
                is_known |= not self.method.run(self.box, x, _LIMITS)
        if self.box.best is None:
            nothing = replace(self.node, guess=start, influence=np.zeros(len(start)))
            return Bounded(nothing, self._runs, is_known=False)
        return self.answer(is_known, self._broken(self._best()))

    @property
    def _runs(self) -> int:
        return len(self.problem.history) - self.before

    def _best(self) -> Evaluation:
        best = self.box.best
        assert best is not None
        return best

    def answer(self, is_known: bool, broken: Broken | None = None) -> Bounded:
        """The node with what was found; a search that gave up, or broke off, has found no bound."""
        best = self._best()
        is_known = is_known and best.violation <= FEASIBLE
        found = replace(
            self.node,
            bound=max(self.node.bound, best.objective) if is_known else self.node.bound,
            guess=self.box.values(best.x),
            influence=_influence(self.box, best, len(self.problem.variables.names)),
        )
        if broken is None:
            return Bounded(found, self._runs, is_known=is_known)
        return Bounded(found, self._runs, broken.text, broken.value)

    def _broken(self, seen: Evaluation) -> Broken | None:
        """The constraint that cannot be satisfied anywhere in the box, whatever becomes of all others."""
        asked = self.box.asked
        away = np.maximum(asked.low - seen.constraints, seen.constraints - asked.high) / self.box.sizes
        for number in np.argsort(-away).tolist():
            if away[number] <= FEASIBLE or number in self.reachable:
                continue
            above = seen.constraints[number] > asked.high[number]
            alone = OneConstraint(self.box, number, 1.0 if above else -1.0)
            with suppress(SatisfiedError):
                if len(seen.x):
                    self.method.run(alone, seen.x, _LIMITS)
                else:
                    alone.evaluate(seen.x)
            reached = alone.best
            if reached is not None and reached.objective - alone.sign * alone.limit > _CLEAR * alone.size:
                return Broken(asked.constraints[number].text, alone.sign * reached.objective)
            self.reachable.add(number)
        return None


def _box(shape: Shape, node: Node, known: float) -> Narrowed:
    problem = shape.relaxed.problem
    low = problem.variables.low.copy()
    high = problem.variables.high.copy()
    for columns, each, left in zip(shape.columns, shape.numbers, node.left, strict=True):
        values = each.values[list(left)]
        low[columns] = values.min(axis=0)
        high[columns] = values.max(axis=0)
    return Narrowed(problem, low, high, known)


def _influence(narrowed: Narrowed, best: Evaluation, count: int) -> FloatArray:
    """How much objective and constraints change over the range of each variable, of their sizes."""
    found = np.zeros(count)
    if best.slope is None or best.jacobian is None:
        return found
    ranges = narrowed.variables.high - narrowed.variables.low
    asked = narrowed.asked
    room = np.minimum(best.constraints - asked.low, asked.high - best.constraints) / narrowed.sizes
    rows = np.abs(best.jacobian) / narrowed.sizes[:, None] / (1.0 + 10.0 * np.maximum(room, 0.0))[:, None]
    found[narrowed.free] = ranges * (np.abs(best.slope) / narrowed.size + rows.sum(axis=0))
    return found

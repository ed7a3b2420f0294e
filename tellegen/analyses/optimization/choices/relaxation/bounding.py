"""How good the leaves of a node can be at best: the relaxed problem among the numbers that are left.

The box of a node contains the numbers of all its leaves, so the optimum of the relaxed problem there bounds theirs,
provided that it is found: methods with gradients find local optima. So a node is left out only where searches from
several starts agree that nothing in it is good enough: two where derivatives keep their signs among the runs nearby
(evidence.py), four where they do not. A search that disagrees ends at the first point that is good enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tellegen.analyses.optimization.algorithms.gradient_based import NO_PROGRESS, Limits
from tellegen.analyses.optimization.choices.node import Node, root
from tellegen.analyses.optimization.choices.relaxation.box import Box, box_of
from tellegen.analyses.optimization.choices.relaxation.narrowed import (
    GoodEnoughError,
    Narrowed,
    OneConstraint,
    SatisfiedError,
)
from tellegen.analyses.optimization.choices.shape import Shape
from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE, Evaluation
from tellegen.ir.model import FloatArray

MARGIN = 1e-4
"""Of the objective: a combination that is better by less is not looked for."""
_LIMITS = Limits(tolerance=1e-4, iterations=40)
_GOOD = 0.02  # by which part a point of a box is better than the best leaf, so that the box stays whatever its bound is
_CLEAR = 1e3 * FEASIBLE  # by how much a limit is broken that cannot be kept
_DRAWN = 8  # combinations, of which the one farthest from all earlier starts is the next


@dataclass(frozen=True, eq=False)
class Bounded:
    """A node with its bound; `broken` is the constraint that none of its leaves satisfies, `reached` its best value."""

    node: Node
    seen: tuple[Evaluation, ...]
    broken: str = ""
    reached: float = np.nan

    @property
    def runs(self) -> int:
        """How many there were."""
        return len(self.seen)


@dataclass(frozen=True, eq=False)
class Sampled:
    """Runs of the relaxed problem of a shape, at combinations drawn at random."""

    shape: int
    seen: tuple[Evaluation, ...]

    @property
    def runs(self) -> int:
        """How many there were."""
        return len(self.seen)


@dataclass(frozen=True)
class Broken:
    """A constraint that cannot be satisfied, and the best value it reaches."""

    text: str
    value: float


def bound(shape: Shape, node: Node, known: float, confirmations: int) -> Bounded:
    """The node with its bound, confirmed from so many more starts where it is not below the best leaf `known`."""
    search = _BoxSearch(shape, node, known, confirmations)
    search.problem.points.begin_again()
    try:
        return search.run()
    except GoodEnoughError:
        return search.answer(is_known=False)


def sampled(shape: Shape, number: int, count: int) -> Sampled:
    """Runs of the relaxed problem at combinations far from each other, for a first idea of its functions."""
    node = root(number, shape.options)
    box = box_of(shape, node)
    problem = shape.relaxed.problem
    starts = Starts(shape, node, box, problem.variables.guess(None))
    before = len(problem.history)
    for x in starts.take(count):
        problem.evaluate(box.values(x))
    return Sampled(number, tuple(problem.history[before:]))


def least_worth_looking(known: float) -> float:
    """An objective below this is better than the best one known."""
    return known - MARGIN * abs(known) if np.isfinite(known) else known


class _BoxSearch:
    """The relaxed problem in the box of a node."""

    def __init__(self, shape: Shape, node: Node, known: float, confirmations: int) -> None:
        self.node = node
        self.known = known
        self.method = shape.relaxed.method
        self.problem = shape.relaxed.problem
        self.before = len(self.problem.history)
        self.narrowed = Narrowed(self.problem, box_of(shape, node))
        own = self.problem.variables
        self.guess = node.guess if len(node.guess) else own.guess(None)
        self.starts = Starts(shape, node, self.narrowed.box, self.guess)
        self.confirmations = confirmations
        self.reachable: set[int] = set()  # constraints that can be satisfied, each by itself

    def run(self) -> Bounded:
        """First each constraint that is broken at the start by itself, then all of them together."""
        if np.isfinite(self.known):
            self.narrowed.enough = self.known - _GOOD * abs(self.known)
        is_known = False
        for number, x in enumerate(self.starts.take(1 + self.confirmations)):
            seen = self.narrowed.evaluate(x)
            if seen.failed:
                continue
            broken = self._broken(seen)
            if broken is not None:
                return self.answer(is_known=True, broken=broken)
            message = self.method.run(self.narrowed, x, _LIMITS) if len(x) else ""
            best = self._best()
            is_known |= message in ("", NO_PROGRESS) and best.violation <= FEASIBLE
            if best.violation <= FEASIBLE and best.objective < least_worth_looking(self.known):
                return self.answer(is_known and number == 0)
            self.narrowed.enough = least_worth_looking(self.known)
            self.starts.add(best.x)
        if self.narrowed.best is None:
            nothing = replace(self.node, bound=-np.inf, guess=self.guess, reached=np.inf)
            return Bounded(replace(nothing, influence=np.zeros(len(self.guess))), self._seen)
        return self.answer(is_known, self._broken(self._best()), is_confirmed=is_known)

    @property
    def _seen(self) -> tuple[Evaluation, ...]:
        return tuple(self.problem.history[self.before :])

    def _best(self) -> Evaluation:
        best = self.narrowed.best
        assert best is not None
        return best

    def answer(self, is_known: bool, broken: Broken | None = None, is_confirmed: bool = False) -> Bounded:
        """The node with what was found; a search that gave up, or broke off, has found no bound."""
        best = self._best()
        reached = best.objective if best.violation <= FEASIBLE else np.inf
        is_known = is_known and np.isfinite(reached)
        bound = reached if is_known else min(self.node.bound, reached)
        if not is_known and bound >= least_worth_looking(self.known):
            bound = -np.inf  # no search confirms that of its parent
        found = replace(
            self.node,
            bound=bound,
            is_confirmed=is_known and is_confirmed,
            reached=reached,
            guess=self.narrowed.box.values(best.x),
            influence=_influence(self.narrowed, best, len(self.problem.variables.names)),
        )
        if broken is None:
            return Bounded(found, self._seen)
        return Bounded(found, self._seen, broken.text, broken.value)

    def _broken(self, seen: Evaluation) -> Broken | None:
        """The constraint that cannot be satisfied anywhere in the box, whatever becomes of all others."""
        asked = self.problem.asked
        values = seen.constraints[: self.narrowed.own]
        away = np.maximum(asked.low - values, values - asked.high) / self.problem.sizes
        for number in np.argsort(-away).tolist():
            if away[number] <= FEASIBLE or number in self.reachable:
                continue
            sign = 1.0 if values[number] > asked.high[number] else -1.0
            found = self._alone(OneConstraint(self.narrowed, number, sign), seen.x)
            if found is not None:
                return Broken(asked.constraints[number].text, found)
            self.reachable.add(number)
        return None

    def _alone(self, alone: OneConstraint, first: FloatArray) -> float | None:
        """The best value of a constraint, from all starts; None where it can be satisfied, or almost."""
        try:
            for x in (first, *self.starts.others(self.confirmations)):
                if alone.evaluate(x).failed:
                    continue
                if len(x):
                    self.method.run(alone, x, _LIMITS)
        except SatisfiedError:
            return None
        reached = alone.best
        if reached is None or reached.objective - alone.sign * alone.limit <= _CLEAR * alone.size:
            return None
        return alone.sign * reached.objective


class Starts:
    """Where to begin in a box: at a guess, then at combinations that are far from all earlier places."""

    def __init__(self, shape: Shape, node: Node, box: Box, guess: FloatArray) -> None:
        self.shape = shape
        self.node = node
        self.box = box
        self.guess = guess
        self.earlier: list[FloatArray] = []
        self.random = np.random.default_rng([node.shape, *(sum(left) for left in node.left)])

    def add(self, x: FloatArray) -> None:
        """A place where a search ended."""
        self.earlier.append(self.box.variables.normalized(x))

    def take(self, count: int) -> Iterator[FloatArray]:
        """The guess, then others."""
        first = self.box.inside(self.guess)
        self.add(first)
        yield first
        if len(first):
            for _ in range(count - 1):
                yield self._next()

    def others(self, count: int) -> list[FloatArray]:
        """Combinations far from all earlier places and each other."""
        return [self._next() for _ in range(count)] if len(self.box.free) else []

    def _next(self) -> FloatArray:
        drawn = [self._draw() for _ in range(_DRAWN)]
        places = np.array([self.box.variables.normalized(x) for x in drawn])
        away = np.abs(places[:, None] - np.array(self.earlier)).max(axis=2).min(axis=1)
        chosen = drawn[int(np.argmax(away))]
        self.add(chosen)
        return chosen

    def _draw(self) -> FloatArray:
        """The numbers of a combination; the variables of the user between their bounds."""
        variables = self.shape.leaf_problem.variables
        full = self.guess.copy()
        full[: len(variables.names)] = variables.values(self.random.random(len(variables.names)))
        for columns, each, left in zip(self.shape.columns, self.shape.numbers, self.node.left, strict=True):
            full[columns] = each.values[left[int(self.random.integers(0, len(left)))]]
        return self.box.inside(full)


def _influence(narrowed: Narrowed, best: Evaluation, count: int) -> FloatArray:
    """How much objective and constraints change over the range of each variable, of their sizes."""
    found = np.zeros(count)
    if best.slope is None or best.jacobian is None:
        return found
    own = narrowed.own
    asked = narrowed.problem.asked
    sizes = narrowed.problem.sizes
    values = best.constraints[:own]
    ranges = narrowed.variables.high - narrowed.variables.low
    room = np.minimum(values - asked.low, asked.high - values) / sizes
    rows = np.abs(best.jacobian[:own]) / sizes[:, None] / (1.0 + 10.0 * np.maximum(room, 0.0))[:, None]
    found[narrowed.box.free] = ranges * (np.abs(best.slope) / narrowed.size + rows.sum(axis=0))
    return found

"""The relaxed problem in a box, as methods search it: all functions, or one constraint by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tellegen.analyses.optimization.choices.relaxation.box import Box
from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE, Asked, Evaluation, Searchable
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.performance.expression import Constraint
from tellegen.ir.model import FloatArray


class SatisfiedError(Exception):
    """A constraint can be satisfied: no need to search any further."""


class GoodEnoughError(Exception):
    """A box has a point better than it may have to be left out: no need to search any further."""


class Narrowed(Searchable):
    """A problem in a box. Its constraints are those of the problem, then the planes of the box.

    A point that satisfies all of them with an objective below `enough` ends the search.
    """

    def __init__(self, problem: Problem, box: Box) -> None:
        self.own = len(problem.asked.constraints)
        self.planes = _as_constraints(problem.asked, box)
        constraints = (*problem.asked.constraints, *self.planes)
        super().__init__(replace(problem.asked, constraints=constraints), box.variables)
        self.problem = problem
        self.box = box
        self.size = problem.size
        self.enough = -np.inf

    @property
    def sizes(self) -> FloatArray:
        """Of the constraints."""
        return np.concatenate([self.problem.sizes, np.ones(len(self.planes))])

    def evaluate(self, x: FloatArray, gradient: bool = True) -> Evaluation:
        """One run."""
        found = self.problem.evaluate(self.box.values(x), gradient)
        self.size = self.problem.size
        if found.failed or found.slope is None or found.jacobian is None:
            seen = replace(found, x=np.array(x), slope=None, jacobian=None)
            self.history.append(seen)
            return seen
        planes = self.box.planes
        across = planes.rows @ self.variables.normalized(x)
        beyond = float(np.max(np.maximum(planes.low - across, across - planes.high), initial=0.0))
        slopes = planes.rows / self.variables.scale(np.asarray(x))
        seen = replace(
            found,
            x=np.array(x),
            constraints=np.concatenate([found.constraints, across]),
            slope=found.slope[self.box.free],
            jacobian=np.concatenate([found.jacobian[:, self.box.free], slopes]),
            violation=max(found.violation, beyond),
            seen_violation=max(found.seen_violation, beyond),
        )
        self.history.append(seen)
        if seen.violation <= FEASIBLE and seen.objective < self.enough:
            raise GoodEnoughError
        return seen


class OneConstraint(Searchable):
    """A constraint by itself: how far it can be brought to the limit that it breaks (`sign` 1: the upper one)."""

    def __init__(self, narrowed: Narrowed, number: int, sign: float) -> None:
        constraint = narrowed.asked.constraints[number]
        super().__init__(Asked(constraint.performance, narrowed.planes), narrowed.variables)
        self.narrowed = narrowed
        self.number = number
        self.sign = sign
        self.limit = constraint.high if sign > 0 else constraint.low
        self.size = float(narrowed.sizes[number])

    @property
    def sizes(self) -> FloatArray:
        """Of the planes."""
        return np.ones(len(self.asked.constraints))

    def evaluate(self, x: FloatArray, gradient: bool = True) -> Evaluation:
        """One run."""
        found = self.narrowed.evaluate(x, gradient)
        if found.failed:
            return found
        assert found.jacobian is not None
        own = self.narrowed.own
        across = found.constraints[own:]
        beyond = np.maximum(self.asked.low - across, across - self.asked.high)
        violation = float(np.max(beyond, initial=0.0))
        seen = replace(
            found,
            objective=self.sign * float(found.constraints[self.number]),
            constraints=across,
            slope=self.sign * found.jacobian[self.number],
            jacobian=found.jacobian[own:],
            violation=violation,
            seen_violation=violation,
        )
        self.history.append(seen)
        if violation <= FEASIBLE and seen.objective <= self.sign * self.limit:
            raise SatisfiedError
        return seen


def _as_constraints(asked: Asked, box: Box) -> tuple[Constraint, ...]:
    limits = zip(box.planes.low.tolist(), box.planes.high.tolist(), strict=True)
    return tuple(Constraint(asked.objective, low, high, "numbers that go together") for low, high in limits)

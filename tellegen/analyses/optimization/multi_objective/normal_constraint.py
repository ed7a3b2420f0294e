"""A front from end to end with gradients: the normalized normal constraint method.

First each objective is minimized by itself; the ends found so span a plane (of two objectives a line). From points
spread evenly over it the front is looked for along the normal: the last objective is minimized while the design stays
on one side of planes through the point. Unlike weighted sums this finds hollow parts of a front as well, and evenly
spread designs (A. Messac, A. Ismail-Yahaya, C. A. Mattson, Structural and Multidisciplinary Optimization 25, 2003).

All of it is arithmetic on runs of one problem, so that no run is made twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from tellegen.analyses.optimization.algorithms.choose_method import ChosenMethod
from tellegen.analyses.optimization.algorithms.gradient_based import Limits
from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE, Asked, Evaluation, Searchable, objectives
from tellegen.analyses.optimization.formulation.failed_runs import failure_advice, failure_texts
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.performance.expression import Constraint
from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here

_STEP = 0.05  # of the bounds
_AT_PLANE = 1e-3  # of the ranges of the objectives


@dataclass(frozen=True, eq=False)
class Scale:
    """Objectives as numbers from 0 (best of all) to 1 (worst of the ends)."""

    best: FloatArray
    range: FloatArray

    def of(self, values: FloatArray) -> FloatArray:
        """Normalized objectives."""
        return (values - self.best) / self.range


class Walk:
    """The search for a front; `found` are its designs so far."""

    def __init__(self, problem: Problem, method: ChosenMethod, limits: Limits) -> None:
        self.problem = problem
        self.limits = limits
        self.method = method
        self.count = 1 + problem.asked.others
        self.found: list[Evaluation] = []

    def along(self, first: FloatArray, designs: int) -> str:
        """Fill `found`; why the method gave up somewhere, if it did."""
        problem = self.problem
        count = self.count
        messages: list[str] = []
        start = problem.evaluate(first)
        if start.failed:
            raise DesignError(
                "E625",
                "the run that the search begins with fails",
                location=here(),
                details=failure_texts(problem.history, problem.variables),
                advice=failure_advice(problem, "give a guess=... with which tg.simulate works"),
            )
        size = np.maximum(np.abs(objectives(problem, start)), 1e-300)
        scale = Scale(np.zeros(count), size)
        ends: list[Evaluation] = []
        for axis in np.eye(count):  # all from the start: the end of another objective may be a ridge of this one
            messages += self._solve(Along(problem, scale, axis), [first])
            messages += self._settle(scale, axis)
            ends.append(self.found[-1])
        values = np.array([objectives(problem, each) for each in ends])
        scale = Scale(values.min(axis=0), np.maximum(np.ptp(values, axis=0), 1e-12 * size))
        corners = scale.of(values)
        if (np.ptp(values, axis=0) <= 1e-9 * size).any():
            return "; ".join(messages)  # nothing to choose: one design is best in everything
        done = [(np.eye(count)[k], ends[k].x) for k in range(count)]
        for weight in lattice(count, designs)[count:]:
            near = sorted(done, key=lambda each: float(((each[0] - weight) ** 2).sum()))
            planes = corners[-1] - corners[:-1]
            view = Along(problem, scale, np.eye(count)[-1], planes, planes @ (weight @ corners))
            messages += self._solve(view, [near[0][1], first, *(x for _, x in near[1:3])])
            done.append((weight, self.found[-1].x))
        return "; ".join(dict.fromkeys(messages))

    def _settle(self, scale: Scale, axis: FloatArray) -> list[str]:
        """What the end of an objective leaves open is for the others to choose: try a step that is good for them."""
        problem = self.problem
        end = self.found[-1]
        rest = Along(problem, scale, 1.0 - axis)
        own = Along(problem, scale, axis)
        slope = rest.evaluate(end.x).slope
        assert slope is not None
        u = problem.variables.normalized(end.x)
        way = -slope * problem.variables.scale(end.x)
        way[((u <= 0.0) & (way < 0.0)) | ((u >= 1.0) & (way > 0.0))] = 0.0
        if not way.any():
            return []
        there = np.clip(u + _STEP * way / np.abs(way).max(), 0.0, 1.0)
        least = own.evaluate(end.x)
        beside = own.evaluate(problem.variables.values(there))
        if beside.failed or beside.objective > least.objective + self.limits.tolerance:
            return []
        self.found.pop()
        limit = np.array([least.objective + self.limits.tolerance])
        return self._solve(Along(problem, scale, 1.0 - axis, axis[None], limit), [end.x])

    def _solve(self, view: Along, starts: list[FloatArray]) -> list[str]:
        """Minimize from the first start; from others where that ends before it comes to the planes."""
        message = ""
        for x in starts:
            message = self.method.run(view, x, self.limits)
            if view.at_planes():
                break
        best = view.best
        if best is None:
            return ["a part of the front was not found: runs fail there"]
        self.found.append(view.runs[best.key])
        return [message] if message and best.violation > FEASIBLE else []


class Along(Searchable):
    """A problem of several objectives as one of one: `direction` of them is minimized while planes @ them <= limits."""

    def __init__(
        self, base: Problem, scale: Scale, direction: FloatArray, planes: Any = None, limits: Any = None
    ) -> None:
        kept = base.asked.constraints[base.asked.others :]
        sides = [] if limits is None else [Constraint(base.asked.objective, -np.inf, float(b), "") for b in limits]
        super().__init__(Asked(base.asked.objective, (*kept, *sides)), base.variables)
        self.base = base
        self.scale = scale
        self.direction = direction
        self.planes = np.zeros((0, 1 + base.asked.others)) if planes is None else planes
        self.runs: dict[bytes, Evaluation] = {}  # of the base, by the key of what was made of them

    @property
    def sizes(self) -> FloatArray:
        """Those of the constraints, then ones for the planes."""
        return np.append(self.base.sizes[self.base.asked.others :], np.ones(len(self.planes)))

    def at_planes(self) -> bool:
        """Whether the best design is held by the planes, as on a front that continues after them."""
        best = self.best
        count = len(self.planes)
        if best is None or not count:
            return best is not None
        room = self.asked.high[-count:] - best.constraints[-count:]
        return bool(best.violation <= FEASIBLE and (room < _AT_PLANE).any())

    def evaluate(self, x: FloatArray, gradient: bool = True) -> Evaluation:
        """A run of the base, seen along the normal."""
        found = self.base.evaluate(x, gradient)
        others = self.base.asked.others
        sign = self.base.asked.sign
        if found.key in self.runs or found.failed:
            return next((each for each in self.history if each.key == found.key), found)
        assert found.slope is not None
        assert found.jacobian is not None
        values = self.scale.of(objectives(self.base, found))
        slopes = np.vstack([found.slope, sign * found.jacobian[:others]]) / self.scale.range[:, None]
        seen = np.append(found.constraints[others:], self.planes @ values)
        away = np.maximum(self.asked.low - seen, seen - self.asked.high) / self.sizes
        made = replace(
            found,
            objective=float(self.direction @ values),
            slope=self.direction @ slopes,
            constraints=seen,
            jacobian=np.vstack([found.jacobian[others:], self.planes @ slopes]),
            violation=float(np.max(away, initial=0.0)),
        )
        self.runs[found.key] = found
        self.history.append(made)
        return made


def lattice(count: int, designs: int) -> FloatArray:
    """Weights that add up to one, evenly spread: the corners first, then at least so many in all, in order."""
    steps = 1
    while len(found := _weights(count, steps)) < designs:
        steps += 1
    corner = (found == steps).any(axis=1)
    rest = found[~corner]
    return np.vstack([np.eye(count), rest / steps])


def _weights(count: int, steps: int) -> Any:
    """All rows of integers with the sum `steps`, by where bars stand between stars."""
    rows = []
    for bars in combinations(range(steps + count - 1), count - 1):
        edges = np.array([-1, *bars, steps + count - 1])
        rows.append(np.diff(edges) - 1)
    return np.array(rows[::-1])

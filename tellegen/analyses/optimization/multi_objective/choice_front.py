"""Two objectives and choices: the front of all combinations.

The ends of the front are the optima of either objective. Between them the first objective is searched with a limit on
the second one, from end to end; each search is over all combinations, most of which it leaves out. Where the first
objective leaves values open (a mass does not depend on the gains of a controller), the second one decides over them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.analyses.optimization.choices.leaves import LeafSearch
from tellegen.analyses.optimization.choices.space import Space
from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE, Asked
from tellegen.analyses.optimization.multi_objective.front import Candidate, Front, not_dominated
from tellegen.analyses.optimization.single_objective.optimum import INTERRUPTED
from tellegen.analyses.optimization.single_objective.search_choices import TreeSearch, searched
from tellegen.analyses.performance.expression import Constraint
from tellegen.errors import DesignError
from tellegen.ir.source_location import here

_MANY = 1000  # combinations
_SLACK = 1e-6  # by which the first objective may be worse where the second one is searched


class ChoiceFront:
    """The search at work: the space as asked for, and the same with the objectives in the other order."""

    def __init__(self, space: Space, leaves: LeafSearch, executor: Any = "processes") -> None:
        asked = space.task.asked
        if asked.others != 1:
            advice = "give two objectives, or choose first by tg.optimize"
            raise DesignError("E627", "with choices there are two objectives", location=here(), advice=advice)
        self.asked = asked
        self.space = space
        self.swapped = Space(replace(space.task, asked=_swapped(asked)), space.model, space.options)
        self.leaves = leaves
        self.executor = executor
        self.found: list[Candidate] = []
        self.method = ""
        self.is_interrupted = False

    def run(self, designs: int) -> Front:
        """The ends, then designs between them; without variables, all combinations if they are not too many."""
        if not self.space.task.variables and len(self.space) <= _MANY:
            return self._of_all()
        self._add(self.space, self.swapped)
        self._add(self.swapped, self.space)
        if not self.found:
            raise _nothing_found()
        ends = [each.evaluation.constraints[0] for each in self.found]
        for limit in np.linspace(ends[0], ends[-1], designs)[1:-1]:
            if not self.is_interrupted:
                self.space.ask(_limited(self.asked, float(limit)))
                self._add(self.space, self.swapped)
        self.space.ask(self.asked)
        values = np.array([each.objectives for each in self.found])
        kept = [self.found[k] for k in np.flatnonzero(not_dominated(values))]
        message = INTERRUPTED if self.is_interrupted else ""
        return Front(kept[0].problem, kept, f"{self.method}, limits on the second objective", message)

    def _of_all(self) -> Front:
        """The exact front: one run for each combination."""
        tree = searched(self.space, self.leaves, TreeSearch("all", self.executor))
        for place, leaf in tree.leaves.items():
            if leaf.best.violation <= FEASIBLE:
                problem = self.space.shapes[place.shape].leaf_problem
                self.found.append(Candidate(problem, leaf.best, self.space.choice(place)))
        if not self.found:
            raise _nothing_found()
        values = np.array([each.objectives for each in self.found])
        kept = [self.found[k] for k in np.flatnonzero(not_dominated(values))]
        return Front(kept[0].problem, kept, tree.method, INTERRUPTED if tree.is_interrupted else "")

    def _add(self, space: Space, other: Space) -> None:
        """The best leaf, and of all its values that are as good the best ones for the other objective."""
        tree = searched(space, self.leaves, TreeSearch("auto", self.executor))
        self.method = self.method or tree.method
        self.is_interrupted |= tree.is_interrupted
        best = tree.best
        if best is None or best.best.violation > FEASIBLE:
            return
        reached = space.task.asked.sign * best.best.objective
        whole = other.task.asked
        other.ask(_limited(whole, reached + _SLACK * space.task.asked.sign * abs(reached)))
        leaf = self.leaves.solve(other, best.place, best.best.x)
        other.ask(whole)
        x = leaf.best.x if leaf.best.violation <= FEASIBLE else best.best.x
        problem = self.space.shapes[best.place.shape].leaf_problem
        choice = self.space.choice(best.place)
        problem.choose(str(choice), choice.parameters)
        self.found.append(Candidate(problem, problem.evaluate(x, gradient=False), choice))


def _nothing_found() -> DesignError:
    what = "no run of the search succeeded and satisfied the constraints"
    return DesignError("E625", what, location=here(), advice="give a guess=..., or wider limits")


def _swapped(asked: Asked) -> Asked:
    """The second objective first."""
    other = asked.constraints[0]
    first = Constraint(asked.objective, -np.inf, np.inf, str(asked.objective))
    return replace(asked, objective=other.performance, constraints=(first, *asked.constraints[1:]))


def _limited(asked: Asked, limit: float) -> Asked:
    """With a limit on the second objective."""
    other = asked.constraints[0]
    limited = replace(other, high=limit) if asked.sign > 0 else replace(other, low=limit)
    return replace(asked, constraints=(limited, *asked.constraints[1:]))

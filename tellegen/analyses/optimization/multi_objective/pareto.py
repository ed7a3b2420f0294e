"""tg.pareto: several objectives at once. There is no best design then, but a front of them.

front = tg.pareto(
    car,
    minimize=[tg.rms("body.a"), tg.rms("tyre.f")],
    variables={"spring.c": (5e3, 5e4), "damper.d": (200.0, 5000.0)},
    stop=2.0,
)

With gradients the front is walked from end to end (normal_constraint.py); without them a population comes to it
(population_based.py: NSGA-II of pymoo, Optuna).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from tellegen.analyses.optimization.algorithms import population_based
from tellegen.analyses.optimization.algorithms.choose_method import WITH_GRADIENTS, ChosenMethod, choose_method
from tellegen.analyses.optimization.algorithms.gradient_based import Limits
from tellegen.analyses.optimization.choices.leaves import LeafSearch
from tellegen.analyses.optimization.choices.options import read_options
from tellegen.analyses.optimization.choices.shape import Task
from tellegen.analyses.optimization.choices.space import Space
from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE, Asked, objectives
from tellegen.analyses.optimization.formulation.failed_runs import failure_texts
from tellegen.analyses.optimization.formulation.prepare import asked_of, prepared
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.formulation.search_variables import count_of, wrong
from tellegen.analyses.optimization.multi_objective.choice_front import ChoiceFront
from tellegen.analyses.optimization.multi_objective.front import Candidate, Front, not_dominated, spread_evenly
from tellegen.analyses.optimization.multi_objective.normal_constraint import Walk
from tellegen.analyses.optimization.single_objective.live_table import LiveTable
from tellegen.analyses.optimization.single_objective.optimum import INTERRUPTED, Optimum
from tellegen.analyses.optimization.single_objective.resume_search import SearchStart, resume, search_settings
from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.expression import Constraint, Performance
from tellegen.analyses.performance.response import Response
from tellegen.engine.request.run_options import GRADIENTS
from tellegen.engine.request.run_request import RunKeywords, run_call
from tellegen.errors import DesignError, nearest
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here


class Named(Performance):
    """A performance function with the name a user gives it."""

    def __init__(self, what: Performance, name: str) -> None:
        self.what = what
        self.text = str(name)

    @property
    def members(self) -> tuple[Performance, ...]:
        """See Performance."""
        return (self.what,)

    def evaluate(self, response: Response) -> Dual:
        """As it is."""
        return self.what.evaluate(response)


@run_call(rtol=GRADIENTS)
def pareto(
    model: Any,
    stop: float | str | Sequence[float | str] | None = None,
    *,
    minimize: Sequence[Performance] | Mapping[str, Performance] | None = None,
    maximize: Sequence[Performance] | Mapping[str, Performance] | None = None,
    variables: Mapping[str, Any] | None = None,
    subject_to: Sequence[Any] | Any = (),
    choices: Mapping[str, Any] | None = None,
    designs: int = 12,
    executor: Any = "processes",
    method: str = "auto",
    guess: Mapping[str, Any] | Optimum | Front | None = None,
    tolerance: float = 1e-6,
    max_iterations: int = 100,
    seed: int = 0,
    **run: Unpack[RunKeywords],
) -> Front:
    """Designs between the bounds of `variables` of which none is better than another in all of `minimize`.

    Objectives are a list, or a dict that names them: minimize={"comfort": tg.rms("a"), "cost": tg.final("c")}.
    `method` is one with gradients ("slsqp", "ipopt", "trust-constr"), by which about `designs` of them are found one
    after the other, evenly spread; or "nsga2" (pymoo) or "optuna", populations that need no gradients and find fronts
    with gaps, at hundreds of runs. `choices` and `executor` are those of tg.optimize, for two objectives. Ctrl-C ends
    the search with the designs found so far, and guess=front continues. The other arguments are those of tg.optimize,
    the keywords from `start` on those of tg.simulate.
    """
    asked = _several(minimize, maximize, subject_to)
    limits = Limits(tolerance, max_iterations, seed)
    if choices:
        values = guess if isinstance(guess, Mapping) else None
        space = Space(Task(stop, variables or {}, asked, run, method), model, read_options(model, choices, True))
        return ChoiceFront(space, LeafSearch(limits, 1, values), executor).run(count_of("designs", designs, least=2))
    if executor != "processes":
        raise wrong("executor is for the combinations of choices", "choices={'gear.ratio': [3, 5, 8]}")
    problem = prepared(model, stop, variables, asked, run)
    if not problem.variables.names:
        raise wrong("variables is empty: there is only one design", "variables={'r.R': (1.0, 3.0)}")
    chosen = _method(method, problem)
    values = guess.variables if isinstance(guess, Optimum) else None if isinstance(guess, Front) else guess
    first = problem.variables.guess(problem.driven.guesses(values))
    settings = search_settings(problem, chosen, limits, designs)
    if isinstance(guess, Front):
        known = resume(problem, guess.problem, guess.search_start, settings)
        first = guess[0].evaluation.x if known is None else known
    front = _searched(problem, chosen, Wanted(first, limits, count_of("designs", designs, least=2)))
    front.search_start = SearchStart(first, settings) if front.interrupted else None
    return front


def _several(minimize: Any, maximize: Any, subject_to: Any) -> Asked:
    """The first objective, and the others as constraints without limits."""
    given = minimize if maximize is None else maximize
    if isinstance(given, Mapping):
        given = [Named(each, name) if isinstance(each, Performance) else each for name, each in given.items()]
    listed = list(given) if isinstance(given, list | tuple) else []
    if len(listed) < 2 or (minimize is not None and maximize is not None):
        what = f"minimize (or maximize, not both) lists two or more performance functions, not {given!r}"
        advice = "tg.pareto(model, minimize=[tg.rms('a'), tg.final('cost')], ...); -f to maximize one of them"
        raise DesignError("E627", what, location=here(), advice=advice)
    sides = [(each, None) if maximize is None else (None, each) for each in listed]
    asked = [asked_of(*side, subject_to) for side in sides]
    others = [Constraint(each.objective, -np.inf, np.inf, str(each.objective)) for each in asked[1:]]
    return replace(asked[0], constraints=(*others, *asked[0].constraints), others=len(others))


def _method(name: str, problem: Problem) -> ChosenMethod:
    if name in population_based.METHODS:
        population_based.package(name)
        return ChosenMethod(name)
    known = [*WITH_GRADIENTS, *population_based.METHODS]
    if name != "auto" and name not in known:
        what = f"there is no method {name!r} for several objectives; {nearest(str(name), known)}"
        raise wrong(what, f"one of {', '.join(map(repr, known))}, or 'auto'")
    chosen = choose_method(name, problem.made)
    return chosen if chosen.has_gradients else ChosenMethod("nsga2", chosen.reason)


@dataclass(frozen=True, eq=False)
class Wanted:
    """Where the search begins, how far it goes, and about how many designs it finds."""

    first: FloatArray
    limits: Limits
    designs: int


def _searched(problem: Problem, method: ChosenMethod, wanted: Wanted) -> Front:
    message = ""
    walk = Walk(problem, method, wanted.limits) if method.has_gradients else None
    with LiveTable(problem):
        try:
            if walk is not None:
                message = walk.along(wanted.first, wanted.designs)
            else:
                population_based.METHODS[method.name](problem, wanted.first, wanted.limits, wanted.designs)
        except KeyboardInterrupt:
            message = INTERRUPTED
    runs = problem.history if walk is None or not walk.found else walk.found
    good = [each for each in runs if each.violation <= FEASIBLE]
    if not good:
        details = failure_texts(problem.history, problem.variables)
        advice = "give a guess=... with which tg.simulate works, or wider limits"
        what = "no run of the search succeeded and satisfied the constraints"
        raise DesignError("E625", what, location=here(), details=details, advice=advice)
    values = np.array([objectives(problem, each) for each in good])
    kept = np.flatnonzero(not_dominated(values))
    if walk is None:
        kept = kept[spread_evenly(values[kept], wanted.designs)]
    return Front(problem, [Candidate(problem, good[k]) for k in kept], str(method), message)

"""tg.optimize: the values of parameters and start values for which a performance function is smallest.

best = tg.optimize(
    model,
    minimize=tg.integral("time * abs(error)"),
    variables={"controller.k": (0.1, 50.0), "controller.Ti": (0.01, 1.0)},
    subject_to=[tg.peak("motor.i") <= 10.0],
    stop=2.0,
)
print(best)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from tellegen.analyses.adjoint.adjoint import AdjointModel
from tellegen.analyses.derivatives.confirmed_adjoint import ConfirmedAdjoint
from tellegen.analyses.derivatives.gradients import chosen_method
from tellegen.analyses.optimization.algorithms.choose_method import WITHOUT, choose_method
from tellegen.analyses.optimization.algorithms.multistart import Multistart
from tellegen.analyses.optimization.choices.options import read_options
from tellegen.analyses.optimization.choices.shape import Task
from tellegen.analyses.optimization.choices.space import Space
from tellegen.analyses.optimization.formulation.prepare import asked_of, prepared, refuse_other_than_bounds
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.single_objective.optimum import Optimum
from tellegen.analyses.optimization.single_objective.resume_search import SearchStart, resume, search_settings
from tellegen.analyses.optimization.single_objective.search import Search
from tellegen.analyses.optimization.single_objective.search_choices import TreeSearch, search_tree, wants_tree
from tellegen.analyses.optimization.single_objective.search_request import SearchKeywords, request_search
from tellegen.analyses.performance.expression import Performance
from tellegen.engine.request.run_options import GRADIENTS
from tellegen.engine.request.run_request import run_call


@run_call(request_search, rtol=GRADIENTS)
def optimize(
    model: Any,
    stop: float | str | Sequence[float | str] | None = None,
    *,
    minimize: Performance | None = None,
    maximize: Performance | None = None,
    variables: Mapping[str, Any] | None = None,
    subject_to: Sequence[Any] | Any = (),
    choices: Mapping[str, Any] | None = None,
    combinations: str = "auto",
    gradients: str = "auto",
    executor: Any = "processes",
    **search: Unpack[SearchKeywords],
) -> Optimum:
    """The values of `variables` between their bounds for which `minimize` (or `maximize`) is best.

    Gradients are exact: every run carries its sensitivities ("forward"), or is followed backwards ("adjoint"), which is
    cheaper for many variables; `gradients="auto"` takes what costs less. `method` is "slsqp", "ipopt" or
    "trust-constr"; without derivatives "nelder-mead" or "differential-evolution". The search begins at `guess`, or at
    the model's own values; `starts` begins it at more places between the bounds. `choices` are lists of values, rows
    or parts: `combinations="all"` tries every combination, "bounds" leaves out those that cannot be better, and "auto"
    does so where there are hundreds. They are searched on all cores, or where `executor` says (that of tg.study, but
    not "threads"). An input of the model becomes a variable by tg.piecewise, the end of the run by
    stop=(earliest, latest). Ctrl-C ends the search with the best so far, and guess=result resumes it. The keywords
    from `start` on are those of tg.simulate.
    """
    asked = asked_of(minimize, maximize, subject_to)
    request = request_search(**search)
    refuse_other_than_bounds(variables)
    options = read_options(model, choices, bool(variables))
    search_of_tree = TreeSearch(combinations, executor)
    if wants_tree(search_of_tree, options, variables):
        task = Task(stop, variables or {}, asked, request.run, request.method)
        return search_tree(Space(task, model, options), request, search_of_tree)
    problem = prepared(model, stop, variables, asked, request.run, along=True)
    if problem.variables.names and request.method not in WITHOUT:
        problem.follow_backward(_backward(problem, gradients), gradients)
    chosen = choose_method(request.method, problem.made, tangents=not problem.is_backward)
    combined = list(options.combinations())
    first = problem.variables.guess(problem.driven.guesses(request.first_values))
    settings = search_settings(problem, chosen, request.limits, request.starts, str(combined))
    if isinstance(request.guess, Optimum):
        known = resume(problem, request.guess.problem, request.guess.search_start, settings)
        first = first if known is None else known
    result = Search(problem, Multistart(chosen, request.limits, request.starts)).run(first, combined)
    result.search_start = SearchStart(first, settings) if result.interrupted else None
    return result


def _backward(problem: Problem, gradients: str) -> AdjointModel | None:
    """The model that follows runs backwards, where that is asked for or costs less."""
    if gradients == "auto" and problem.driven.drives:
        return None  # every corner is an event, and events are what going backwards is slow at
    chosen = chosen_method(problem.made, 1 + len(problem.asked.constraints), gradients)
    return ConfirmedAdjoint(problem.made) if chosen == "adjoint" else None

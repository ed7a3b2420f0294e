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
from dataclasses import replace
from typing import Any, Unpack

from tellegen.analyses.adjoint.adjoint import AdjointModel
from tellegen.analyses.derivatives.confirmed_adjoint import ConfirmedAdjoint
from tellegen.analyses.derivatives.gradients import chosen_method
from tellegen.analyses.optimization.algorithms.choose_method import WITHOUT, choose_method
from tellegen.analyses.optimization.formulation.choice_combinations import combinations
from tellegen.analyses.optimization.formulation.evaluation import Asked, as_constraints
from tellegen.analyses.optimization.formulation.path_constraints import along_paths
from tellegen.analyses.optimization.formulation.piecewise_inputs import drive_inputs
from tellegen.analyses.optimization.formulation.problem import Problem, UnvariedModel
from tellegen.analyses.optimization.formulation.search_variables import read_variables, wrong
from tellegen.analyses.optimization.single_objective.optimum import Optimum
from tellegen.analyses.optimization.single_objective.resume_search import SearchStart, resume, search_settings
from tellegen.analyses.optimization.single_objective.search import Search
from tellegen.analyses.optimization.single_objective.search_request import SearchKeywords, request_search
from tellegen.analyses.performance.expression import Performance
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel, new_run
from tellegen.compile import compile_model
from tellegen.engine.request.run_options import GRADIENTS
from tellegen.engine.request.run_request import RunKeywords, request_run, run_call
from tellegen.errors import DesignError
from tellegen.ir.source_location import here


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
    gradients: str = "auto",
    **search: Unpack[SearchKeywords],
) -> Optimum:
    """The values of `variables` between their bounds for which `minimize` (or `maximize`) is best.

    Gradients are exact: every run carries its sensitivities ("forward"), or is followed backwards ("adjoint"), which is
    cheaper for many variables; `gradients="auto"` takes what costs less. `method` is "slsqp", "ipopt" or
    "trust-constr"; without derivatives "nelder-mead" or "differential-evolution". The search begins at `guess`, or at
    the model's own values; `starts` begins it at more places between the bounds. `choices` are tried in all
    combinations. An input of the model becomes a variable by tg.piecewise, the end of the run by stop=(earliest,
    latest). Ctrl-C ends the search with the best so far, and guess=result resumes it. The keywords from `start` on
    are those of tg.simulate.
    """
    asked = asked_of(minimize, maximize, subject_to)
    request = request_search(**search)
    problem = prepared(model, stop, variables, asked, request.run, along=True)
    if problem.variables.names and request.method not in WITHOUT:
        problem.follow_backward(_backward(problem, gradients), gradients)
    chosen = choose_method(request.method, problem.made, tangents=not problem.is_backward)
    combined = combinations(choices, bool(problem.variables.names))
    first = problem.variables.guess(problem.driven.guesses(request.first_values))
    settings = search_settings(problem, chosen, request.limits, request.starts, str(combined))
    if isinstance(request.guess, Optimum):
        known = resume(problem, request.guess.problem, request.guess.search_start, settings)
        first = first if known is None else known
    result = Search(problem, chosen, request.limits).run(first, request.starts, combined)
    result.search_start = SearchStart(first, settings) if result.interrupted else None
    return result


def prepared(
    model: Any, stop: Any, variables: Mapping[str, Any] | None, asked: Asked, run: RunKeywords, along: bool = False
) -> Problem:
    """The problem in numbers; with `along`, limits of peaks are limits along the run where signals are searched."""
    if variables is not None and not isinstance(variables, Mapping):
        raise wrong(f"variables gives each path its bounds, not {variables!r}", "variables={'r.R': (1.0, 3.0)}")
    driven = drive_inputs(model, variables, run.get("start", 0.0), stop)
    varied = driven.variables
    made: Any = SensitivityModel(driven.model, list(varied)) if varied else UnvariedModel(compile_model(driven.model))
    request = new_run(made.plain, request_run(made.plain.flat.experiment, driven.stop, **run))
    request.refuse_varied_starts(variable.name for variable in made.variables if variable.starts)
    found = read_variables(made, varied, request.parameters)
    if along:
        seen, paths = along_paths(asked.constraints, driven)
        asked = replace(asked, constraints=tuple(seen), paths=tuple(paths))
    return Problem(made, asked, found, request, driven)


def _backward(problem: Problem, gradients: str) -> AdjointModel | None:
    """The model that follows runs backwards, where that is asked for or costs less."""
    if gradients == "auto" and problem.driven.drives:
        return None  # every corner is an event, and events are what going backwards is slow at
    chosen = chosen_method(problem.made, 1 + len(problem.asked.constraints), gradients)
    return ConfirmedAdjoint(problem.made) if chosen == "adjoint" else None


def asked_of(minimize: Any, maximize: Any, subject_to: Any) -> Asked:
    """What is wanted, checked."""
    wanted = minimize if maximize is None else maximize
    if isinstance(wanted, list | tuple) and len(wanted) > 1:
        what = "several objectives have a Pareto front, not one optimum"
        raise DesignError("E622", what, location=here(), advice="tg.pareto(model, minimize=[...], ...), or add them up")
    if not isinstance(wanted, Performance) or (minimize is not None and maximize is not None):
        raise DesignError(
            "E622",
            f"minimize (or maximize, not both) is a performance function, not {wanted!r}",
            location=here(),
            advice="minimize=tg.integral('time * abs(e)'), minimize=tg.final('mass'), maximize=tg.mean('power')",
        )
    return Asked(wanted, as_constraints(subject_to), 1.0 if maximize is None else -1.0)

"""From what a user asks of a search to a problem in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tellegen.analyses.optimization.formulation.evaluation import Asked, as_constraints
from tellegen.analyses.optimization.formulation.path_constraints import along_paths
from tellegen.analyses.optimization.formulation.piecewise_inputs import drive_inputs
from tellegen.analyses.optimization.formulation.problem import Problem, UnvariedModel
from tellegen.analyses.optimization.formulation.search_variables import read_variables, wrong
from tellegen.analyses.performance.expression import Performance
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel, new_run
from tellegen.compile import compile_model
from tellegen.engine.request.run_request import RunKeywords, request_run
from tellegen.errors import DesignError
from tellegen.ir.source_location import here


def prepared(
    model: Any, stop: Any, variables: Mapping[str, Any] | None, asked: Asked, run: RunKeywords, along: bool = False
) -> Problem:
    """The problem in numbers; with `along`, limits of peaks are limits along the run where signals are searched."""
    refuse_other_than_bounds(variables)
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


def refuse_other_than_bounds(variables: Any) -> None:
    """E621 where `variables` does not give paths their bounds."""
    if variables is not None and not isinstance(variables, Mapping):
        raise wrong(f"variables gives each path its bounds, not {variables!r}", "variables={'r.R': (1.0, 3.0)}")


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

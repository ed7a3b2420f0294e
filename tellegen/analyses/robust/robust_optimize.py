"""tg.robust_optimize: nominal values for which a design is good although its parameters scatter.

best = tg.robust_optimize(
    model,
    stop=1.0,
    minimize=tg.sigma(tg.final("out.v")),                the least sensitive design
    variables={"r1.R": (1e3, 1e5), "r2.R": (1e3, 1e5)},
    tolerances={"r1.R": "5 %", "r2.R": "5 %"},
    subject_to=[tg.final("out.v") == 5.0],
)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from tellegen.analyses.optimization.algorithms.choose_method import choose_method
from tellegen.analyses.optimization.algorithms.multistart import Multistart
from tellegen.analyses.optimization.formulation.prepare import asked_of
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.formulation.search_variables import read_variables
from tellegen.analyses.optimization.single_objective.optimum import Optimum
from tellegen.analyses.optimization.single_objective.search import Search
from tellegen.analyses.optimization.single_objective.search_request import SearchKeywords, request_search
from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.expression import Performance
from tellegen.analyses.robust.sigma import TolerancedModel
from tellegen.analyses.robust.tolerances import paths_in, read_tolerances
from tellegen.engine.request.run_options import SECOND_DERIVATIVES
from tellegen.engine.request.run_request import run_call
from tellegen.ir.model import FloatArray


class RobustProblem(Problem):
    """A search whose runs carry tangents by tolerances too; its gradients are by the variables alone."""

    def _measure(self, x: FloatArray, gradient: bool) -> list[Dual]:
        assert isinstance(self.made, TolerancedModel)
        self.made.slopes = gradient
        count = len(self.variables.names)  # they stand first among what is varied
        return [Dual(each.value, each.slope[:count]) for each in super()._measure(x, True)]


@run_call(request_search, rtol=SECOND_DERIVATIVES)
def robust_optimize(
    model: Any,
    stop: float | str | None = None,
    *,
    minimize: Performance | None = None,
    maximize: Performance | None = None,
    variables: Mapping[str, Any],
    tolerances: Mapping[str, Any],
    subject_to: Sequence[Any] | Any = (),
    distribution: str = "uniform",
    correlation: Mapping[tuple[str, str], float] | None = None,
    **search: Unpack[SearchKeywords],
) -> Optimum:
    """tg.optimize with tolerances: `tg.sigma(f)` may stand in the objective and in constraints.

    `variables` are nominal values between bounds; `tolerances` are written as in tg.robustness, and those in percent
    grow with the nominal value. Minimize tg.sigma(f) for the least sensitive design, f + 3*tg.sigma(f) for one that is
    good even where it is bad, or keep limits with distance: subject_to=[f + 3*tg.sigma(f) <= limit]. Gradients of sigma
    take two more runs each, see docs/robust-design.md. All other arguments are those of tg.optimize, and of
    tg.simulate from `start` on.
    """
    asked = asked_of(minimize, maximize, subject_to)
    scattered = paths_in("tolerances", tolerances, "'r.R': '5 %'")
    varied = paths_in("variables", variables, "'r.R': (1e3, 1e5)")
    made = TolerancedModel(model, [*varied, *(path for path in scattered if path not in varied)])
    wanted = request_search(**search)
    request = made.request(stop, **wanted.run)
    made.tolerances = read_tolerances(made, tolerances, request, distribution, correlation)
    chosen = choose_method(wanted.method, made)
    found = read_variables(made, variables, request.parameters)
    problem = RobustProblem(made, asked, found, request)
    first = found.guess(wanted.first_values)
    return Search(problem, Multistart(chosen, wanted.limits, wanted.starts)).run(first)

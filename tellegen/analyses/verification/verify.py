"""Runs that violate requirements, looked for by samples and by exact gradients.

Half of the runs are samples that fill the ranges evenly. Then, for each requirement that all of them fulfil, searches
along the gradient of its margin begin at the samples that came closest to a violation; they end at the first violation
or when there are no runs left. Nothing found does not prove anything; the result says how close it came.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from tellegen.analyses.optimization.formulation.evaluation import Asked, Evaluation
from tellegen.analyses.optimization.formulation.prepare import prepared
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.single_objective.live_table import LiveTable
from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.expression import Constraint, Performance
from tellegen.analyses.performance.response import Response
from tellegen.analyses.requirements.curve import ANY
from tellegen.analyses.requirements.formulas import Formula
from tellegen.analyses.studies.design import sampler
from tellegen.analyses.verification.verification import Judged, Verification
from tellegen.engine.request.run_request import RunKeywords, run_call
from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here

_STARTS = 3  # samples from which a requirement's margin is followed downwards
_FEWEST = 4  # runs
_ANY_AMOUNT = 0.5 * ANY


@run_call()
def verify(
    model: Any,
    requirements: Formula | Sequence[Formula],
    *,
    over: Mapping[str, Any],
    stop: float | str | None = None,
    runs: int = 200,
    seed: int = 0,
    **run: Unpack[RunKeywords],
) -> Verification:
    """Look for runs that violate requirements, with any values of `over` between their bounds.

    `over` is what tg.optimize takes as variables: {"pid.k": (0.5, 2.0)}, start values, inputs as tg.piecewise(...).
    The result has the worst run found for each requirement, to be simulated again: found.solution("calm"). The keywords
    from `start` on are those of tg.simulate.
    """
    wanted = _checked(requirements)
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < _FEWEST:
        what = f"runs is the number of runs, an integer of at least {_FEWEST}, not {runs!r}"
        raise DesignError("E672", what, location=here(), advice="runs=200")
    first, *rest = (_Margin(each) for each in wanted)
    others = tuple(Constraint(each, -np.inf, np.inf, each.name) for each in rest)
    problem = prepared(model, stop, over, Asked(first, others, others=len(others)), run)
    if not problem.variables.names:
        what = "verify needs something to vary; one run is judged by requirement.verdict(solution)"
        raise DesignError("E672", what, location=here(), advice="over={'pid.k': (0.5, 2.0)}")
    hunt = _Hunt(problem, runs)
    with LiveTable(problem):
        try:
            hunt.sample(runs // 2, seed)
            for number in range(len(wanted)):
                hunt.follow(number)
        except KeyboardInterrupt:
            pass  # what is there counts
    return Verification(problem, tuple(_judged(problem, each, k) for k, each in enumerate(wanted)))


class _Margin(Performance):
    """The margin of a requirement as a number to search with: finite also where nothing speaks against it."""

    def __init__(self, requirement: Formula) -> None:
        self.text = requirement.name
        self.requirement = requirement

    @property
    def members(self) -> tuple[Performance, ...]:
        """See Performance."""
        return (self.requirement,)

    @property
    def required(self) -> Constraint | None:
        """See Performance: all that a run does counts."""
        return self.requirement.required

    def evaluate(self, response: Response) -> Dual:
        """See Performance."""
        found = self.requirement.evaluate(response)
        return Dual(float(np.clip(found.value, -ANY, ANY)), found.slope)


def _checked(requirements: Any) -> list[Formula]:
    is_list = isinstance(requirements, Iterable) and not isinstance(requirements, str)
    listed: list[Any] = list(requirements) if is_list else [requirements]
    for each in listed:
        if not isinstance(each, Formula):
            what = f"{each!r} is not a requirement"
            raise DesignError("E672", what, location=here(), advice="tg.require(tg.always('y < 1.2'), 'calm')")
    if not listed or len({each.name for each in listed}) < len(listed):
        what = "verify needs requirements, each with a name of its own"
        raise DesignError("E672", what, location=here(), advice="tg.require(tg.always('y < 1.2'), 'calm')")
    return listed


def margins(run: Evaluation) -> FloatArray:
    """Of all requirements in a run that succeeded."""
    return np.append(run.objective, run.constraints)


def _judged(problem: Problem, requirement: Formula, number: int) -> Judged:
    """The worst run for a requirement."""
    good = [each for each in problem.history if not each.failed]
    if not good:
        reasons = sorted({each.failed for each in problem.history})
        advice = "bounds within which tg.simulate works"
        raise DesignError("E672", "no run succeeded", location=here(), details=reasons[:3], advice=advice)
    worst = min(good, key=lambda each: margins(each)[number])
    margin = float(margins(worst)[number])
    return Judged(requirement, float(np.copysign(np.inf, margin)) if abs(margin) >= _ANY_AMOUNT else margin, worst.x)


class _SearchEndedError(Exception):
    """A violation was found, or there are no runs left."""


class _Hunt:
    """Runs until there are enough."""

    def __init__(self, problem: Problem, runs: int) -> None:
        self.problem = problem
        self.runs = runs

    def sample(self, count: int, seed: int) -> None:
        """Runs that fill the ranges evenly."""
        from scipy.stats import qmc

        for u in sampler(qmc.LatinHypercube, len(self.problem.variables.names), seed).random(count):
            self.problem.evaluate(self.problem.variables.values(u), gradient=False)

    def follow(self, number: int) -> None:
        """Searches for a violation of one requirement, from the samples that came closest."""
        from scipy.optimize import minimize

        good = [each for each in self.problem.history if not each.failed]
        ranked = sorted(good, key=lambda each: margins(each)[number])
        if not ranked or not 0.0 <= margins(ranked[0])[number] < _ANY_AMOUNT:
            return
        size = max(abs(float(margins(ranked[0])[number])), 1e-12)
        bounds = [(0.0, 1.0)] * len(self.problem.variables.names)

        def descend(u: FloatArray) -> tuple[float, FloatArray]:
            if len(self.problem.history) >= self.runs:
                raise _SearchEndedError
            run = self.problem.evaluate(self.problem.variables.values(u))
            if run.failed or run.slope is None or run.jacobian is None:
                return 1e3, np.zeros(len(u))
            if margins(run)[number] < 0.0:
                raise _SearchEndedError
            if margins(run)[number] >= _ANY_AMOUNT:
                return 1e3, np.zeros(len(u))
            slopes = np.concatenate([run.slope[None], run.jacobian])[number]
            return float(margins(run)[number]) / size, slopes * self.problem.variables.scale(run.x) / size

        for start in ranked[:_STARTS]:
            try:
                minimize(
                    descend, self.problem.variables.normalized(start.x), jac=True, bounds=bounds, method="L-BFGS-B"
                )
            except _SearchEndedError:
                return

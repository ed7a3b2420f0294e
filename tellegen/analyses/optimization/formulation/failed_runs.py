"""Why runs of a search fail: each reason once, with how often it occurs and the values of the first such run."""

from __future__ import annotations

from collections import Counter

from tellegen.analyses.optimization.formulation.evaluation import Evaluation
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.formulation.search_variables import Variables

_SHOWN = 5  # reasons, and variables of a run


def failure_texts(history: list[Evaluation], variables: Variables) -> list[str]:
    """A line for each reason, the most frequent first."""
    counts = Counter(each.failed for each in history if each.failed)
    first = {each.failed: each for each in reversed(history) if each.failed}
    return [
        f"{count} of {len(history)} runs failed, the first with {_values(first[reason], variables)}: {reason}"
        for reason, count in counts.most_common(_SHOWN)
    ]


def _values(each: Evaluation, variables: Variables) -> str:
    """The values of a run in words."""
    if not variables.names:
        return each.label or "the values as declared"
    shown = [f"{name} = {x:.6g}" for name, x in zip(variables.names, each.x.tolist(), strict=True)][:_SHOWN]
    more = [f"{len(variables.names) - _SHOWN} more"] if len(variables.names) > _SHOWN else []
    return ", ".join([*shown, *more])


def failure_advice(problem: Problem, usual: str) -> str:
    """What to do where no run succeeds: `usual`, unless runs succeed without derivatives."""
    failed = next((each for each in problem.history if each.failed), None)
    if failed is None or problem.evaluate(failed.x, gradient=False).failed:
        return usual
    return (
        "the model runs with these values, only the run with sensitivities fails: method='nelder-mead' needs none,\n"
        "gradients='adjoint' integrates them backwards; please report the model"
    )

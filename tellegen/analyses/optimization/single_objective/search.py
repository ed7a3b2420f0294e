"""A method at work on a problem: for all choices, from many starts, until Ctrl-C."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tellegen.analyses.optimization.algorithms.multistart import Multistart
from tellegen.analyses.optimization.choices.options import Choice
from tellegen.analyses.optimization.formulation.failed_runs import failure_advice, failure_texts
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.single_objective.live_table import LiveTable
from tellegen.analyses.optimization.single_objective.optimum import INTERRUPTED, Optimum
from tellegen.errors import DesignError, warn_user
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here


class Search:
    """A method at work on a problem: all choices, and for each all starts."""

    def __init__(self, problem: Problem, multistart: Multistart) -> None:
        self.problem = problem
        self.multistart = multistart

    def run(self, first: FloatArray, choices: Sequence[Choice] = (Choice(),)) -> Optimum:
        """All choices, and for each all starts."""
        problem = self.problem
        method = self.multistart.method
        message = ""
        messages: dict[str, str] = {}
        with LiveTable(problem):
            try:
                for choice in choices:
                    problem.choose(str(choice), choice.parameters)
                    messages[problem.label] = self.multistart.run(problem, first)
            except KeyboardInterrupt:
                message = INTERRUPTED
        best = problem.best
        if best is None:
            details = failure_texts(problem.history, problem.variables)
            advice = failure_advice(problem, "give a guess=... with which tg.simulate works, or narrower bounds")
            what = "no run of the search succeeded"
            raise DesignError("E625", what, location=here(), details=details, advice=advice)
        chosen = next((choice for choice in choices if str(choice) == best.label), Choice())
        problem.choose(best.label, chosen.parameters)
        if len(best.constraints) < len(problem.asked.constraints):  # instants of paths were added after it
            best = problem.evaluate(best.x, method.has_gradients)
        result = Optimum(
            problem, problem.confirmed(best), str(method), message or messages.get(best.label, ""), chosen.labels
        )
        warn_of(result)
        return result


def warn_of(result: Optimum) -> None:
    """Tell what would else be taken for an optimum: limits that are not kept, and a search without any effect."""
    broken = result.broken
    if broken and not result.interrupted:
        shown = ", ".join(f"{text} (it is {result.constraints[text]:.6g})" for text in broken)
        warn_user(f"no values were found that satisfy {shown}; these come closest")
    known = [each for each in result.history if each.slope is not None and each.jacobian is not None]
    if known and result.variables and not any(np.any(each.slope) or np.any(each.jacobian) for each in known):
        names = ", ".join(result.variables)
        warn_user(f"{result.problem.asked.objective} does not depend on {names}: these are its initial values")

"""A method at work on a problem: from many starts, for all choices, until Ctrl-C."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.stats import qmc

from tellegen.analyses.optimization.algorithms.choose_method import ChosenMethod
from tellegen.analyses.optimization.algorithms.gradient_based import Limits
from tellegen.analyses.optimization.formulation.choice_combinations import Choice
from tellegen.analyses.optimization.formulation.failed_runs import failure_advice, failure_texts
from tellegen.analyses.optimization.formulation.path_constraints import ROUNDS, add_instants
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.single_objective.live_table import LiveTable
from tellegen.analyses.optimization.single_objective.optimum import INTERRUPTED, Optimum
from tellegen.errors import DesignError, warn_user
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here

_TRIES = 16  # to find a place where the model can be simulated at all


class Search:
    """A method at work on a problem: all choices, and for each all starts."""

    def __init__(self, problem: Problem, method: ChosenMethod, limits: Limits) -> None:
        self.problem = problem
        self.method = method
        self.limits = limits

    def run(self, first: FloatArray, starts: int, choices: list[Choice]) -> Optimum:
        """All choices, and for each all starts."""
        problem = self.problem
        message = ""
        messages: dict[str, str] = {}
        with LiveTable(problem):
            try:
                for choice in choices:
                    problem.choose(str(choice), choice.parameters)
                    messages[problem.label] = self._from_all_starts(first, starts)
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
            best = problem.evaluate(best.x, self.method.has_gradients)
        result = Optimum(problem, best, str(self.method), message or messages.get(best.label, ""), chosen.labels)
        _warn(result)
        return result

    def _from_all_starts(self, first: FloatArray, starts: int) -> str:
        problem = self.problem
        n = len(first)
        if not n:
            problem.evaluate(first, gradient=False)
            return ""
        outcomes: list[tuple[tuple[float, float], str]] = []
        for position in self._positions(first, starts):
            before = len(problem.history)
            message = self._search(position)
            ranks = [each.rank for each in problem.history[before:]]
            outcomes.append((min(ranks, default=(np.inf, np.inf)), message))
        return min(outcomes)[1] if outcomes else "the model cannot be simulated anywhere between the bounds"

    def _search(self, position: FloatArray) -> str:
        """From one start; again from there while a limit is broken between the instants it was asked for at."""
        problem = self.problem
        message = ""
        for _ in range(ROUNDS):
            before = len(problem.history)
            message = self.method.run(problem, position, self.limits)
            further = add_instants(problem, before)
            if further is None:
                break
            position = further
        return message

    def _positions(self, first: FloatArray, starts: int) -> Iterator[FloatArray]:
        """Where to begin: at places where the model can be simulated."""
        problem = self.problem
        wanted = max(int(starts), 1)
        sobol = qmc.Sobol(len(first), rng=self.limits.seed)
        spread = sobol.random(1 << (wanted + _TRIES - 1).bit_length())
        tries = [first, *(problem.variables.values(u) for u in spread)]
        for x in tries[: wanted + _TRIES]:
            if wanted and not problem.evaluate(x, self.method.has_gradients).failed:
                wanted -= 1
                yield x


def _warn(result: Optimum) -> None:
    """Tell what would else be taken for an optimum: limits that are not kept, and a search without any effect."""
    broken = result.broken
    if broken and not result.interrupted:
        shown = ", ".join(f"{text} (it is {result.constraints[text]:.6g})" for text in broken)
        warn_user(f"no values were found that satisfy {shown}; these come closest")
    known = [each for each in result.history if each.slope is not None and each.jacobian is not None]
    if known and result.variables and not any(np.any(each.slope) or np.any(each.jacobian) for each in known):
        names = ", ".join(result.variables)
        warn_user(f"{result.problem.asked.objective} does not depend on {names}: these are its initial values")

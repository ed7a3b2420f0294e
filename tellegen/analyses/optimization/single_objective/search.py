"""A method at work on a problem: from many starts, for all choices, until Ctrl-C."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import qmc

from tellegen.analyses.optimization.algorithms import derivative_free, gradient_based, population_based
from tellegen.analyses.optimization.algorithms.gradient_based import Limits, Method
from tellegen.analyses.optimization.formulation.path_constraints import ROUNDS, add_instants
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.formulation.search_variables import wrong
from tellegen.analyses.optimization.single_objective.live_table import LiveTable
from tellegen.analyses.optimization.single_objective.optimum import INTERRUPTED, Optimum
from tellegen.engine.compiled import CompiledModel
from tellegen.errors import DelayNotDifferentiableError, DesignError, nearest, warn_user
from tellegen.ir.model import FloatArray
from tellegen.ir.place import here

WITH_GRADIENTS: dict[str, Method] = {
    "slsqp": gradient_based.slsqp,
    "ipopt": gradient_based.ipopt,
    "trust-constr": gradient_based.trust_constr,
}
WITHOUT: dict[str, Method] = {
    "nelder-mead": derivative_free.nelder_mead,
    "differential-evolution": derivative_free.evolution,
    "optuna": population_based.optuna,
}
_ALL = "all combinations"  # of choices, where nothing else is varied
_TRIES = 16  # to find a place where the model can be simulated at all


@dataclass(frozen=True)
class Plain:
    """A model that nothing is varied of but choices."""

    plain: CompiledModel
    variables: tuple[Any, ...] = ()


class Search:
    """A method at work on a problem: all choices, and for each all starts."""

    def __init__(self, problem: Problem, method: str, limits: Limits) -> None:
        self.problem, self.method, self.limits = problem, method, limits
        self.gradient = method in WITH_GRADIENTS

    def run(self, first: FloatArray, starts: int, chosen: list[Any], reason: str) -> Optimum:
        """All choices, and for each all starts."""
        problem, message = self.problem, ""
        messages: dict[str, str] = {}
        with LiveTable(problem):
            try:
                for labels, extra in chosen:
                    problem.choose(_text(labels), extra)
                    messages[problem.label] = self._from_all_starts(first, starts)
            except KeyboardInterrupt:
                message = INTERRUPTED
        best = problem.best
        if best is None:
            failed = [each.failed for each in problem.history]
            raise DesignError(
                "E625",
                "no run of the search succeeded",
                place=here(),
                details=dict.fromkeys(failed[:5]),
                advice="give a guess=... with which tg.simulate works, or narrower bounds",
            )
        labels, extra = next((pair for pair in chosen if _text(pair[0]) == best.label), ({}, {}))
        problem.choose(best.label, extra)
        if len(best.constraints) < len(problem.asked.constraints):  # instants of paths were added after it
            best = problem.evaluate(best.x, self.gradient)
        how = f"{self.method}: {reason}" if reason else self.method
        result = Optimum(problem, best, how, message or messages.get(best.label, ""), labels)
        _warn(result)
        return result

    def _from_all_starts(self, first: FloatArray, starts: int) -> str:
        problem, n = self.problem, len(first)
        if not n:
            problem.evaluate(first, gradient=False)
            return ""
        outcomes: list[tuple[tuple[float, float], str]] = []
        for place in self._places(first, starts):
            before = len(problem.history)
            message = self._search(place)
            ranks = [each.rank for each in problem.history[before:]]
            outcomes.append((min(ranks, default=(np.inf, np.inf)), message))
        return min(outcomes)[1] if outcomes else "the model cannot be simulated anywhere between the bounds"

    def _search(self, place: FloatArray) -> str:
        """From one start; again from there while a limit is broken between the instants it was asked for at."""
        problem, method = self.problem, {**WITH_GRADIENTS, **WITHOUT}[self.method]
        message = ""
        for _ in range(ROUNDS):
            before = len(problem.history)
            message = method(problem, place, self.limits)
            further = add_instants(problem, before)
            if further is None:
                break
            place = further
        return message

    def _places(self, first: FloatArray, starts: int) -> Iterator[FloatArray]:
        """Where to begin: at places where the model can be simulated."""
        problem, wanted = self.problem, max(int(starts), 1)
        sobol = qmc.Sobol(len(first), rng=self.limits.seed)
        spread = sobol.random(1 << (wanted + _TRIES - 1).bit_length())
        tries = [first, *(problem.variables.values(u) for u in spread)]
        for x in tries[: wanted + _TRIES]:
            if wanted and not problem.evaluate(x, self.gradient).failed:
                wanted -= 1
                yield x


def _warn(result: Optimum) -> None:
    """Tell what would else be taken for an optimum: limits that are not kept, and a search without any effect."""
    broken = result.broken
    if broken and not result.interrupted:
        shown = ", ".join(f"{text} (it is {result.constraints[text]:.6g})" for text in broken)
        warn_user(f"no values were found that keep {shown}; these come nearest")
    known = [each for each in result.history if each.slope is not None and each.jacobian is not None]
    if known and result.variables and not any(np.any(each.slope) or np.any(each.jacobian) for each in known):
        names = ", ".join(result.variables)
        warn_user(f"{result.problem.asked.objective} does not depend on {names}: these are the values it began with")


def _text(labels: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}={label}" for key, label in labels.items())


def method_for(name: str, made: Any, tangents: bool = True) -> tuple[str, str]:
    """The method, and why if it is not the usual one."""
    known = {**WITH_GRADIENTS, **WITHOUT}
    if name != "auto" and name not in known:
        what = f"there is no method {name!r}; {nearest(str(name), known)}"
        raise wrong(what, f"one of {', '.join(map(repr, known))}, or 'auto'")
    if isinstance(made, Plain):
        return _ALL, ""
    if name in WITHOUT:
        if name in population_based.PACKAGES:
            population_based.package(name)
        return name, ""
    if name == "ipopt":
        gradient_based.ipyopt_package()
    try:
        if tangents:
            made.prepare()
    except DelayNotDifferentiableError:
        if name != "auto":
            raise
        return "nelder-mead", "the model has delays, so there are no gradients"
    return "slsqp" if name == "auto" else name, ""

"""A method at work from several starts between the bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.stats import qmc

from tellegen.analyses.optimization.algorithms.choose_method import ChosenMethod
from tellegen.analyses.optimization.algorithms.gradient_based import NO_PROGRESS, Limits
from tellegen.analyses.optimization.formulation.path_constraints import ROUNDS, add_instants
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.ir.model import FloatArray

_TRIES = 16  # to find a place where the model can be simulated at all


@dataclass(frozen=True, eq=False)
class Multistart:
    """A method, how far it goes, and from how many places."""

    method: ChosenMethod
    limits: Limits
    starts: int = 1

    def run(self, problem: Problem, first: FloatArray) -> str:
        """Search from all starts; the message of the best of them. The problem remembers all runs."""
        if not len(first):
            problem.evaluate(first, gradient=False)
            return ""
        outcomes: list[tuple[tuple[float, float], str]] = []
        for position in self._positions(problem, first):
            before = len(problem.history)
            message = self._search(problem, position)
            ranks = [each.rank for each in problem.history[before:]]
            best = min(ranks, default=(np.inf, np.inf))
            outcomes.append((best, "" if message == NO_PROGRESS and best[0] == 0.0 else message))
        return min(outcomes)[1] if outcomes else "the model cannot be simulated anywhere between the bounds"

    def _search(self, problem: Problem, position: FloatArray) -> str:
        """From one start; again from there while a limit is broken between the instants it was asked for at."""
        message = ""
        for _ in range(ROUNDS):
            before = len(problem.history)
            message = self.method.run(problem, position, self.limits)
            further = add_instants(problem, before)
            if further is None:
                break
            position = further
        return message

    def _positions(self, problem: Problem, first: FloatArray) -> Iterator[FloatArray]:
        """Where to begin: at places where the model can be simulated."""
        wanted = max(int(self.starts), 1)
        sobol = qmc.Sobol(len(first), rng=self.limits.seed)
        spread = sobol.random(1 << (wanted + _TRIES - 1).bit_length())
        tries = [first, *(problem.variables.values(u) for u in spread)]
        for x in tries[: wanted + _TRIES]:
            if wanted and not problem.evaluate(x, self.method.has_gradients).failed:
                wanted -= 1
                yield x

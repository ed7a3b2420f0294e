"""How a search goes: keywords of tg.optimize and tg.robust_optimize beside those of the runs, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

from tellegen.analyses.optimization.algorithms.gradient_based import Limits
from tellegen.analyses.optimization.formulation.search_variables import count_of, wrong
from tellegen.analyses.optimization.single_objective.optimum import Optimum
from tellegen.engine.request.run_request import RunKeywords


class SearchKeywords(RunKeywords, total=False):
    """The keywords of a search; their defaults are those of `request_search`."""

    method: str
    """"slsqp", "ipopt", "trust-constr", "nelder-mead", "differential-evolution", "optuna", or "auto"."""
    guess: Mapping[str, Any] | Optimum | None
    """Where the search begins: values by path, or an earlier result; without it at the model's own values."""
    starts: int
    """How many searches begin at different points between the bounds."""
    tolerance: float
    """At which relative change of the objective a search ends."""
    max_iterations: int
    """After how many iterations a search is given up."""
    seed: int
    """Of random numbers."""


@dataclass(frozen=True, eq=False)
class SearchRequest:
    """A search as asked for, and the keywords of its runs."""

    method: str
    guess: Mapping[str, Any] | Optimum | None
    starts: int
    limits: Limits
    run: RunKeywords

    @property
    def first_values(self) -> Mapping[str, Any] | None:
        """The values by path where the search begins, as far as they are given."""
        return self.guess.variables if isinstance(self.guess, Optimum) else self.guess


def request_search(
    *,
    method: str = "auto",
    guess: Mapping[str, Any] | Optimum | None = None,
    starts: int = 1,
    tolerance: float = 1e-6,
    max_iterations: int = 100,
    seed: int = 0,
    **run: Unpack[RunKeywords],
) -> SearchRequest:
    """A search as asked for, or the error that says what is wrong."""
    if not isinstance(guess, Mapping | Optimum | None):
        raise wrong(f"guess is values by path or an earlier result, not {guess!r}", "guess={'controller.k': 2.0}")
    return SearchRequest(method, guess, count_of("starts", starts), Limits(tolerance, max_iterations, seed), run)

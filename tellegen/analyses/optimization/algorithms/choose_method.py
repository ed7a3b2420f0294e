"""Which method searches: the one asked for, or the one that suits the model."""

from __future__ import annotations

from dataclasses import dataclass

from tellegen.analyses.optimization.algorithms import derivative_free, gradient_based, population_based
from tellegen.analyses.optimization.algorithms.gradient_based import Limits, Method
from tellegen.analyses.optimization.formulation.evaluation import Searchable
from tellegen.analyses.optimization.formulation.problem import UnvariedModel
from tellegen.analyses.optimization.formulation.search_variables import wrong
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.errors import DelayNotDifferentiableError, nearest
from tellegen.ir.model import FloatArray

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
ALL = "all combinations"
"""Of choices, where nothing else is varied."""


@dataclass(frozen=True)
class ChosenMethod:
    """A method by its name, and why it is not the usual one."""

    name: str
    reason: str = ""

    @property
    def has_gradients(self) -> bool:
        """Whether it needs derivatives."""
        return self.name in WITH_GRADIENTS

    def run(self, problem: Searchable, start: FloatArray, limits: Limits) -> str:
        """Search from a start; the message says why it gave up, if it did."""
        method = WITH_GRADIENTS.get(self.name) or WITHOUT[self.name]
        return method(problem, start, limits)

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}" if self.reason else self.name


def choose_method(name: str, made: SensitivityModel | UnvariedModel, tangents: bool = True) -> ChosenMethod:
    """The method for a model; with `tangents` its runs carry them, so they are compiled now."""
    known = {**WITH_GRADIENTS, **WITHOUT}
    if name != "auto" and name not in known:
        what = f"there is no method {name!r}; {nearest(str(name), known)}"
        raise wrong(what, f"one of {', '.join(map(repr, known))}, or 'auto'")
    if isinstance(made, UnvariedModel):
        return ChosenMethod(ALL)
    if name in WITHOUT:
        if name in population_based.PACKAGES:
            population_based.package(name)
        return ChosenMethod(name)
    if name == "ipopt":
        gradient_based.ipyopt_package()
    try:
        if tangents:
            made.prepare()
    except DelayNotDifferentiableError:
        if name != "auto":
            raise
        return ChosenMethod("nelder-mead", "the model has delays, so there are no gradients")
    return ChosenMethod("slsqp" if name == "auto" else name)

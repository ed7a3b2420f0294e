"""A search in numbers: values of the variables in, objective and constraints with their derivatives out, by one run.

The model is compiled with its tangents once. A run that fails, or in which something awaited never happens, is an
evaluation like others: it says why, and methods step back from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tellegen.analyses.adjoint.adjoint import AdjointModel
from tellegen.analyses.optimization.formulation.driven_model import UNDRIVEN, DrivenModel
from tellegen.analyses.optimization.formulation.evaluation import Asked, Evaluation, Searchable
from tellegen.analyses.optimization.formulation.evaluation_cache import EvaluationCache, key_of
from tellegen.analyses.optimization.formulation.point_refinement import ROUNDS, PointRefinement
from tellegen.analyses.optimization.formulation.search_variables import Variables
from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.expression import Constraint, Lookout
from tellegen.analyses.performance.response import Response
from tellegen.analyses.sensitivities.design_variables import DesignVariable
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.request.run_request import RunRequest
from tellegen.errors import InternalError, RunFailedError, TellegenError, warn_user
from tellegen.ir.model import FloatArray
from tellegen.variation.driven import FINAL_TIME


@dataclass(frozen=True)
class UnvariedModel:
    """A model of which nothing is varied but choices: a SensitivityModel without design variables."""

    plain: CompiledModel
    variables: tuple[DesignVariable, ...] = ()


class Problem(Searchable):
    """See the top of this file."""

    def __init__(
        self,
        made: SensitivityModel,
        asked: Asked,
        variables: Variables,
        request: RunRequest,
        driven: DrivenModel = UNDRIVEN,
    ) -> None:
        super().__init__(asked, variables)
        self.made = made
        self.request = request
        self.driven = driven
        self.points = PointRefinement(request.options, driven)
        self.label = ""  # of a choice
        self.extra: dict[str, Any] = {}  # the parameters it sets
        self.watch: Callable[[Evaluation], None] | None = None
        self._lookout = Lookout()
        self._sizes = np.ones(len(asked.constraints))
        self._cache = EvaluationCache()
        self._backward: AdjointModel | None = None
        self._gradients = "auto"

    @property
    def sizes(self) -> FloatArray:
        """Of the constraints."""
        return self._sizes

    def loosen(self, tolerance: float) -> None:
        """Curves between output points with a larger error, relative to their largest values."""
        self.points = PointRefinement(self.request.options, self.driven, tolerance)

    def choose(self, label: str, extra: Mapping[str, Any]) -> None:
        """Other parameters for all runs from now on."""
        self.label = label
        self.extra = dict(extra)
        self._cache.forget_recent()

    def ask(self, more: Sequence[Constraint]) -> None:
        """More constraints for all runs from now on."""
        self.asked = replace(self.asked, constraints=(*self.asked.constraints, *more))
        sizes = [max(abs(limit) for limit in (each.low, each.high) if np.isfinite(limit)) or 1.0 for each in more]
        self._sizes = np.append(self._sizes, sizes)
        self._cache.forget_recent()

    def follow_backward(self, model: AdjointModel | None, gradients: str) -> None:
        """Gradients by the run backwards, where that is cheaper; `gradients` is the method as asked for."""
        self._backward = model
        self._gradients = gradients

    @property
    def is_backward(self) -> bool:
        """Whether gradients are computed by the run backwards."""
        return self._backward is not None

    def same_points(self, before: Problem) -> None:
        """The output points another search has come to."""
        self.points.points = before.points.points

    def go_on_with(self, before: Problem) -> None:
        """Know the sizes and all runs of an interrupted search."""
        self.size = before.size
        self._sizes = before.sizes[: len(self.asked.constraints)]
        self._cache.remember_interrupted(before.history)

    def request_at(self, x: FloatArray) -> RunRequest:
        """The run with these values of the variables."""
        parameters, initial = self.variables.given(x)
        request = self.request.with_values({**self.extra, **parameters}, initial)
        return request.with_points(self.points.times(self._end(x)))

    def _end(self, x: FloatArray) -> float | None:
        """When a run with these values ends, where that is searched."""
        return float(x[self.variables.names.index(FINAL_TIME)]) if self.driven.free_end else None

    def evaluate(self, x: FloatArray, gradient: bool = True) -> Evaluation:
        """One run, remembered."""
        key = key_of(self.variables.normalized(x), gradient, len(self.asked.constraints))
        found = self._cache.recent(key)
        if found is None:
            found = self._cache.interrupted(self.label, key)
            if found is None:
                found = replace(self._run(np.array(x, float), gradient), key=key)
            self._cache.add(found)
            self.history.append(found)
            if self.watch is not None:
                self.watch(found)
        return found

    def confirmed(self, best: Evaluation) -> Evaluation:
        """The best run with all peaks between its points; as it is known where there are none."""
        before = self._lookout.has_peaks
        if before or best.failed:
            return best
        self._lookout = Lookout()
        again = self._run(best.x, gradient=False)
        if not self._lookout.has_peaks:
            return best
        warn_user(
            "the run of these values has peaks between its output points, which other runs of the search did not show; "
            "search again with more points"
        )
        return replace(again, slope=best.slope, jacobian=best.jacobian)

    def _run(self, x: FloatArray, gradient: bool) -> Evaluation:
        try:
            duals = self._measure(x, gradient)
        except InternalError:
            raise
        except TellegenError as error:
            if not self.history and not isinstance(error, RunFailedError):
                raise  # a mistake in what was asked, not a bad point
            return Evaluation(x, failed=f"{error.code}: {error.message}", label=self.label)
        values = np.array([float(dual.value) for dual in duals])
        slopes = np.array([dual.slope for dual in duals]).reshape(len(duals), -1)
        if not (np.isfinite(values).all() and np.isfinite(slopes).all()):
            return Evaluation(x, failed="a performance function is not a number here", label=self.label)
        if all(each.failed for each in self.history):
            self._measure_sizes(x, values, slopes)
        seen = 1 + len(self.asked.constraints)
        violation, seen_violation = self._violations(values[1:seen], values[seen:])
        return Evaluation(
            x,
            objective=float(self.asked.sign * values[0]),
            constraints=values[1:seen],
            paths=values[seen:],
            slope=self.asked.sign * slopes[0] if gradient else None,
            jacobian=slopes[1:seen] if gradient else None,
            violation=violation,
            seen_violation=seen_violation,
            label=self.label,
        )

    def _violations(self, seen: FloatArray, paths: FloatArray) -> tuple[float, float]:
        """How far the worst constraint is beyond its limit, of its size: of all, and of what methods see."""
        asked = self.asked
        away = np.maximum(asked.low - seen, seen - asked.high) / self.sizes
        worst = float(np.max(away, initial=0.0))
        beyond = worst
        for value, path in zip(paths, asked.paths, strict=True):
            limit = path.high if np.isfinite(path.high) else path.low
            beyond = max(beyond, max(path.low - value, value - path.high) / (abs(limit) or 1.0))
        return beyond, worst

    def _measure(self, x: FloatArray, gradient: bool) -> list[Dual]:
        """All that is asked for, with points enough."""
        functions = self.asked.performances
        if gradient and self._backward is not None:
            duals = self._backward.duals(functions, self._gradients, self.request_at(x))
            if duals is not None:
                return duals
            self._backward = None
        found: list[Dual] = []
        for round_ in range(1, ROUNDS + 1):
            request = self.request_at(x)
            run = self.made.run(request) if gradient else self.made.plain.run(request)
            response = Response(run, tolerance=self.points.tolerance)
            if self.points.add_for_events(response):
                continue
            response = self._lookout.shown(functions, response)
            found = [function.evaluate(response) for function in functions]
            if not self.points.add_for_curves(response, self._end(x), last=round_ == ROUNDS):
                break
        return found

    def _measure_sizes(self, x: FloatArray, values: FloatArray, slopes: FloatArray) -> None:
        """What is large and small here, from the first run that succeeds."""
        scale = self.variables.scale(x)
        changes = np.abs(slopes * scale).max(axis=1, initial=0.0) if slopes.size else np.zeros(len(values))
        sizes = np.maximum(np.abs(values), np.minimum(changes, 1e3 * np.abs(values) + 1.0))
        limits = np.nan_to_num(np.stack([self.asked.low, self.asked.high]), posinf=0.0, neginf=0.0)
        self.size = float(sizes[0]) or 1.0
        largest = np.abs(limits).max(axis=0, initial=0.0)
        sizes = sizes[1 : 1 + len(largest)]
        self._sizes = np.where(largest > 0, largest, np.where(sizes > 0, sizes, 1.0))

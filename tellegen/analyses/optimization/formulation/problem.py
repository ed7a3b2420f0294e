"""A search in numbers: values of the variables in, objective and constraints with their derivatives out, by one run.

The model is compiled with its tangents once. Output points are added where a curve is too fast for those there are
(performance/response.py). A run that fails, or in which something awaited never happens, is an evaluation like others:
it says why, and methods step back from it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tellegen.analyses.adjoint.adjoint import AdjointModel
from tellegen.analyses.optimization.formulation.driven_model import UNDRIVEN, Driven
from tellegen.analyses.optimization.formulation.search_variables import Variables
from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.expression import Constraint, Performance
from tellegen.analyses.performance.response import Response
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.errors import DesignError, InternalError, RunFailedError, TellegenError
from tellegen.ir.model import FloatArray
from tellegen.ir.place import here
from tellegen.variation.driven import FINAL_TIME

FEASIBLE = 1e-5  # of the size of a constraint
_ROUNDS, _MOST_POINTS = 12, 20_000


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One run: values, objective, constraints and their derivatives by the values; or why there are none."""

    x: FloatArray
    objective: float = np.nan
    constraints: FloatArray = field(default_factory=lambda: np.zeros(0))
    paths: FloatArray = field(default_factory=lambda: np.zeros(0))
    slope: FloatArray | None = None
    jacobian: FloatArray | None = None
    violation: float = np.inf  # of all, paths by their peaks
    seen_violation: float = np.inf  # of what methods see
    failed: str = ""
    label: str = ""  # of the choice it belongs to
    key: bytes = b""  # what was asked for: values, with derivatives or not, how many constraints

    @property
    def rank(self) -> tuple[float, float]:
        """Smaller is better: first the violation of constraints, then the objective."""
        if self.failed:
            return np.inf, np.inf
        return (0.0, self.objective) if self.violation <= FEASIBLE else (self.violation, self.objective)


@dataclass(frozen=True, eq=False)
class Asked:
    """What is wanted: the smallest objective within the constraints.

    `paths` are limits along the whole run of which `constraints` has some instants (path_constraints.py).
    """

    objective: Performance
    constraints: tuple[Constraint, ...]
    sign: float = 1.0  # -1: the largest
    paths: tuple[Constraint, ...] = ()
    others: int = 0  # further objectives: the first of the constraints, which have no limits

    @property
    def low(self) -> FloatArray:
        """Lower limits."""
        return np.array([each.low for each in self.constraints])

    @property
    def high(self) -> FloatArray:
        """Upper limits."""
        return np.array([each.high for each in self.constraints])


class Problem:
    """See the top of this file."""

    def __init__(
        self,
        made: SensitivityModel,
        asked: Asked,
        variables: Variables,
        run: Mapping[str, Any],
        driven: Driven = UNDRIVEN,
    ) -> None:
        self.made, self.asked, self.variables, self.driven = made, asked, variables, driven
        self.run = {**run, "points": driven.first_points(run["points"])}
        self.history: list[Evaluation] = []
        self.label, self.extra = "", {}  # a choice, and the parameters it sets
        self.watch: Callable[[Evaluation], None] = lambda _: None
        self.size = 1.0  # of the objective, and of constraints
        self.sizes = np.ones(len(asked.constraints))
        self._known: dict[bytes, Evaluation] = {}
        self.done: dict[tuple[str, bytes], Evaluation] = {}  # runs of a search that was interrupted (resume_search.py)
        self._told: set[str] = set()
        self.backward: AdjointModel | None = None  # gradients by the run backwards, where that is cheaper
        self.gradients = "auto"  # as asked for

    def choose(self, label: str, extra: Mapping[str, Any]) -> None:
        """Other parameters for all runs from now on."""
        self.label, self.extra = label, dict(extra)
        self._known.clear()

    def ask(self, more: Sequence[Constraint]) -> None:
        """More constraints for all runs from now on."""
        self.asked = replace(self.asked, constraints=(*self.asked.constraints, *more))
        sizes = [max(abs(limit) for limit in (each.low, each.high) if np.isfinite(limit)) or 1.0 for each in more]
        self.sizes = np.append(self.sizes, sizes)
        self._known.clear()

    def inputs(self, x: FloatArray) -> dict[str, Any]:
        """parameters= and initial= of a run with these values."""
        parameters, initial = self.variables.given(x)
        return {
            "parameters": {**(self.run.get("parameters") or {}), **self.extra, **parameters} or None,
            "initial": {**(self.run.get("initial") or {}), **initial} or None,
        }

    def options(self, x: FloatArray) -> dict[str, Any]:
        """All arguments of a run with these values."""
        return {**self.run, **self.inputs(x), "points": self.driven.from_parts(self.run["points"], self._end(x))}

    def _end(self, x: FloatArray) -> float | None:
        """When a run with these values ends, where that is searched."""
        return float(x[self.variables.names.index(FINAL_TIME)]) if self.driven.free_end else None

    def evaluate(self, x: FloatArray, gradient: bool = True) -> Evaluation:
        """One run, remembered."""
        places = np.round(self.variables.places(x), 12)  # the same up to rounding
        key = places.tobytes() + bytes([gradient]) + len(self.asked.constraints).to_bytes(4)
        if key not in self._known:
            if len(self._known) > 64:
                self._known.clear()
            found = self.done.get((self.label, key)) or replace(self._run(np.array(x, float), gradient), key=key)
            self._known[key] = found
            self.history.append(found)
            self.watch(found)
        return self._known[key]

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
        return Evaluation(
            x,
            float(self.asked.sign * values[0]),
            values[1:seen],
            values[seen:],
            self.asked.sign * slopes[0] if gradient else None,
            slopes[1:seen] if gradient else None,
            *self._violations(values[1:seen], values[seen:]),
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
        asked = self.asked
        functions = [asked.objective, *(each.performance for each in (*asked.constraints, *asked.paths))]
        options = self.options(x)
        if gradient and self.backward is not None:
            duals = self.backward.duals(functions, self.gradients, options)
            if duals is not None:
                return duals
            self.backward = None
        found: list[Dual] = []
        for last in (*(False,) * (_ROUNDS - 1), True):
            run: Any = self.made.run(**options) if gradient else self.made.plain.simulate(**options)
            response = Response(run)
            if self._points_between_events(response):
                options = self.options(x)
                continue
            found = [function.evaluate(response) for function in functions]
            points = response.finer()
            if points is None:
                break
            if last or len(points) > _MOST_POINTS:
                self._tell_rough(response)
                break
            self.run["points"] = self.driven.to_parts(self._to_the_end(points, x), self._end(x))
            options = self.options(x)
        return found

    def _points_between_events(self, response: Response) -> bool:
        """Many events, or an end long before `stop`, need many points: those that are filled in are less exact."""
        if self.driven.drives or self.driven.free_end:
            return False  # whose points are even in all pieces
        first, last, points = self.run["start"], self.run["stop"], self.run["points"]
        part = (response.stop.value - response.start.value) / (last - first)
        wanted = min(int(response.enough() / part), _MOST_POINTS)
        if wanted <= (points if isinstance(points, int) else len(points)):
            return False
        self.run["points"] = np.linspace(first, last, wanted)
        return True

    def _to_the_end(self, points: FloatArray, x: FloatArray) -> FloatArray:
        """More points of a run that ended itself, with those behind its end: the next run may be longer."""
        before, last = self.options(x)["points"], self.run["stop"]
        if self.driven.free_end or points[-1] >= last:
            return points
        if isinstance(before, int):
            before = np.linspace(self.run["start"], last, before)
        before = np.asarray(before, float)
        return np.concatenate([points[:-1], before[(before > points[-1]) & (before < last)], [last]])

    def _tell_rough(self, response: Response) -> None:
        """Curves that no number of points makes smooth, once each."""
        for path in response.rough.keys() - self._told:
            self._told.add(path)
            when = response.rough[path].min()
            warnings.warn(
                f"'{path}' is not smooth near t = {when:.4g}, where the model has no event: values and gradients that "
                "depend on it may be wrong in the fourth digit",
                stacklevel=2,
            )

    def _measure_sizes(self, x: FloatArray, values: FloatArray, slopes: FloatArray) -> None:
        """What is large and small here, from the first run that succeeds."""
        stretch = self.variables.stretch(x)
        changes = np.abs(slopes * stretch).max(axis=1, initial=0.0) if slopes.size else np.zeros(len(values))
        sizes = np.maximum(np.abs(values), np.minimum(changes, 1e3 * np.abs(values) + 1.0))
        limits = np.nan_to_num(np.stack([self.asked.low, self.asked.high]), posinf=0.0, neginf=0.0)
        self.size = float(sizes[0]) or 1.0
        largest = np.abs(limits).max(axis=0, initial=0.0)
        sizes = sizes[1 : 1 + len(largest)]
        self.sizes = np.where(largest > 0, largest, np.where(sizes > 0, sizes, 1.0))

    @property
    def best(self) -> Evaluation | None:
        """The best of all runs so far; None if none succeeded."""
        good = [each for each in self.history if not each.failed]
        return min(good, key=lambda each: each.rank) if good else None


def objectives(problem: Problem, each: Evaluation) -> FloatArray:
    """All objectives of a run, smaller is better; those after the first are constraints without limits."""
    return np.append(each.objective, problem.asked.sign * each.constraints[: problem.asked.others])


def as_constraints(given: Sequence[Any] | Any) -> tuple[Constraint, ...]:
    """The constraints as written."""
    listed = [given] if isinstance(given, Constraint) else list(given)
    for each in listed:
        if not isinstance(each, Constraint):
            what = f"{each!r} is no constraint"
            advice = "compare performance functions: subject_to=[tg.peak('motor.i') <= 10.0]"
            raise DesignError("E622", what, place=here(), advice=advice)
    return tuple(listed)

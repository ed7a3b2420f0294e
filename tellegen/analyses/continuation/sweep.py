"""Steady states while a parameter changes slowly: each is looked for from the one before.

Newton's method may land on another branch where there are several. A step counts only if it can be undone: from the new
point back to the old value of the parameter the old point must be found again, unless three points nearly lie on a
line. Otherwise the step is halved, and where that does not help the branch ends, at a fold:

    y |      ___ fold                      up: along the lower branch as far as it goes, then the model jumps
      |     /
      |    |  <- a step here can be undone
      |___/ \\_ ... ____
      +---------------- parameter

Discrete variables keep their values from point to point, so hysteresis of relays is followed too. There, back and forth
differ from the first step after a switch on; this is a jump like that at a fold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.analyses.continuation.sweep_result import Jump, Sweep
from tellegen.analyses.linearization.steady_state import SteadyState, steady_at
from tellegen.compile import compiled_for
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import initialize
from tellegen.engine.initialization.steady.steady_values import nearby_steady_values, noise_of_steady_values
from tellegen.engine.readout.quantity import quantity
from tellegen.engine.request.argument_checks import by_path, seconds
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.parameter_and_start_vectors import Starts, changed_parameters, starts
from tellegen.engine.request.path_lookup import find_given
from tellegen.engine.results.check_assertions import warn_of_points
from tellegen.errors import DesignError, NumericError, users_call
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.units import UnitTextError, parse_quantity

_POINTS = 101  # of a sweep between two ends
_FINEST = 1e-6  # of the whole sweep: where a step this small cannot be undone the branch ends
_SAME = 1e-4  # relative: two solutions of the same branch
_STRAIGHT = 0.1  # of a change: how far the next one may differ from it
_NOTHING = 1e-18  # of the largest unknown: values below are zero, which Newton's method leaves as 1e-37
_ABOVE_NOISE = 100.0  # what roundings make of an unknown, and Newton's method leaves of that
_ADVICE = 'over={"source.V": ("0 V", "5 V")}, or numbers in its unit: over={"source.V": np.linspace(0, 5, 101)}'


@users_call
def sweep(
    model: Any,
    over: Mapping[str, Any],
    *,
    parameters: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
    time: float | str = 0.0,
) -> Sweep:
    """The steady states of a model while one parameter or input takes values in their order.

    `over` has one path and its values: numbers, or two ends as texts, between which 101 values lie. Every point starts
    from the one before; where a branch of steady states ends (a fold) the model jumps, and `jumps` says where.
    `parameters`, `initial` and `time` are those of tg.steady_state, for the first point.
    """
    with compiled_for(model) as compiled:
        path, values = _swept(compiled, over)
        given = {**by_path("parameters", parameters, "E175"), path: float(values[0])}
        first = steady_at(compiled, seconds("time", time), given, by_path("initial", initial, "E185"))
        found = _Branch(compiled, path, values).followed(first)
        warn_of_points(compiled, found.points, lambda point: f"at {path} = {point[path]:.6g}")
        return found


def _swept(compiled: CompiledModel, over: Any) -> tuple[str, FloatArray]:
    """The path and its values, in the declared unit."""
    if not isinstance(over, Mapping) or len(over) != 1:
        raise DesignError("E601", "a sweep is over one parameter and its values", location=here(), advice=_ADVICE)
    ((path, given),) = over.items()
    found = find_given(compiled.reduced, path)
    if found.indices.size != 1:
        what = f"a sweep is over a single number, and '{path}' has {found.indices.size}"
        raise DesignError("E601", what, location=here(), advice=f"name an element: '{path}[0]'")
    values = np.array(_numbers(compiled, path, given))
    if len(values) < 2 or not np.isfinite(values).all():
        what = f"a sweep of '{path}' needs at least two finite values"
        raise DesignError("E601", what, location=here(), advice=_ADVICE)
    return path, values


def _numbers(compiled: CompiledModel, path: str, given: Any) -> Any:
    unit = quantity(compiled.reduced, path).unit
    try:
        if isinstance(given, tuple | list) and len(given) == 2 and any(isinstance(each, str) for each in given):
            ends = [parse_quantity(each, unit) if isinstance(each, str) else float(each) for each in given]
            return np.linspace(ends[0], ends[1], _POINTS)
        return np.asarray(given, float).ravel()
    except (UnitTextError, TypeError, ValueError) as error:
        what = f"the values of '{path}' are numbers or two ends, not {given!r}: {error}"
        raise DesignError("E601", what, location=here(), advice=_ADVICE) from None


class _Branch:
    """A branch of steady states over one parameter."""

    def __init__(self, compiled: CompiledModel, path: str, values: FloatArray) -> None:
        self.compiled = compiled
        self.path = path
        self.values = values
        self.finest = _FINEST * float(np.ptp(values)) or _FINEST
        reduced = compiled.reduced
        self.is_regular = reduced.events is None and reduced.invariants is None
        self.before: SteadyState | None = None  # the point before the last one, on the same branch

    def followed(self, first: SteadyState) -> Sweep:
        """The points at all values, as far as there are any."""
        self.is_regular = self.is_regular and self._near(first, float(self.values[0])) is not None
        points = [first]
        jumps: list[Jump] = []
        message = ""
        for value in self.values[1:]:
            try:
                points.append(self._advanced(points[-1], float(value), jumps))
            except NumericError as error:
                reached = points[-1][self.path]
                message = f"no steady state was found beyond {self.path} = {reached:.6g}: {error.message}"
                break
        return Sweep(self.path, tuple(points), tuple(jumps), message)

    def _advanced(self, last: SteadyState, goal: float, jumps: list[Jump]) -> SteadyState:
        """The point at a goal, by steps that can be undone, and by jumps where none can."""
        step = goal - last[self.path]
        while last[self.path] != goal:
            now = last[self.path]
            target = goal if abs(step) >= abs(goal - now) else now + step
            found = self._undoable(last, target)
            if found is not None:
                self.before = last
                last = found
                step *= 2.0
            elif abs(step) > self.finest:
                step *= 0.5
            else:
                found = self._at(last, target)
                jumps.append(Jump(self.path, 0.5 * (now + target), last, found))
                self.before = None
                last = found
                step = goal - target
        return last

    def _undoable(self, last: SteadyState, value: float) -> SteadyState | None:
        """The point at a value of the parameter, if the last one is found again from it, or lies on a line with it."""
        found = self._near(last, value)
        if found is not None and self.is_regular and self._is_straight(last, found):
            return found
        back = None if found is None else self._near(found, last[self.path])
        if found is None or back is None:
            return None
        difference = np.abs(last.unknowns - back.unknowns)
        size = np.maximum(np.abs(last.unknowns), np.abs(back.unknowns))
        allowed = _SAME * size + _NOTHING * size.max(initial=0.0)
        if (difference <= allowed).all():
            return found
        noise = np.maximum(self._noise(last), self._noise(found))
        return found if (difference <= allowed + _ABOVE_NOISE * noise).all() else None

    def _is_straight(self, last: SteadyState, found: SteadyState) -> bool:
        """Whether three points lie on a line, nearly: of a finely sampled branch there is no other way to go wrong."""
        if self.before is None:
            return False
        ratio = (found[self.path] - last[self.path]) / (last[self.path] - self.before[self.path])
        change = ratio * (last.unknowns - self.before.unknowns)
        off = np.abs(found.unknowns - last.unknowns - change)
        size = np.abs(found.unknowns)
        return bool((off <= _STRAIGHT * np.abs(change) + _SAME * size + _NOTHING * size.max(initial=0.0)).all())

    def _noise(self, state: SteadyState) -> FloatArray:
        """What no two solutions have in common: a current that is zero comes out as roundings of others."""
        return noise_of_steady_values(self.compiled, *self._asked(state, state[self.path]))

    def _near(self, last: SteadyState, value: float) -> SteadyState | None:
        """The steady state at a value of the parameter, where none has to be searched for."""
        if not self.is_regular:
            try:
                return self._at(last, value, near=True)
            except NumericError:
                return None
        point, guess = self._asked(last, value)
        found = nearby_steady_values(self.compiled, point, guess)
        return None if found is None else SteadyState(self.compiled.reduced, point.t, found, point.p)

    def _at(self, last: SteadyState, value: float, near: bool = False) -> SteadyState:
        """The steady state at a value of the parameter, searched for in every way; first where the last one is."""
        point, guess = self._asked(last, value)
        y, _ = initialize(self.compiled, point, guess, steady=True, jumps=False, near=near)
        return SteadyState(self.compiled.reduced, point.t, Consistent(y, np.zeros(len(y))), point.p)

    def _asked(self, last: SteadyState, value: float) -> tuple[Point, Starts]:
        """Where to look, and from where."""
        p = changed_parameters(self.compiled, last._p, {self.path: value})
        return Point(last.t, p), replace(starts(self.compiled, p, {}), value=last.unknowns.copy())

"""What a trajectory is asked for, checked against the plant: its end, what is least, limits, how long it lasts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from tellegen.engine.request.argument_checks import seconds
from tellegen.engine.request.run_options import until
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.predictive.problem import Inputs, elements, inputs_of, limits_by_element, mapping, wrong
from tellegen.start.records import dataclass
from tellegen.variation.stretched import what_keeps_its_time

EXAMPLE = "tg.Goal(end={'x': 1.0, 'v': 0.0}, minimize='time'), limits={'u': (-1.0, 1.0)}"
METHODS = ("shooting", "collocation")


@dataclass(frozen=True, eq=False)
class Goal:
    """Where a trajectory leads and what is to be least: the sum of what is named.

    end             by path the values at the end, in declared units
    minimize        "time", the path of a variable whose value at the end counts, or "-path" for a greatest value
    effort          by path of an input the weight of its square, integrated over time
    """

    end: Mapping[str, Any] | None = None
    minimize: str = ""
    effort: Mapping[str, Any] | None = None


@dataclass(frozen=True, eq=False)
class Duration:
    """How long a trajectory may last; fixed where both are equal."""

    low: float
    high: float

    @property
    def is_free(self) -> bool:
        """Whether it is searched."""
        return self.high > self.low


@dataclass(frozen=True, eq=False)
class TrajectoryProblem:
    """Inputs and outputs by path, in declared units."""

    duration: Duration
    count: int  # of intervals
    given: Inputs
    effort: FloatArray  # weights of squared inputs
    of_time: float  # weight of the duration
    reached: tuple[str, ...]  # what has a value at the end
    ends: FloatArray
    least: tuple[str, ...]  # the variable whose final value counts, or none
    sign: float
    limited: tuple[str, ...]
    lowest: FloatArray
    highest: FloatArray

    @property
    def outputs(self) -> tuple[str, ...]:
        """All that is read of the plant."""
        return *self.reached, *self.least, *self.limited


def trajectory_problem(flat: FlatModel, stop: Any, goal: Any, limits: Any, count: Any) -> TrajectoryProblem:
    """Everything checked."""
    reason = what_keeps_its_time(flat)
    if reason:
        raise wrong(f"the intervals of a trajectory of {flat.name} cannot be stretched: {reason}", "make it an input")
    if not isinstance(goal, Goal):
        raise wrong(f"goal is a tg.Goal, not {goal!r}", EXAMPLE)
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise wrong(f"the number of intervals is an integer from 1 on, not {count!r}", "intervals=40")
    duration = _duration(stop)
    effort = _by_element(flat, "effort", goal.effort)
    bounds = limits_by_element(flat, limits)
    given = inputs_of(flat, {"limits": bounds, "effort": effort})
    if not given.names:
        raise wrong("a trajectory needs an input that it may set", EXAMPLE)
    ends = _by_element(flat, "end", goal.end)
    least, sign, of_time = _least(flat, goal.minimize, duration)
    if not (least or of_time or any(effort.values())):
        raise wrong("what is to be least?", EXAMPLE)
    limited = {path: pair for path, pair in bounds.items() if path not in given.names}
    return TrajectoryProblem(
        duration=duration,
        count=count,
        given=given,
        effort=np.array([effort.get(path, 0.0) for path in given.names]),
        of_time=of_time,
        reached=tuple(ends),
        ends=np.array(list(ends.values())),
        least=least,
        sign=sign,
        limited=tuple(limited),
        lowest=np.array([low for low, _ in limited.values()]),
        highest=np.array([high for _, high in limited.values()]),
    )


def _duration(stop: Any) -> Duration:
    if not isinstance(stop, list | tuple):
        last = until(stop)
        return Duration(last, last)
    low, high = (seconds("stop", each) for each in stop) if len(stop) == 2 else (math.nan, math.nan)
    if not 0.0 < low < high:
        raise wrong(f"stop is a time, or the shortest and the longest one, not {stop!r}", "stop=(0.5, 5.0)")
    return Duration(low, high)


def _least(flat: FlatModel, minimize: Any, duration: Duration) -> tuple[tuple[str, ...], float, float]:
    if not isinstance(minimize, str):
        raise wrong(f"minimize is 'time' or a path, not {minimize!r}", EXAMPLE)
    if minimize == "time":
        if not duration.is_free:
            raise wrong("the time cannot be least: the trajectory lasts as long as stop says", "stop=(0.5, 5.0)")
        return (), 1.0, 1.0
    path = minimize.removeprefix("-").strip()
    if not path:
        return (), 1.0, 0.0
    names = elements(flat, path)
    if len(names) != 1:
        raise wrong(f"'{path}' is not one variable", "name an element: 'cells[2].T'")
    return names, -1.0 if minimize.startswith("-") else 1.0, 0.0


def _by_element(flat: FlatModel, name: str, given: Any) -> dict[str, float]:
    found: dict[str, float] = {}
    for path, value in mapping(name, given).items():
        names = elements(flat, path)
        try:
            values = np.broadcast_to(np.asarray(value, float), len(names))
        except (TypeError, ValueError):
            values = np.full(len(names), np.nan)
        if not np.isfinite(values).all() or (name == "effort" and (values < 0.0).any()):
            raise wrong(f"{name} of '{path}' is a number in its declared unit, not {value!r}", EXAMPLE)
        found |= dict(zip(names, values.tolist(), strict=True))
    return found

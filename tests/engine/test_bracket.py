"""How a bracket around a root is drawn in: how many points that takes, and that a run does so."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import tellegen as tg
from tellegen.engine.runtime.events.bracket import LINE, NARROW, halves_at_once, halves_left, next_way, part_of_bracket

SHARP = 1e-13


def points_to(root_function: Callable[[float], float]) -> int:
    """Points until the bracket of a function that is positive before its root and negative after it is sharp."""
    low, high, before, way, left, halves = 0.0, 1.0, math.inf, LINE, 0.0, 1.0
    count = 0
    while high - low > SHARP:
        width = high - low
        is_narrow, last = width <= NARROW * before, way
        halves = halves_at_once(last, is_narrow, left, halves)
        way = next_way(last, is_narrow, left)
        left = halves_left(last, way, left, halves)
        before = width if way == LINE else before
        near, far = abs(root_function(low)), abs(root_function(high))
        ahead = part_of_bracket(way, near / (near + far)) * width
        point = low + min(max(ahead, 0.5 * SHARP), width - 0.5 * SHARP)
        low, high = (low, point) if root_function(point) < 0.0 else (point, high)
        count += 1
    return count


@pytest.mark.parametrize(
    ("shape", "most"),
    [
        (lambda x: x, 4),
        (lambda x: x + 0.3 * x * x, 10),
        (lambda x: math.exp(2.0 * x) - 1.0, 12),
        (lambda x: math.copysign(math.sqrt(abs(x)), x), 60),
        (lambda x: 1.0 if x > 0.0 else -1e-3, 60),
    ],
)
def test_points(shape: Callable[[float], float], most: int) -> None:
    """Halving alone takes 44; nothing takes much more."""
    roots = np.random.default_rng(3).uniform(0.01, 0.99, 50)
    assert max(points_to(lambda x, root=float(root): shape(root - x)) for root in roots) <= most


class Heater(tg.Component):
    """On below one temperature and off above another."""

    T = tg.variable(start=20.0, fixed=True)
    on = tg.boolean("heats", start=True)

    def equations(self):
        yield 100 * tg.der(self.T) == tg.where(self.on, 45.0, 0.0) - (self.T - 5.0)
        yield tg.when(self.T > 20.5, self.on == False).elsewhen(self.T < 19.5, self.on == True)  # noqa: E712


def test_a_run_looks_for_a_root_where_it_may_be() -> None:
    """Half of the events are relations that switch back just after they have switched; their root is at hand."""
    solution = tg.simulate(Heater(), stop=300.0, solver="rk45", rtol=1e-6)
    events, steps = solution.stats["events"], solution.stats["steps"]
    # a step has six stages; an event nine points on the way to it, some of the search, and the step after it
    assert solution.stats["rhs_evaluations"] < 6 * steps + 17.5 * events

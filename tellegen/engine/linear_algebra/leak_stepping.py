"""A root by continuation: leaks parallel to all exponentials (leaks.py) start large and shrink to what they are.

    ring of 1001 inverters:   1e-2 S at every junction, where Newton's method finds its way from zero volts;
                              then less and less, each point from the one before, down to 1e-12 S

Circuit simulators call it Gmin stepping. The ratio from point to point adapts itself: around the leak at which gates
begin to amplify it is small, far below it steps are by tens. Points on the way need no digits.
"""

from __future__ import annotations

from collections.abc import Callable

from tellegen.engine.linear_algebra.damped_newton import Newton, System
from tellegen.engine.linear_algebra.limited_newton import LimitedNewton
from tellegen.ir.model import FloatArray

_LARGEST = 1e-2  # S: beside it transistors hardly conduct
_SMALLEST = 1e-12  # S: from here on the leaks are those of the model
_RATIO = 10.0  # of leaks from point to point, at most
_LEAST_RATIO = 1.0 + 1e-5
_FIRST_ITERATIONS = 100
_ITERATIONS = 60  # of a point from the one before
_EASY = 15  # iterations after which the next ratio is larger
_NEAR = 1e-3  # of the size of an unknown: enough for a point on the way
_NEAR_END = 1e-6  # the same at the end, where ordinary steps begin
_MOST_POINTS = 300

Leaking = Callable[[float], System]
"""The system in which no leak is smaller than a given one."""


def by_leak_stepping(leaking: Leaking, guess: FloatArray, iteration: LimitedNewton) -> Newton:
    """A root of the system without additional leaks, or how the search for it ended."""
    found = iteration.run(leaking(_LARGEST), guess, _FIRST_ITERATIONS, _NEAR)
    if found.ended != "converged":
        return found
    u = found.u
    leak = _LARGEST
    ratio = _RATIO
    for _ in range(_MOST_POINTS):
        if leak <= _SMALLEST:
            return _last(leaking(0.0), u, iteration)
        found = iteration.run(leaking(leak / ratio), u, _ITERATIONS, _NEAR)
        if found.ended != "converged":
            ratio = ratio**0.25
            if ratio < _LEAST_RATIO:
                return found
            continue
        u = found.u
        leak /= ratio
        ratio = min(ratio**1.5, _RATIO) if found.iterations <= _EASY else ratio
    return Newton("no progress", u, _MOST_POINTS)


def _last(system: System, u: FloatArray, iteration: LimitedNewton) -> Newton:
    """The root of the system itself, to all digits."""
    found = iteration.run(system, u, _FIRST_ITERATIONS, _NEAR_END)
    return iteration.polished(system, found.u) if found.ended == "converged" else found

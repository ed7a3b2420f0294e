"""Getting to a root that Newton's method does not find from the guess.

Two ways, tried in this order. If the model says homotopy(actual, simplified), the blend is moved from simplified to
actual. Otherwise, or if that fails, the residual itself is the start: F(u) = (1 - s) F(guess) holds at the guess for
s = 0 and is wanted for s = 1 (the global, or Newton, homotopy; Allgower and Georg, 1990). Each is followed with a step
that grows while it goes well and shrinks when it does not.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tellegen.engine.linear_algebra.damped_newton import Newton, System, solve
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern

_FIRST_STEP = 0.1
_SMALLEST_STEP = 1e-4
_LARGEST = 0.5
_ATTEMPTS = 400


class Shifted(System):
    """A system with part of a fixed residual taken away."""

    def __init__(self, system: System, taken: FloatArray) -> None:
        self.system = system
        self.taken = taken
        self.begin = system.begin

    def residual(self, u: FloatArray) -> FloatArray:
        """F(u) less what was taken."""
        return self.system.residual(u) - self.taken

    def jacobian(self, u: FloatArray) -> FloatArray:
        """That of F."""
        return self.system.jacobian(u)

    @property
    def pattern(self) -> Pattern:
        """That of F."""
        return self.system.pattern

    def follow(self, u: FloatArray) -> FloatArray:
        """As in F, of whose rows for these unknowns nothing is taken."""
        return self.system.follow(u)


def follow(at: Callable[[float], System], u: FloatArray, scale: FloatArray) -> Newton:
    """The root of at(1), reached over roots of at(s) from u, the root of at(0)."""
    s = 0.0
    step = _FIRST_STEP
    result = Newton("no progress", u, 0)
    for _ in range(_ATTEMPTS):
        target = min(1.0, s + step)
        result = solve(at(target), u, scale)
        if result.ended == "converged":
            u = result.u
            s = target
            step = min(2.0 * step, _LARGEST)
            if s == 1.0:
                return result
        else:
            step /= 2.0
            if step < _SMALLEST_STEP:
                break
    return Newton(result.ended, u, result.iterations)


def from_simplified(at: Callable[[float], System], guess: FloatArray, scale: FloatArray) -> Newton:
    """Continuation along the model's own homotopy: at(h) is the system with blend h."""
    simple = solve(at(0.0), guess, scale)
    return follow(at, simple.u, scale) if simple.ended == "converged" else simple


def from_residual(system: System, guess: FloatArray, scale: FloatArray) -> Newton:
    """Continuation from the residual at the guess."""
    guess = system.follow(guess)
    base = system.residual(guess)
    if not np.isfinite(base).all():
        return Newton("not finite", guess, 0)
    return follow(lambda s: Shifted(system, (1.0 - s) * base), guess, scale)

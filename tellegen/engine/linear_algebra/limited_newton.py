"""Newton's method for circuits of exponentials: full steps, but arguments of exponentials grow by their logarithm.

    a junction at 0 V that the linear system wants at 5 V, 193 widths of 26 mV:   it goes to log(1 + 193) = 5.3 widths

Where an exponential is steep its current is known better than its voltage: the limited step is the one that reaches the
wanted current. All other unknowns change by half of their size at most, each by itself: gates in a row multiply what
the first one does by their gains, and a ring of a thousand would go to 1e143 V. The linear equations between them are
satisfied again by the next steps. This is the limiting of circuit simulators (Nagel, SPICE2, 1975, sec. 5.1). There is
no test of descent: circuits of thousands of transistors have to pass through points that look worse.
"""

from __future__ import annotations

from collections.abc import Hashable, MutableMapping

import numpy as np

from tellegen.engine.linear_algebra.damped_newton import Newton, System, solve
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import Elimination, SingularMatrixError
from tellegen.ir.model import FloatArray

Pivots = MutableMapping[Hashable, Elimination]
"""By what they are for."""

_FIRST = "limited steps"
_ITERATIONS = 150
_NEAR = 1e-6  # of the size of an unknown: from here on ordinary steps do
_LONGEST = 0.5  # sizes of an unknown: a chain of amplifiers multiplies a step by all of their gains
_FREELY = 2.0  # widths by which an argument may grow at once
_FLAT = 5.0  # widths up to which an exponential is as gentle as other laws


def limited(
    system: System, guess: FloatArray, scale: FloatArray, width: FloatArray, kept: Pivots | None = None
) -> Newton:
    """A root; `width` of an unknown is the change that makes an exponential e times larger, infinite without one.

    Among what is `kept` are the pivots at the guess: another search for a system of this pattern begins with the same.
    """
    iteration = LimitedNewton(scale, width)
    key = _FIRST, system.pattern.digest
    known = None if kept is None else kept.get(key)
    if known is not None:
        iteration.factors = SparseLU(system.pattern, known)
    found = iteration.run(system, guess, _ITERATIONS, _NEAR)
    if kept is not None and iteration.first is not None:
        kept[key] = iteration.first
    return iteration.polished(system, found.u) if found.ended == "converged" else found


class LimitedNewton:
    """Limited steps for systems of one pattern, one after the other: what was learnt of pivots is kept."""

    def __init__(self, scale: FloatArray, width: FloatArray) -> None:
        self.scale = scale
        self.steep = np.flatnonzero(np.isfinite(width))
        self.width = width[self.steep]
        self.factors: SparseLU | None = None
        self.first: Elimination | None = None  # that was chosen at a guess

    def run(self, system: System, guess: FloatArray, most: int, near: float) -> Newton:
        """From a guess to where a step is shorter than `near` of the sizes of the unknowns."""
        u = guess
        with np.errstate(invalid="ignore", over="ignore"):
            for iteration in range(1, most + 1):
                residual = system.residual(u)
                values = system.jacobian(u)
                if not (np.isfinite(residual).all() and np.isfinite(values).all()):
                    return Newton("not finite", u, iteration)
                size = np.maximum(np.abs(u), self.scale)
                try:
                    if self.factors is None:
                        self.factors = SparseLU.of(system.pattern, values)
                        self.first = self.factors.elimination
                    step = -self.factors.solved_roughly(values, residual, size)
                except SingularMatrixError:
                    return Newton("singular", u, iteration)
                if not np.isfinite(step).all():
                    return Newton("singular", u, iteration)
                longest = _LONGEST * size
                u = system.follow(self._after(u, np.clip(step, -longest, longest)))
                if (np.abs(step) / size).max() < near:
                    return Newton("converged", u, iteration)
        return Newton("no progress", u, most)

    def polished(self, system: System, u: FloatArray) -> Newton:
        """The root that is near, to all digits."""
        return solve(system, u, self.scale, None if self.factors is None else self.factors.elimination)

    def _after(self, u: FloatArray, step: FloatArray) -> FloatArray:
        """The point after a step, arguments of exponentials held back."""
        target = u + step
        target[self.steep] = _limited(u[self.steep] / self.width, target[self.steep] / self.width) * self.width
        return target


def _limited(old: FloatArray, new: FloatArray) -> FloatArray:
    """Arguments of exponentials after a step from old to new."""
    base = np.maximum(old, 0.0)
    grown = new - base
    return np.where((grown > _FREELY) & (new > _FLAT), base + np.log1p(np.maximum(grown, 0.0)), new)

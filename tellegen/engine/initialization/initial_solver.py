"""Solving an initial system: part after part, and by other ways where that fails.

simplified         if the model has a homotopy: the guess is the solution of what it calls simplified
natively           in parts, or as a whole, in native code (initial_steps.py); all that follows is Python
in parts           linear systems at once, blocks by Newton's method with tears, each with its own step control
homotopy           if the model has one: the blend moves from simplified to actual
as a whole         all unknowns together: the start values may fit each other, not what was found for some of them
in parts, insist   a block that fails is tried from other points, by continuation and with least change
as a whole, so     the same for all unknowns: a root found earlier may have been the wrong one
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from tellegen.engine.initialization.initial_blocks import MOST_PARTS, Part, Shape, is_linear, shapes
from tellegen.engine.initialization.initial_steps import InitialSteps, give_back, lease, pivot_key
from tellegen.engine.initialization.initial_system import InitialSystem, Point
from tellegen.engine.linear_algebra.damped_newton import Newton, System, least_change, resolved_size, solve
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import SingularMatrixError, choose_pivots
from tellegen.errors import InternalError
from tellegen.ir.initial import InitialOrder
from tellegen.ir.model import FloatArray
from tellegen.start.later import later

with later():
    from tellegen.engine.linear_algebra.homotopy import from_residual, from_simplified

_NUDGES = (1e-6, 1e-3, 1e-1, 1.0)
_MOST_ALONE = 50  # blocks of a part that are tried in all ways, one after the other
_SMALL_PART = 1e-5  # of the size of an unknown
_SMALL = 500  # unknowns up to which a dense least-squares step is affordable


class InitialSolver:
    """One initial system with its guess; parts and pivots are remembered with the model."""

    def __init__(self, system: InitialSystem, guess: FloatArray, scale: FloatArray) -> None:
        self.system = system
        self.guess = guess
        self.scale = scale
        self.key = ("initial", *(part.tobytes() for part in (*system.free, system.kept)))
        equations = len(system.rows)
        if equations != len(guess):
            raise InternalError("E901", f"{equations} equations for {len(guess)} unknowns at the initial time")

    def begin_simplified(self) -> None:
        """Start from the solution of the simplified model, if the model says one: it selects among several roots."""
        if not self.system.model.reduced.has_homotopy or self.is_linear:
            return
        simplified = InitialSolver(self._blended(0.0), self.guess, self.scale)
        found = simplified.natively()
        if found.ended == "converged":
            self.guess = found.u

    def allow_for_roundings(self) -> None:
        """Larger sizes of unknowns that roundings move further than Newton's method is exact.

        The rate of a voltage, der(v) == i/C with 1 pF and a current that cancels, is 1e-5 V/s where it should be zero.
        """
        system = self.system
        values = system.jacobian(self.guess)
        if self.is_linear or not np.isfinite(values).all():
            return
        pivots = system.model.caches.pivots
        key = pivot_key(system.pattern)
        try:
            factors = SparseLU(system.pattern, pivots.get(key) or choose_pivots(system.pattern, values))
            factors.factor(values)
        except SingularMatrixError:
            return
        pivots[key] = factors.elimination
        self.scale = np.maximum(self.scale, resolved_size(factors, values, np.abs(self.guess)))

    def attempts(self) -> Iterator[Callable[[], Newton]]:
        """What to try, the surest first."""
        system = self.system
        guess = self.guess
        scale = self.scale
        parts = self.parts
        yield self.natively
        if 0 < len(parts) <= MOST_PARTS:
            yield lambda: self.in_parts(parts)[0]
        else:
            yield self.as_a_whole
        if system.model.reduced.has_homotopy:
            yield lambda: from_simplified(self._blended, guess, scale)
        if parts:
            yield self.as_a_whole
            yield lambda: self.in_parts(parts, insist=True)[0]
        yield from other_ways(system, guess, scale)

    def natively(self, in_parts: bool = True) -> Newton:
        """In native code: in parts, or as a whole where there are none or too many."""
        with self.steps(in_parts) as steps:
            ended = "converged" if steps.run(self.system.point.t) else "no progress"
            found = Newton(ended, steps.unknowns.copy(), 0)
        return self._resolved(found) if ended == "converged" else found

    def _resolved(self, found: Newton) -> Newton:
        """The same with unknowns far below their sizes iterated to their own: native steps judge by the sizes."""
        size = np.abs(found.u)
        if not ((size > 0.0) & (size < _SMALL_PART * self.scale)).any() or self.is_linear:
            return found
        again = self._remembered(self.system, found.u, self.scale)
        return again if again.ended == "converged" else found

    @contextmanager
    def steps(self, in_parts: bool = True) -> Iterator[InitialSteps]:
        """Native steps with the numbers of this system."""
        system = self.system
        parts = self.parts if in_parts and len(self.parts) <= MOST_PARTS else []
        key = (*self.key, len(parts))
        steps = lease(system.model, key, lambda: InitialSteps(system, parts or [self.whole]))
        steps.set_numbers(system.point, system.y, self.guess, self.scale)
        yield steps
        give_back(system.model, key, steps)

    @property
    def whole(self) -> Shape:
        """All unknowns as one part of one block."""
        pattern = self.system.pattern
        count = pattern.shape[0]
        every = np.arange(count)
        nothing = np.full(count, -1)
        return Shape(every, every, np.zeros(1, np.int64), nothing, pattern, np.arange(pattern.count))

    def as_a_whole(self) -> Newton:
        """All unknowns together, from the guess."""
        return self._remembered(self.system, self.guess, self.scale)

    def _remembered(self, system: System, guess: FloatArray, scale: FloatArray) -> Newton:
        """Newton's method with the pivots of an earlier run."""
        pivots = self.system.model.caches.pivots
        key = pivot_key(system.pattern)
        result = solve(system, guess, scale, pivots.get(key))
        if result.elimination is not None:
            pivots[key] = result.elimination
        return result

    def in_parts(self, parts: list[Shape], insist: bool = False) -> tuple[Newton, Part | None]:
        """The solution part by part, or the block that has none."""
        whole = self.guess.copy()
        for shape in parts:
            part = Part(self.system, shape, whole)
            result = self._remembered(part, part.u, self.scale[shape.columns])
            if result.ended == "converged":
                part.put(result.u)
                continue
            failed = np.ones(len(shape.begin), bool) if result.failed is None else result.failed
            solved = ~np.repeat(failed, np.diff(np.append(shape.begin, len(shape.rows))))
            part.put(np.where(solved, result.u, self.guess[shape.columns]))
            for block in np.flatnonzero(failed):
                single = Part(self.system, shape.single(int(block)), whole)
                result = self._alone(single, insist and int(failed.sum()) <= _MOST_ALONE)
                single.put(result.u)
                if result.ended != "converged":
                    return Newton(result.ended, whole, result.iterations), single
        return Newton("converged", whole, 0), None

    def _alone(self, part: Part, insist: bool) -> Newton:
        """One block by itself; the first way counts when all of them fail."""
        guess = part.u
        scale = self.scale[part.shape.columns]
        first = solve(part, guess, scale)
        for other in other_ways(part, guess, scale) if insist and first.ended != "converged" else ():
            result = other()
            if result.ended == "converged":
                return result
        return first

    def _blended(self, blend: float) -> InitialSystem:
        point = self.system.point
        p = point.p.copy()
        p[self.system.model.reduced.homotopy_index] = blend
        return self.system.at(Point(point.t, p))

    @property
    def is_linear(self) -> bool:
        """Whether there is nothing to order, and nothing to iterate."""
        known = self.system.model.caches.linear_systems
        if self.key not in known:
            known[self.key] = is_linear(self.system)
        return known[self.key]

    @property
    def parts(self) -> list[Shape]:
        """The parts in order; none where the whole is linear or has no order."""
        known = self.system.model.caches.initial_blocks
        if self.key not in known:
            order = None if self.is_linear else self.order()
            known[self.key] = shapes(self.system, order) if order is not None else []
        return known[self.key]

    def order(self) -> InitialOrder | None:
        """Blocks and stages, found again; None where there are none."""
        model = self.system.model
        system = self.system
        order = model.recompiler.initial_order(model.reduced, system.wanted, system.kept)
        return None if order.blocks.reason else order

    def culprit(self) -> tuple[Newton, Part | None]:
        """The first block without a solution, linear ones taken apart as well, and how Newton's method ended there."""
        order = self.order()
        if order is None:
            return self.as_a_whole(), None
        result, part = self.in_parts(shapes(self.system, InitialOrder(order.blocks, 2 * order.blocks.level + 1)))
        return (result, part) if part is not None else (self.as_a_whole(), None)


def other_ways(system: System, guess: FloatArray, scale: FloatArray) -> Iterator[Callable[[], Newton]]:
    """What to try when Newton's method fails from the guess."""
    random = np.random.default_rng(3).uniform(0.5, 1.0, len(guess))
    # A guess of zero is often the one point where a derivative vanishes or a logarithm fails.
    nudged: list[Any] = [guess + nudge * scale * random for nudge in _NUDGES]
    yield from (lambda u=u: solve(system, u, scale) for u in nudged)
    yield from (lambda u=u: from_residual(system, u, scale) for u in (guess, nudged[0], nudged[-1]))
    if len(guess) <= _SMALL:
        yield lambda: least_change(system, guess, scale)

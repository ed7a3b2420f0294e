"""The position nearest to the guesses, from one that closes all loops.

Gauss-Newton steps end where loops close, near the nearest position but not in it, and where exactly depends on the
steps. Newton's method moves on along the invariants, component by component:

    N' (1 + H) N u = -N' (x - x0),      H v = d(J' l) along v: how curved the invariants are, by difference quotients

and every trial is closed again. Distances are relative to the sizes of states.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tellegen.engine.initialization.assembly.closures import Closure, closure
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import BoolArray
from tellegen.start.records import dataclass

ROUGH = 1e-6  # of the size of a state: a guess that far away counts as rough
_STEPS = 40
_HALVINGS = 8
_LONGEST = 0.5  # of the sizes of states: an angle must not go round
_DIFFERENCE = 1e-6
_SMALL = 1e-4  # a step of Newton's method that needs no check
_LAST = 1e-7  # the error after such a step is a rounding
_ENOUGH = 1e-11
_LEAST = 0.1  # curvature of the distance that steps are limited by
_DECREASE = 1e-4
_CLOSED = 1e-9


@dataclass(frozen=True, eq=False)
class Nearest:
    """The search: `close` brings states onto the invariants, `gaps` are those of all components where they end."""

    system: OdeSystem
    t: float
    size: FloatArray
    free: BoolArray  # whether a state may move
    close: Callable[[FloatArray], FloatArray]
    gaps: Callable[[], FloatArray]

    def run(self, origin: FloatArray, x: FloatArray, chosen: IntArray) -> FloatArray:
        """The states nearest to the origin for some components; as they are where that fails."""
        open_ = {c for c in chosen.tolist() if self._may_be_nearer(c, origin, x)}
        for _ in range(_STEPS):
            if not open_ or not self.system.rhs(self.t, x):
                break
            closures = self._closures(sorted(open_))
            steps = self._steps(closures, origin, x)
            done = [c for c, u in steps.items() if np.abs(u).max(initial=0.0) <= _ENOUGH]
            open_.difference_update(done)
            moving = [each for each in closures if each.component in open_]
            if not moving:
                break
            x, failed = self._moved(moving, steps, origin, x)
            last = [c for c in open_ if np.abs(steps[c]).max(initial=0.0) <= _LAST]
            open_.difference_update(last, failed)
        return x

    def _may_be_nearer(self, component: int, origin: FloatArray, x: FloatArray) -> bool:
        """Whether a component that was just closed is far from the origin and free to move."""
        projection = self.system.projection
        assert projection is not None
        states = projection.components.states_of(component)
        if not (np.abs(x - origin)[states] > ROUGH * self.size[states]).any():
            return False
        return bool(np.count_nonzero(self.free[states]) > projection.rank[component])

    def _closures(self, chosen: list[int]) -> list[Closure]:
        """Where the system was evaluated."""
        system = self.system
        assert system.projection is not None
        of = system.projection.components
        derivatives = of.derivatives(system.y, system.p)
        return [closure(of, c, derivatives, self.free, self.size) for c in chosen]

    def _steps(self, closures: list[Closure], origin: FloatArray, x: FloatArray) -> dict[int, FloatArray]:
        """N u of each component, where the system was evaluated."""
        out = {}
        for each, hessian in zip(closures, self._hessians(closures, origin, x), strict=True):
            gradient = each.along.T @ each.way(x, origin)
            curvature, axes = np.linalg.eigh(0.5 * (hessian + hessian.T))
            u = axes @ ((axes.T @ gradient) / np.maximum(np.abs(curvature), _LEAST))
            out[each.component] = -each.along @ u
        return out

    def _hessians(self, closures: list[Closure], origin: FloatArray, x: FloatArray) -> list[FloatArray]:
        """N' (1 + H) N of each component; all of them are moved at once."""
        pull = self._pulls(closures, origin, x)
        columns: list[list[FloatArray]] = [[] for _ in closures]
        for k in range(max(each.along.shape[1] for each in closures)):
            point = x.copy()
            chosen = [number for number, each in enumerate(closures) if k < each.along.shape[1]]
            for number in chosen:
                each = closures[number]
                point[each.states] += _DIFFERENCE * each.size * each.along[:, k]
            is_there = self.system.rhs(self.t, point)
            there = self._pulls(closures, origin, x) if is_there else pull
            for number in chosen:
                each = closures[number]
                change = (there[number] - pull[number]) / _DIFFERENCE
                columns[number].append(each.along.T @ (each.along[:, k] + change))
        return [np.stack(found, axis=1) if found else np.zeros((0, 0)) for found in columns]

    def _pulls(self, closures: list[Closure], origin: FloatArray, x: FloatArray) -> list[FloatArray]:
        """J' l of each component, with the multipliers of x and the derivatives where the system was evaluated."""
        system = self.system
        assert system.projection is not None
        of = system.projection.components
        derivatives = of.derivatives(system.y, system.p)
        return [
            each.scaled(of.dense(each.component, derivatives)).T @ each.multipliers(each.way(x, origin))
            for each in closures
        ]

    def _moved(
        self, closures: list[Closure], steps: dict[int, FloatArray], origin: FloatArray, x: FloatArray
    ) -> tuple[FloatArray, list[int]]:
        """The next states, with a step for each component that brings it nearer; and those for which none does."""
        part = {c: min(1.0, _LONGEST / max(float(np.abs(step).max()), 1e-300)) for c, step in steps.items()}
        left = closures
        out = x.copy()
        for _ in range(_HALVINGS):
            trial = out.copy()
            for each in left:
                trial[each.states] = x[each.states] + part[each.component] * each.size * steps[each.component]
            trial = self.close(trial)
            is_closed = self._is_closed(trial)
            worse = []
            for each in left:
                step = steps[each.component]
                before = each.way(x, origin)
                after = each.way(trial, origin)
                if is_closed[each.component] and _is_nearer(step, part[each.component], before, after):
                    out[each.states] = trial[each.states]
                else:
                    part[each.component] *= 0.5
                    worse.append(each)
            left = worse
            if not left:
                break
        return out, [each.component for each in left]

    def _is_closed(self, x: FloatArray) -> BoolArray:
        gaps = self.gaps() if self.system.rhs(self.t, x) else None
        assert self.system.projection is not None
        return np.zeros(self.system.projection.components.count, bool) if gaps is None else gaps <= _CLOSED


def _is_nearer(step: FloatArray, part: float, before: FloatArray, after: FloatArray) -> bool:
    """Whether a part of a step brought a component nearer, or is one of the last, whose gain is lost in roundings."""
    if np.abs(step).max() <= _SMALL:
        return True
    promised = -part * float(step @ before)
    return bool(after @ after <= before @ before - 2.0 * _DECREASE * promised)

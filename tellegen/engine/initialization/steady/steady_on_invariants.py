"""Steady states of models with invariants, closed loops of mechanisms above all.

    the rates of the states are zero, and so are the residuals:    f(x) = 0,  g(x) = 0

The equations alone leave these states open: at rest, rows that say how closures move on say nothing. Implicit Euler
steps, longer and longer, let the states settle within the directions that g allows, N with G N = 0:

    dx = -G^+ g + N z,      N' (1/h - A) N z = N' (f - (1/h - A) dx_0)           A = df/dx, G = dg/dx

An infinitely long step is Newton's method in independent coordinates (Potra and Rheinboldt, "On the numerical solution
of Euler-Lagrange equations", Mechanics of Structures and Machines 19, 1991).
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.velocities import velocities
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import SingularMatrixError, choose_pivots
from tellegen.engine.loaded.local_equations import LocalSystem
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.parameter_and_start_vectors import Starts
from tellegen.ir.model import FloatArray
from tellegen.start.records import dataclass

_STEPS = 300
_FIRST = 0.1  # of the time in which the fastest state changes by itself
_GROWTH = 3.0
_CUT = 0.2
_LONGEST = 0.3  # of the sizes of states: an angle must not go round in a step
_NEWTON = 1e12  # times the first step: infinitely long
_CLOSE = 1e-2  # of the sizes of states: steps that short may be those of Newton's method
_CONVERGED = 1e-11
_REPEATED = 1e-6  # of residuals that change by one with the sizes of states
_OPEN = 1e-9  # of the largest singular value: a direction in which nothing drives back
_MOVING = 1e-6  # of what moving states by their sizes does to a rate
_ROUNDING = 1e-12  # the same for the fastest of all states
_MOST_STATES = 600  # matrices are dense


@dataclass(frozen=True, eq=False)
class Settled:
    """Where it ended. Unknowns have a share in what may move without any rate, or in what keeps moving all the same."""

    found: Consistent
    open_share: FloatArray
    moving_share: FloatArray


def settle_on_invariants(model: NativeModel, point: Point, starts: Starts) -> Settled | None:
    """The steady state that is reached from the start values; None where it was not found."""
    states = int(model.reduced.is_state.sum())
    if model.ode.reason or not 0 < states <= _MOST_STATES:
        return None
    system = model.ode.lease(model, point.p, starts.scales.size)
    try:
        with np.errstate(all="ignore"):
            return _Settling(model, system, point, starts).run()
    finally:
        model.ode.give_back(system)


class _Settling:
    """One search."""

    def __init__(self, model: NativeModel, system: OdeSystem, point: Point, starts: Starts) -> None:
        assert model.reduced.invariants is not None
        self.model = model
        self.system = system
        self.point = point
        self.first = starts.value
        self.states = np.flatnonzero(model.reduced.is_state)
        self.size = starts.scales.size[self.states]
        self.is_limited = model.derived(velocities)[self.states] == 0
        self.residual = model.reduced.position[model.reduced.invariants.residual]

    def run(self) -> Settled | None:
        """Steps until none is worth making."""
        x = self.first[self.states]
        here = self._at(x)
        if here is None:
            return None
        fastest = float(np.linalg.norm(here.a * self.size / self.size[:, None], 2))
        length = shortest = _FIRST / max(fastest, 1e-300)
        for _ in range(_STEPS):
            change = here.step(length, self.size)
            relative = np.abs(change) / np.maximum(np.abs(x), self.size)
            part = float(relative.max())
            there = self._at(x + change) if relative[self.is_limited].max(initial=0.0) <= _LONGEST else None
            if there is None:
                length *= _CUT
                if length < _CUT**8 * shortest:
                    return None
                continue
            x = x + change
            here = there
            if length == np.inf and part <= _CONVERGED:
                return self._ended(here)
            is_close = part < _CLOSE and length > _NEWTON * shortest
            length = np.inf if is_close or length == np.inf else min(length * _GROWTH, 10 * _NEWTON * shortest)
        return None

    def _at(self, x: FloatArray) -> _Local | None:
        """Rates, residuals and their derivatives; None where they cannot be computed."""
        y = self.first.copy()
        y[self.states] = x
        if not self.system.solved(self.point.t, y, self.point.p):
            return None
        system = LocalSystem(self.model, self.point.p)
        system.t = self.point.t
        system.y = self.system.y.copy()
        u = np.where(system.is_state, self.system.yp, self.system.y)
        values = system.jacobian(u)
        try:
            factors = SparseLU(system.pattern, choose_pivots(system.pattern, values))
            factors.factor(values)
        except SingularMatrixError:
            return None
        columns = system.by_states(u).toarray().T
        change = -np.stack([factors.solve(column) for column in columns], axis=1)
        f = self.system.yp[self.states].copy()
        g = self.system.y[self.residual].copy()
        local = _Local(f, g, change[self.states], change[self.residual])
        return local if all(np.isfinite(part).all() for part in (f, g, local.a, local.by_states)) else None

    def _ended(self, here: _Local) -> Settled:
        """The values there, and whether they are the only ones around."""
        n, _ = here.directions(self.size)
        scaled = here.a * self.size / self.size[:, None]
        singular = np.linalg.svd(n.T @ scaled @ n)
        is_open = bool(len(singular.S) and singular.S[-1] <= _OPEN * singular.S[0])
        rate = np.abs(here.f) / self.size
        most = np.abs(scaled).max(axis=1)
        is_moving = rate > _MOVING * most + _ROUNDING * most.max()
        y = self.system.y.copy()
        return Settled(
            Consistent(y, np.zeros(len(y))),
            open_share=self._shares(np.abs(n @ singular.Vh[-1]) if is_open else 0.0 * rate),
            moving_share=self._shares(np.where(is_moving, rate, 0.0)),
        )

    def _shares(self, of_states: FloatArray) -> FloatArray:
        """Of all unknowns."""
        out = np.zeros(len(self.first))
        out[self.states] = of_states
        return out


@dataclass(frozen=True, eq=False)
class _Local:
    """A point: rates of the states, residuals of the invariants, and both by the states."""

    f: FloatArray
    g: FloatArray
    a: FloatArray
    by_states: FloatArray

    def directions(self, size: FloatArray) -> tuple[FloatArray, FloatArray]:
        """N, and the way back onto the invariants, both in sizes of states."""
        scaled = self.by_states * size
        length = np.linalg.norm(scaled, axis=1)
        used = length > 0.0
        rows = scaled[used] / length[used, None]
        left, singular, right = np.linalg.svd(rows)
        rank = int((singular > _REPEATED).sum())
        back = right[:rank].T @ ((left[:, :rank].T @ (self.g[used] / length[used])) / singular[:rank])
        return right[rank:].T, -back

    def step(self, length: float, size: FloatArray) -> FloatArray:
        """The change of the states in an implicit Euler step along the invariants."""
        n, back = self.directions(size)
        back *= min(1.0, 0.5 * _LONGEST / max(np.abs(back).max(initial=0.0), 1e-300))
        matrix = np.eye(len(size)) / length - self.a * size / size[:, None]
        right = n.T @ (self.f / size - matrix @ back)
        try:
            z = np.linalg.solve(n.T @ matrix @ n, right)
        except np.linalg.LinAlgError:
            z = np.linalg.lstsq(n.T @ matrix @ n, right, rcond=None)[0]
        return size * (back + n @ z)

"""Steady states with invariants, closed loops of mechanisms above all, backwards.

    g(x, p) = 0,   N' f(x, p) = 0         residuals and rates of the states x; G = dg/dx, A = df/dx, G N = 0

    weights c on x:     N' A' N z = N' c,    G' b = c - A' N z

put -b on the residuals and -N z on the rates, which then weigh on p; nothing is left for the states
(engine/initialization/steady/steady_on_invariants.py). States, rates and residuals count by their sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tellegen.analyses.adjoint.local_weights import Weights
from tellegen.engine.initialization.assembly.closures import no_closure, opened
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.ir.model import FloatArray

_REPEATED = 1e-6  # of residuals that change by one with the sizes of states


class SteadyLoops:
    """The conditions of a steady state, as something weights pass through."""

    def __init__(self, model: NativeModel, size: FloatArray) -> None:
        """`size` are the sizes of all unknowns."""
        assert model.reduced.invariants is not None
        self._model = model
        self._states = np.flatnonzero(model.reduced.is_state)
        self._residuals = model.reduced.position[model.reduced.invariants.residual]
        self._size = size[self._states][:, None]

    def put(self, weights: Weights, pulled: Callable[[Weights], FloatArray]) -> None:
        """Add to weights what the states put on residuals and rates; `pulled` makes weights on states of any."""
        c = self._size * pulled(weights)[self._states]
        rows, length = self._rows(len(weights.y), len(weights.p), pulled)
        left, singular, right = np.linalg.svd(rows / length)
        rank = int((singular > _REPEATED).sum())
        along = right[rank:].T
        by_rates = self._rates(along, weights, pulled)
        z = np.linalg.solve(along.T @ by_rates, along.T @ c)
        b = (left[:, :rank] / singular[:rank]) @ (right[:rank] @ (c - by_rates @ z))
        np.subtract.at(weights.y, self._residuals, b / length)
        weights.yp[self._states] -= (along @ z) / self._size

    def refuse_open(
        self, by_direction: FloatArray, names: Sequence[str], pulled: Callable[[Weights], FloatArray]
    ) -> None:
        """E312 where residuals change in some direction so that no motion of the states makes up for it."""
        rows, length = self._rows(len(by_direction), self._model.reduced.parameter_indices, pulled)
        left, singular, _ = np.linalg.svd(rows / length)
        reached = left[:, : int((singular > _REPEATED).sum())]
        change = by_direction[self._residuals] / length
        number = opened(change, change - reached @ (reached.T @ change))
        if number is not None:
            raise no_closure(self._model, self._states, names[number])

    def _rows(
        self, size: int, positions: int, pulled: Callable[[Weights], FloatArray]
    ) -> tuple[FloatArray, FloatArray]:
        """G, and the lengths of its rows."""
        trial = Weights(size, positions, len(self._residuals))
        trial.y[self._residuals, np.arange(len(self._residuals))] = 1.0
        rows = (self._size * pulled(trial)[self._states]).T
        lengths = np.linalg.norm(rows, axis=1)
        return rows, np.where(lengths > 0.0, lengths, 1.0)[:, None]

    def _rates(self, along: FloatArray, weights: Weights, pulled: Callable[[Weights], FloatArray]) -> FloatArray:
        """A' N."""
        trial = Weights(len(weights.y), len(weights.p), along.shape[1])
        trial.yp[self._states] = along / self._size
        return self._size * pulled(trial)[self._states]

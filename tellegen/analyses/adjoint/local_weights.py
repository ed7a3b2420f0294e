"""Weights at an instant: what weights on all unknowns and rates mean for the states, and for the parameters.

    F(t, x, w, p) = 0     x the states, w everything else (rates of states, algebraic unknowns)

    weights c on (x, w):  (dF/dw)' q = c_w     states get  c_x - (dF/dx)' q,  parameters  -(dF/dp)' q,  time -(dF/dt)' q

The multipliers q are the only thing solved for; algebraic loops and index reduction are inside dF/dw.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csc_array

from tellegen.analyses.adjoint.transposed_lu import Transposed
from tellegen.analyses.sensitivities.value_slopes import Instants
from tellegen.engine.loaded.local_equations import LocalSystem
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.ir.model import FloatArray


class Weights:
    """Weights on values and rates of all unknowns, on parameters and on time; one column for each function."""

    def __init__(self, size: int, positions: int, functions: int) -> None:
        self.y = np.zeros((size, functions))
        self.yp = np.zeros((size, functions))
        self.p = np.zeros((positions, functions))
        self.t = np.zeros(functions)

    def copy(self) -> Weights:
        """The same numbers in other places."""
        other = Weights(len(self.y), len(self.p), len(self.t))
        other.y[:] = self.y
        other.yp[:] = self.yp
        other.p[:] = self.p
        other.t[:] = self.t
        return other


class LocalPoint:
    """The equations around one point of a run."""

    def __init__(self, model: NativeModel, at: Instants, factors: Transposed) -> None:
        self.model = model
        self.at = at
        self._factors = factors
        self.is_state = model.reduced.is_state

    def at_numbers(self, at: Instants) -> LocalPoint:
        """The same model at another point."""
        return LocalPoint(self.model, at, self._factors)

    @cached_property
    def rates(self) -> FloatArray:
        """x' from the equations themselves: curves know it less well at their ends."""
        system = LocalSystem(self.model, self.at.p)
        t = float(self.at.t[0])
        y = self.at.y[0]
        u = system.solved(t, y, np.where(self.is_state, self.at.yp[0], y))
        return self.at.yp[0] if u is None else system.rates(u)

    @cached_property
    def _derivatives(self) -> tuple[Any, Any]:
        pattern = self.model.program.pattern
        model = self.model
        t = float(self.at.t[0])
        y = self.at.y[0]
        p = self.at.p
        by_value = model.jacobian(t, y, self.rates, p)
        by_rate = model.jacobian(t, y, self.rates, p, by_value=0.0, by_rate=1.0)
        of_state = self.is_state[pattern.column_of_entry]
        by_others = np.where(of_state, by_rate, by_value)
        states = csc_array((np.where(of_state, by_value, 0.0), pattern.indices, pattern.indptr), shape=pattern.shape)
        return by_others, states

    def multipliers(self, weights: Weights) -> FloatArray:
        """q for weights on w."""
        wanted = np.where(self.is_state[:, None], weights.yp, weights.y)
        return self._factors.factor(self._derivatives[0]).solve(wanted)

    def on_states(self, weights: Weights, q: FloatArray) -> FloatArray:
        """c_x - (dF/dx)' q."""
        return np.where(self.is_state[:, None], weights.y, 0.0) - self._derivatives[1].T @ q

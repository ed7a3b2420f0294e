"""The equations around one point: states given, everything else solved for.

    F(t, x, x', z) = 0      x held; unknowns z and x'; matrix M = [dF/dz  dF/dx'], the columns in the solver's order

The same square matrix serves the rates and algebraic variables between output points (dense.py), and, by one solve
for each state and input, the linear model at the point (analyses/linearization/linearize.py).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from tellegen.engine.linear_algebra.damped_newton import System, solve
from tellegen.engine.linear_algebra.pivots import Elimination
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern
from tellegen.start.on_use import scipy


class LocalSystem(System):
    """A square system in u: z where an unknown is algebraic, x' where it is a state."""

    def __init__(self, model: NativeModel, p: FloatArray, ode: OdeSystem | None = None) -> None:
        """With ODE mode, blocks are solved in order by native code; where that fails, and without it, all at once."""
        self.model = model
        self.ode = ode
        self.p = p
        self.is_state = model.reduced.is_state
        self.t = 0.0
        self.y = np.zeros(len(self.is_state))
        self._pivots: Elimination | None = None

    @property
    def pattern(self) -> Pattern:
        """Where the derivatives stand."""
        return self.model.program.pattern

    @cached_property
    def _of_state(self) -> Any:
        return self.is_state[self.pattern.column_of_entry]

    def rates(self, u: FloatArray) -> FloatArray:
        """y' with the states' part of u."""
        return np.where(self.is_state, u, 0.0)

    def values(self, u: FloatArray) -> FloatArray:
        """y with the algebraic part of u."""
        return np.where(self.is_state, self.y, u)

    def residual(self, u: FloatArray) -> FloatArray:
        """F at u."""
        return self.model.residual(self.t, self.values(u), self.rates(u), self.p)

    def jacobian(self, u: FloatArray) -> FloatArray:
        """The entries of M on the pattern."""
        return np.where(self._of_state, self._by_rates(u), self.by_values(u))

    def by_values(self, u: FloatArray) -> FloatArray:
        """dF/dy on the pattern."""
        return self.model.jacobian(self.t, self.values(u), self.rates(u), self.p)

    def _by_rates(self, u: FloatArray) -> FloatArray:
        """dF/dy' on the pattern."""
        return self.model.jacobian(self.t, self.values(u), self.rates(u), self.p, by_value=0.0, by_rate=1.0)

    def by_states(self, u: FloatArray) -> Any:
        """dF/dx: one column for each state."""
        full = scipy.sparse.csc_array(
            (self.by_values(u), self.pattern.indices, self.pattern.indptr), self.pattern.shape
        )
        return full[:, np.flatnonzero(self.is_state)]

    def matrix(self, u: FloatArray) -> Any:
        """M as a sparse matrix."""
        return scipy.sparse.csc_array(
            (self.jacobian(u), self.pattern.indices, self.pattern.indptr), shape=self.pattern.shape
        )

    def solved(self, t: float, y: FloatArray, guess: FloatArray | None = None) -> FloatArray | None:
        """u at a time, with the states of y; None where Newton's method fails."""
        self.t = t
        self.y = y
        if self.ode is not None and self.ode.solved(t, y, self.p):
            return np.where(self.is_state, self.ode.yp, self.ode.y)
        first = np.where(self.is_state, 0.0 if guess is None else guess, y)
        with np.errstate(all="ignore"):
            result = solve(self, first, np.ones(len(first)), self._pivots)
        if result.ended != "converged":
            return None
        self._pivots = result.elimination or self._pivots
        return result.u

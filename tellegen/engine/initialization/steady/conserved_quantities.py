"""What a steady state keeps of the start where the equations alone do not determine it: charge, mass, momentum.

    C1*der(v1) == i,  C2*der(v2) == i,  v1 + v2 + R*i == V       in steady state the first two both say i == 0

Let F(t, y, y') = 0 be the equations and w a row vector with w dF/dy = 0 at every point and w dF/dy' = e constant. Then
w F = e y' + c: the equations combined by w say that e y changes at the constant rate -c. In steady state they leave as
many unknowns open as there are such vectors (the left null space); where c is zero, e y = e y0 determines these from
the initial values, here C1*v1 - C2*v2. Vectors are found at random points: a Jacobian that is singular at one point
only (turbulent flow at zero) does not count.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from tellegen.engine.initialization.initial_system import InitialSystem
from tellegen.engine.linear_algebra.damped_newton import System
from tellegen.engine.linear_algebra.rank_deficiency import equilibrated
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.program import Pattern
from tellegen.ir.reduced import Int32Array
from tellegen.start.on_use import scipy
from tellegen.start.records import dataclass

_LARGEST = 1500  # equations up to which the left null space is affordable
_POINTS = 3
_NEAR = 0.1  # of the size of an unknown: how far the points are from the guess
_ZERO = 1e-11  # of the largest singular value
_NOTHING = 1e-9  # of the largest coefficient of a conserved quantity


@dataclass(frozen=True, eq=False)
class Conserved:
    """Quantities e y, one row of coefficients each, and the rows of the system that they make redundant."""

    coefficients: FloatArray
    redundant: IntArray


class WithConserved(System):
    """The equations in steady state with conserved quantities in the place of redundant rows."""

    def __init__(self, system: InitialSystem, laws: Conserved, u0: FloatArray) -> None:
        self.system = system
        self.laws = laws
        self.u0 = u0
        kept = ~np.isin(system.pattern.indices, laws.redundant)
        law, column = np.nonzero(laws.coefficients)
        self._entries = np.flatnonzero(kept)
        self._values = laws.coefficients[law, column]
        rows = np.concatenate([system.pattern.indices[kept], laws.redundant[law]])
        columns = np.concatenate([system.pattern.column_of_entry[kept], column])
        self._pattern, self._order = Pattern.of(rows, columns, system.pattern.shape)

    @property
    def pattern(self) -> Pattern:
        """Where the derivatives stand."""
        return self._pattern

    def residual(self, u: FloatArray) -> FloatArray:
        """The equations, with e (y - y0) in redundant rows."""
        out = self.system.residual(u)
        out[self.laws.redundant] = self.laws.coefficients @ (u - self.u0)
        return out

    def jacobian(self, u: FloatArray) -> FloatArray:
        """Derivatives, on `pattern`."""
        return np.concatenate([self.system.jacobian(u)[self._entries], self._values])[self._order]


def conserved(system: InitialSystem, u: FloatArray, scale: FloatArray) -> Conserved | None:
    """What is conserved near a point, None where nothing is or the system is too large to look."""
    if len(u) > _LARGEST:
        return None
    points = _Points(system, u, scale)
    by_values, by_rates = zip(*(points.derivatives(k) for k in range(_POINTS)), strict=True)
    changes = [here - by_rates[0] for here in by_rates[1:]]
    stacked = np.hstack([*by_values, *changes])
    if not np.isfinite(stacked).all():
        return None
    scaled, rows, _ = equilibrated(stacked)
    left, sizes, _ = np.linalg.svd(scaled, full_matrices=False)
    null = left[:, sizes <= _ZERO * sizes.max(initial=0.0)]
    coefficients = (null * rows[:, None]).T @ by_rates[0]
    size = np.abs(coefficients * np.maximum(np.abs(u), scale))
    coefficients = np.where(size > _NOTHING * size.max(axis=1, initial=0.0, keepdims=True), coefficients, 0.0)
    if not null.shape[1] or not coefficients.any(axis=1).all():
        return None
    *_, pivots = scipy.linalg.qr(null.T, mode="economic", pivoting=True)
    return Conserved(coefficients / np.abs(coefficients).max(axis=1, keepdims=True), np.sort(pivots[: null.shape[1]]))


class _Points:
    """Random points around a guess, with the equations' derivatives by values and by rates there, as dense arrays."""

    def __init__(self, system: InitialSystem, u: FloatArray, scale: FloatArray) -> None:
        self.system = system
        self.reduced = system.model.reduced
        self.y = system.y.copy()
        self.y[system.values] = u
        self.size = np.ones(len(self.y))
        self.size[system.values] = np.maximum(np.abs(u), scale)
        self.size *= _NEAR

    def derivatives(self, number: int) -> tuple[FloatArray, FloatArray]:
        """By the values and by the rates of all unknowns of the system, at one point."""
        model = self.system.model
        random = np.random.default_rng(number).uniform(0.5, 1.0, (2, len(self.y)))
        y = self.y + self.size * random[0]
        yp = np.where(self.reduced.is_state, random[1], 0.0)
        by_value, by_rate = (self._dense(model.jacobian(self.system.point.t, y, yp, self.system.point.p, **which))
                             for which in ({}, {"by_value": 0.0, "by_rate": 1.0}))  # fmt: skip
        by_rate[:, self._named[0]] += by_value[:, self._named[1]]
        return by_value[:, self.system.values], by_rate[:, self.system.values]

    def _dense(self, values: FloatArray) -> FloatArray:
        pattern = self.system.model.program.pattern
        matrix = scipy.sparse.csc_array((values, pattern.indices, pattern.indptr), shape=pattern.shape)
        return matrix.toarray()[self.system.rows]

    @cached_property
    def _named(self) -> tuple[Int32Array, Int32Array]:
        """Unknowns whose derivative is an unknown itself, and those derivatives."""
        made = self.reduced.derivatives
        first = np.flatnonzero(made.order == 1)
        count = self.reduced.flat.variables.count
        return self.reduced.position[made.base[first]], self.reduced.position[count + first]

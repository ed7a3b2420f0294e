"""A steady state found by letting the model settle: implicit Euler steps from its start values, longer and longer.

    ring of 101 inverters, one node held:   from zero volts Newton's method has no way to the operating point;
                                            in time the stages switch one after the other, and stay

Time is frozen, so sources stand still. Accuracy does not matter: a step is as long as Newton's method can bear, and an
infinitely long one solves for the steady state itself. What is found is where the model goes by itself (Coffey, Kelley
and Keyes, "Pseudotransient continuation and differential-algebraic equations", SIAM J. Sci. Comput. 25, 2003).
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.initialization.initial_system import InitialSystem
from tellegen.engine.linear_algebra.damped_newton import Newton, System, solve
from tellegen.engine.request.consistent import Consistent
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.program import Pattern
from tellegen.ir.reduced import ReducedModel
from tellegen.start.records import dataclass

_SETTLED = 1e-2  # of the size of an unknown: where a step changes less, and less than the one before, the end is near
_STEPS = 400
_EASY = 6  # iterations of a step after which the next one is longer
_GROWTH = 3.0
_CUT = 0.1
_SHORTEST = 1e-6  # of the first step


def settled(steady: InitialSystem, guess: FloatArray, scale: FloatArray) -> Newton:
    """The steady state that the model reaches from its start values, or how the search for it ended."""
    u = guess
    step = EulerStep(steady, u)
    step.length = shortest = step.shortest_time(u, scale)
    if not 0.0 < shortest < np.inf:
        return Newton("no progress", u, 0)
    pivots = None
    last_change = 0.0
    for _ in range(_STEPS):
        found = solve(step, u, scale, pivots)
        if found.ended != "converged":
            step.length *= _CUT
            if step.length < _SHORTEST * shortest:
                return found
            continue
        change = float((np.abs(found.u - u) / np.maximum(np.abs(u), scale)).max())
        u = found.u
        pivots = found.elimination
        if change < min(_SETTLED, last_change):
            result = solve(steady, u, scale)
            if result.ended == "converged":
                return result
        last_change = change
        step.begin_at(u)
        if found.iterations <= _EASY:
            step.length *= _GROWTH
    return Newton("no progress", u, _STEPS)


@dataclass(frozen=True, eq=False)
class _Chains:
    """Derivatives that index reduction made unknowns, lower orders first."""

    unknown: IntArray
    lower: IntArray  # the unknown that each is the derivative of
    base: IntArray  # the unknown that the lowest is the derivative of
    order: IntArray

    @classmethod
    def of(cls, model: ReducedModel) -> _Chains:
        """Those of a model: an order is numbered after all lower ones."""
        own = model.position[model.flat.variables.count + np.arange(len(model.derivatives.base))].astype(np.int64)
        base = model.position[model.derivatives.base].astype(np.int64)
        at = {(b, k): j for b, k, j in zip(base.tolist(), model.derivatives.order.tolist(), own.tolist(), strict=True)}
        lower = [at.get((b, k - 1), b) for b, k in at]
        return cls(own, np.array(lower, np.int64), base, model.derivatives.order.astype(np.int64))


class EulerStep(System):
    """The equations of a steady state with derivatives as differences over a step."""

    def __init__(self, steady: InitialSystem, u: FloatArray) -> None:
        self.steady = steady
        self.model = steady.model
        self.length = np.inf
        self.chains = _Chains.of(self.model.reduced)
        self.before = steady.y.copy()
        self.before[steady.values] = u
        self._fold()

    def _fold(self) -> None:
        """The pattern: columns of derivatives fall on those of their bases."""
        steady = self.steady
        chains = self.chains
        column = np.full(len(steady.y), -1)
        column[steady.values] = np.arange(len(steady.values))
        column[chains.unknown] = column[chains.base]
        order = np.zeros(len(steady.y))
        order[chains.unknown] = chains.order
        whole = self.model.program.pattern
        self._used = np.flatnonzero(steady.kept[whole.indices] & (column[whole.column_of_entry] >= 0))
        of_entry = whole.column_of_entry[self._used]
        count = len(steady.rows)
        self._row = (np.cumsum(steady.kept) - 1)[whole.indices[self._used]]
        self._column = column[of_entry]
        self._order = order[of_entry]
        places, self._place = np.unique(self._column * count + self._row, return_inverse=True)
        self._pattern, _ = Pattern.of(places % count, places // count, (count, len(steady.values)))

    @property
    def pattern(self) -> Pattern:
        """Where the derivatives stand."""
        return self._pattern

    def begin_at(self, u: FloatArray) -> None:
        """Take the end of the step as the beginning of the next one."""
        self.before = self._at(u).y

    def residual(self, u: FloatArray) -> FloatArray:
        """That of the equations as written."""
        at = self._at(u)
        point = self.steady.point
        return self.model.residual(point.t, at.y, at.yp, point.p)[self.steady.rows]

    def jacobian(self, u: FloatArray) -> FloatArray:
        """Derivatives by values, and by rates over the length of the step."""
        entries = self._entries(u, 1.0, 1.0 / self.length)
        out = np.zeros(self._pattern.count)
        np.add.at(out, self._place, entries * self.length**-self._order)
        return out

    def shortest_time(self, u: FloatArray, scale: FloatArray) -> float:
        """The least time, over the equations with rates, in which rates of unknowns count as much as their values."""
        size = scale[self._column]
        by_value = np.abs(self._entries(u, 1.0, 0.0)) * size
        by_rate = np.abs(self._entries(u, 0.0, 1.0)) * size
        is_value = self._order == 0
        values = self._largest(np.where(is_value, by_value, 0.0))
        rates = self._largest(np.where(is_value, by_rate, by_value))
        both = (rates > 0.0) & (values > 0.0)
        return float((rates[both] / values[both]).min(initial=np.inf))

    def _largest(self, entries: FloatArray) -> FloatArray:
        """The largest entry of every row."""
        out = np.zeros(len(self.steady.rows))
        with np.errstate(invalid="ignore"):  # what is not finite makes no progress
            np.maximum.at(out, self._row, entries)
        return out

    def _entries(self, u: FloatArray, by_value: float, by_rate: float) -> FloatArray:
        """The entries of the Jacobian that are used, with weights."""
        at = self._at(u)
        point = self.steady.point
        values = np.zeros(self.model.program.pattern.count)
        self.model.entries["jacobian"](point.t, by_value, by_rate, at.y, at.yp, point.p, values)
        return values[self._used]

    def _at(self, u: FloatArray) -> Consistent:
        """Unknowns and rates at the end of the step."""
        y = self.before.copy()
        y[self.steady.values] = u
        chains = self.chains
        for own, lower in zip(chains.unknown.tolist(), chains.lower.tolist(), strict=True):
            y[own] = (y[lower] - self.before[lower]) / self.length
        return Consistent(y, np.where(self.model.reduced.is_state, (y - self.before) / self.length, 0.0))

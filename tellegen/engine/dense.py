"""Values between the output points.

States follow the cubic through values and derivatives at the two neighbouring points (Hermite; error of order h^4 in
the distance h of the points), everything else is computed from the model's equations at that time, so Kirchhoff's laws
hold there as well as at the points. Where the equations cannot be solved (at a switch), algebraic variables are
interpolated linearly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.compiled import CompiledModel
from tellegen.engine.local import LocalSystem
from tellegen.ir.model import FloatArray


class Dense:
    """A run with its equations: what it needs to fill the gaps. Rates at the output points are found when asked for."""

    def __init__(self, model: CompiledModel, time: FloatArray, unknowns: FloatArray, p: FloatArray) -> None:
        self.system = LocalSystem(model, p)
        self.time, self.unknowns = time, unknowns
        self._rates: dict[int, FloatArray] = {}

    def rate(self, k: int) -> FloatArray:
        """y' at output point k, zero for algebraic unknowns; not a number where the equations have no solution."""
        if k not in self._rates:
            near = self._rates.get(k - 1)
            u = self.system.solved(float(self.time[k]), self.unknowns[k], near)
            self._rates[k] = np.full(len(self.unknowns[k]), np.nan) if u is None else self.system.rates(u)
        return self._rates[k]

    def rates(self) -> FloatArray:
        """y' at all output points, one row each."""
        return np.stack([self.rate(k) for k in range(len(self.time))])

    def values(self, t: float) -> tuple[FloatArray, FloatArray]:
        """y and y' at any time of the run."""
        k = int(np.clip(np.searchsorted(self.time, t, side="right") - 1, 0, len(self.time) - 1))
        if self.time[k] == t or k == len(self.time) - 1:
            return self.unknowns[k], self.rate(k)
        width = float(self.time[k + 1] - self.time[k])
        s = (t - float(self.time[k])) / width
        ends = (self.unknowns[k], self.unknowns[k + 1])
        linear = (1.0 - s) * ends[0] + s * ends[1]
        y = np.where(self.system.is_state, _cubic(s, width, ends, (self.rate(k), self.rate(k + 1))), linear)
        u = self.system.solved(t, np.where(np.isnan(y), linear, y), self.rate(k))
        if u is None:
            slope = np.where(self.system.is_state, (ends[1] - ends[0]) / width, 0.0)
            return np.where(np.isnan(y), linear, y), slope
        return self.system.values(u), self.system.rates(u)


def _cubic(s: float, width: float, ends: tuple[Any, Any], rates: tuple[Any, Any]) -> Any:
    """The cubic Hermite polynomial at the part s of an interval."""
    a, b = ends
    return (
        (1.0 + 2.0 * s) * (1.0 - s) ** 2 * a
        + s * s * (3.0 - 2.0 * s) * b
        + width * s * (1.0 - s) * ((1.0 - s) * rates[0] - s * rates[1])
    )

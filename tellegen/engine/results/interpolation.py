"""Values between the output points.

States, and what constraints tie to them, follow the cubic through values and derivatives at the two neighbouring points
(Hermite; error of order h^4 in the distance h of the points). Everything else is computed from the model's equations at
that time, so Kirchhoff's laws hold there as well as at the points. Where the equations cannot be solved (at a switch),
algebraic variables are interpolated linearly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.integrators.dynamic_state_selection import StateWatch, depends_on_point
from tellegen.engine.integrators.segmented_integrator import near
from tellegen.engine.loaded.local_equations import LocalSystem
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.readout.discrete_history import History
from tellegen.ir.model import FloatArray


class Dense:
    """A run with its equations: what it needs to fill the gaps. Rates at the output points are found when asked for."""

    def __init__(self, model: NativeModel, time: FloatArray, unknowns: FloatArray, given: FloatArray | History) -> None:
        self.model = model
        self.given = given
        self.time = time
        self.unknowns = unknowns
        self._watch = StateWatch(model) if depends_on_point(model.reduced.candidates) else None
        self._systems: dict[tuple[int, int], LocalSystem] = {}
        self._rates: dict[int, FloatArray] = {}

    def rows(self, times: FloatArray) -> Any:
        """The output point at or before each time, but for roundings; of two at one instant the later."""
        return np.clip(np.searchsorted(self.time, times + near(times), side="right") - 1, 0, len(self.time) - 1)

    def numbers(self, t: float) -> FloatArray:
        """The parameters and discrete values at a time."""
        return self._numbers(int(self.rows(np.array([t]))[0]))[1]

    def _numbers(self, k: int) -> tuple[int, FloatArray]:
        """The segment that starts at output point k, and its numbers."""
        if not isinstance(self.given, History):
            return 0, self.given
        segment = int(self.given.segment[k])
        return segment, self.given.numbers(segment)

    def _system(self, t: float, y: FloatArray, k: int) -> LocalSystem:
        """The equations, with states that are well chosen at this point."""
        model = self.model
        (segment, p) = self._numbers(k)
        if isinstance(self.given, History) and self.given.notes is not None:
            self.given.notes.fill(p, t)
        if self._watch is not None:
            model = model.with_states(self._watch.soundest(t, y, p))
        return self._systems.setdefault((id(model), segment), LocalSystem(model, p))

    def _known_rates(self, y: FloatArray, yp: FloatArray) -> FloatArray:
        """y' of states, and of unknowns whose derivative is itself an unknown; not a number for others."""
        reduced = self.model.reduced
        out = np.where(reduced.is_state & ~reduced.is_tied, yp, np.nan)
        if reduced.candidates is not None:
            chain = reduced.candidates.chain
            position = reduced.position
            for m in range(chain.shape[1] - 1):
                tied = chain[:, m + 1] >= 0
                out[position[chain[tied, m]]] = y[position[chain[tied, m + 1]]]
        return out

    def rate(self, k: int) -> FloatArray:
        """y' at output point k; not a number where it is not known."""
        if k not in self._rates:
            t = float(self.time[k])
            y = self.unknowns[k]
            system = self._system(t, y, k)
            near = self._rates.get(k - 1)
            u = system.solved(t, y, None if near is None else np.nan_to_num(near))
            self._rates[k] = self._known_rates(y, np.full(len(y), np.nan) if u is None else system.rates(u))
        return self._rates[k]

    def rates(self) -> FloatArray:
        """y' at all output points, one row each."""
        return np.stack([self.rate(k) for k in range(len(self.time))])

    def values(self, t: float) -> tuple[FloatArray, FloatArray]:
        """y and y' at any time of the run."""
        k = int(self.rows(np.array([t]))[0])
        if self.time[k] >= t or k == len(self.time) - 1:
            return self.unknowns[k], self.rate(k)
        width = float(self.time[k + 1] - self.time[k])
        s = (t - float(self.time[k])) / width
        ends = (self.unknowns[k], self.unknowns[k + 1])
        linear = (1.0 - s) * ends[0] + s * ends[1]
        cubic = _cubic(s, width, ends, (self.rate(k), self.rate(k + 1)))
        y = np.where(np.isnan(cubic), linear, cubic)
        system = self._system(t, y, k)
        u = system.solved(t, y, np.nan_to_num(self.rate(k)))
        if u is None:
            return y, self._known_rates(y, (ends[1] - ends[0]) / width)
        y = np.where(np.isnan(cubic) | ~self.model.reduced.is_tied, system.values(u), cubic)
        return y, self._known_rates(y, system.rates(u))


def _cubic(s: float, width: float, ends: tuple[Any, Any], rates: tuple[Any, Any]) -> Any:
    """The cubic Hermite polynomial at the part s of an interval."""
    a, b = ends
    return (
        (1.0 + 2.0 * s) * (1.0 - s) ** 2 * a
        + s * s * (3.0 - 2.0 * s) * b
        + width * s * (1.0 - s) * ((1.0 - s) * rates[0] - s * rates[1])
    )

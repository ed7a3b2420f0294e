"""Values between the output points.

States, and what constraints tie to them, follow the cubic through values and derivatives at the two neighbouring points
(Hermite; error of order h^4 in the distance h of the points). Everything else is computed from the model's equations at
that time, so Kirchhoff's laws hold there as well as at the points.

The rates that come with it are compared with the slopes of the cubics: where these differ, a curve is faster than the
points show, and the interval is integrated again (reintegration.py). Where the equations cannot be solved, algebraic
variables are interpolated linearly.
"""

from __future__ import annotations

import warnings
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tellegen.engine.integrators.dynamic_state_selection import StateWatch, depends_on_point
from tellegen.engine.integrators.segmented_integrator import near
from tellegen.engine.loaded.local_equations import LocalSystem
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.readout.discrete_history import History
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.results.reintegration import Interval, Settings, integrated
from tellegen.ir.model import FloatArray

_MOST_FOUND = 2_000_000  # numbers that are kept
_DEFECT = 100.0  # in rtol of the largest value


class Dense:
    """A run with its equations: what it needs to fill the gaps. Rates at the output points are found when asked for."""

    def __init__(
        self,
        model: NativeModel,
        time: FloatArray,
        unknowns: FloatArray,
        given: FloatArray | History,
        settings: Settings | None,
    ) -> None:
        self.model = model
        self.settings = settings
        self.given = given
        self.time = time
        self.unknowns = unknowns
        self._watch = model.derived(StateWatch) if depends_on_point(model) else None
        self._systems: dict[tuple[int, int], LocalSystem] = {}
        self._rates: dict[int, FloatArray] = {}
        self._found: dict[float, Consistent] = {}  # performance functions of one run ask for the same times

    @property
    def _notes(self) -> Any:
        """The past of delayed signals, of models that have some."""
        return self.given.notes if isinstance(self.given, History) else None

    def rows(self, times: FloatArray) -> Any:
        """The output point at or before each time, but for roundings; of two at one instant the later."""
        return np.clip(np.searchsorted(self.time, times + near(times), side="right") - 1, 0, len(self.time) - 1)

    def numbers(self, t: float) -> FloatArray:
        """The parameters, discrete values and delayed signals at a time."""
        p = self._numbers(int(self.rows(np.array([t]))[0]))[1].copy()
        if self._notes is not None:
            self._notes.fill(p, t)
        return p

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
        if self._watch is not None:
            model = model.with_states(self._watch.soundest(t, y, p))
        key = (id(model), segment)
        if key not in self._systems:
            self._systems[key] = LocalSystem(model, p.copy(), self._ode)
        system = self._systems[key]
        if self._notes is not None:
            self._notes.fill(system.p, t)
        return system

    @cached_property
    def _ode(self) -> OdeSystem | None:
        """ODE mode, where the run was in it."""
        if self.settings is None or self.settings.solver == "ida" or self._watch is not None:
            return None
        return OdeSystem(self.model)

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

    def values(self, times: FloatArray) -> list[Consistent]:
        """y and y' at any times of the run."""
        asked = times.tolist()
        new = np.array([t for t in dict.fromkeys(asked) if t not in self._found], float)
        if (len(self._found) + len(new)) * self.unknowns.shape[1] > _MOST_FOUND:
            self._found = {}
            new = np.unique(times)
        at = self.rows(new)
        for k in np.unique(at).tolist():
            mine = new[at == k]
            self._found |= zip(mine.tolist(), self._inside(k, mine), strict=True)
        return [self._found[t] for t in asked]

    def _are_points(self, k: int, times: FloatArray) -> bool:
        """Whether all times are an output point, k or the next one, up to a rounding."""
        rounding = 4.0 * np.finfo(float).eps * np.abs(times)
        return bool((np.minimum(times - self.time[k], self.time[k + 1] - times) <= rounding).all())

    def _inside(self, k: int, times: FloatArray) -> list[Consistent]:
        """y and y' at times from output point k to the next one."""
        if k == len(self.time) - 1 or (times <= self.time[k]).all():
            return [Consistent(self.unknowns[k], self.rate(k))] * len(times)
        middle = 0.5 * float(self.time[k] + self.time[k + 1])
        found = [self._interpolated(k, float(t)) for t in times]
        if self.settings is None or self._are_points(k, times):
            return [value.at for value in found]
        if all(value.is_good for value in (*found, self._interpolated(k, middle))):
            return [value.at for value in found]
        first = Consistent(self.unknowns[k], self.rate(k))
        start = float(self.time[k])
        past = None if self._notes is None else self._notes.until(start)
        interval = Interval(start, float(self.time[k + 1]), self._numbers(k)[1], first, past)
        asked, place = np.unique(times, return_inverse=True)
        later = asked[asked > interval.start]
        rows = integrated(self.model, self.settings, interval, later)
        if rows is None:
            warnings.warn(
                f"{self.model.flat.name}: between t = {interval.start:g} and {interval.stop:g} values are interpolated "
                "although the output points are too far apart; give more of them (points=...)",
                stacklevel=2,
            )
            return [value.at for value in found]
        values = [first] * (len(asked) - len(later)) + [
            self._with_rates(float(t), y, k) for t, y in zip(later, rows, strict=True)
        ]
        return [values[index] for index in place]

    def _with_rates(self, t: float, y: FloatArray, k: int) -> Consistent:
        """Solved values of the interval after output point k, with their rates."""
        system = self._system(t, y, k)
        u = system.solved(t, y, np.nan_to_num(self.rate(k)))
        rates = np.full(len(y), np.nan) if u is None else system.rates(u)
        return Consistent(y, self._known_rates(y, rates))

    def _interpolated(self, k: int, t: float) -> _Interpolated:
        """y and y' at a time between output point k and the next, by cubics."""
        width = float(self.time[k + 1] - self.time[k])
        s = (t - float(self.time[k])) / width
        first = Consistent(self.unknowns[k], self.rate(k))
        last = Consistent(self.unknowns[k + 1], self.rate(k + 1))
        linear = (1.0 - s) * first.y + s * last.y
        cubic = _cubic(s, width, first, last)
        y = np.where(np.isnan(cubic), linear, cubic)
        system = self._system(t, y, k)
        u = system.solved(t, y, np.nan_to_num(self.rate(k)))
        if u is None:
            return _Interpolated(Consistent(y, self._known_rates(y, (last.y - first.y) / width)), False)
        y = np.where(np.isnan(cubic) | ~self.model.reduced.is_tied, system.values(u), cubic)
        found = Consistent(y, self._known_rates(y, system.rates(u)))
        defect = np.abs(_slope(s, width, first, last) - found.yp) * width
        return _Interpolated(found, not (defect > self._allowed).any())

    @cached_property
    def _allowed(self) -> FloatArray:
        """How far rates may be from the slopes of the cubics, times the distance of the points.

        The error of the cubics is some hundredths of that.
        """
        if self.settings is None:
            return np.full(self.unknowns.shape[1], np.inf)
        size = np.abs(self.unknowns).max(axis=0)
        floor = np.minimum(self.settings.scales.size, size)
        return _DEFECT * self.settings.options.rtol * np.maximum(size, np.maximum(floor, 1e-300))


class _Interpolated(NamedTuple):
    """Interpolated values, and whether they satisfy the differential equations well enough."""

    at: Consistent
    is_good: bool


def _cubic(s: float, width: float, first: Consistent, last: Consistent) -> FloatArray:
    """The cubic Hermite polynomial at the part s of an interval."""
    return (
        (1.0 + 2.0 * s) * (1.0 - s) ** 2 * first.y
        + s * s * (3.0 - 2.0 * s) * last.y
        + width * s * (1.0 - s) * ((1.0 - s) * first.yp - s * last.yp)
    )


def _slope(s: float, width: float, first: Consistent, last: Consistent) -> FloatArray:
    """The derivative of that polynomial."""
    mean = (last.y - first.y) / width
    return 6.0 * s * (1.0 - s) * mean + (1.0 - s) * (1.0 - 3.0 * s) * first.yp + s * (3.0 * s - 2.0) * last.yp

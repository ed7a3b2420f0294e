"""Performance functions as weights on a run: evaluated on curves whose slopes are linear forms.

    tg.final("c.v") / tg.mean("r.i")   ->   weight 1/mean on c.v at the end, and -final/mean^2/span on r.i all along

What can be read: a quantity at an instant, the integral of a curve over a part of a piece, the instant of an event,
and a parameter. Every kind of performance function is made of these, so none needs a rule of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellegen.analyses.adjoint.linear_forms import Forms, zero
from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.expression import Performance
from tellegen.analyses.performance.pieces import Piece
from tellegen.analyses.performance.response import Response
from tellegen.analyses.performance.signal_expressions import Signal
from tellegen.engine.results.solution import Solution
from tellegen.ir.model import FloatArray


@dataclass(frozen=True, eq=False)
class Reading:
    """A quantity at times of a segment (between two events); one atom each."""

    path: str
    segment: int
    times: FloatArray


@dataclass(frozen=True, eq=False)
class Density:
    """The integral of a curve from `a` to `b` in a segment, with kinks between: one atom."""

    curve: Signal
    segment: int
    a: float
    b: float
    kinks: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Instant:
    """The time of the event that ends a segment: one atom."""

    segment: int


@dataclass(frozen=True, eq=False)
class Functional:
    """A performance function at a run: its value, and the weights of what it reads."""

    value: float
    readings: list[tuple[str, int, float, float]] = field(default_factory=list)  # path, segment, time, weight
    densities: list[tuple[Density, float]] = field(default_factory=list)
    instants: list[tuple[int, float]] = field(default_factory=list)  # segment that ends, weight


class Recorder(Response):
    """A run that notes what is read of it."""

    def __init__(self, solution: Solution) -> None:
        self._atoms: list[Reading | Density | Instant] = []
        self._first: list[int] = []  # number of the first atom of each
        self._count = 0
        super().__init__(solution)
        history = solution.history
        self._segment = np.zeros(len(solution.time), int) if history is None else np.asarray(history.segment)

    def functional(self, function: Performance) -> Functional:
        """The weights of a performance function."""
        found = function.evaluate(self)
        out = Functional(float(found.value))
        if not isinstance(found.slope, Forms):
            return out
        for atom, weight in found.slope.total().items():
            if not weight:
                continue
            number = int(np.searchsorted(self._first, atom, side="right")) - 1
            what = self._atoms[number]
            if isinstance(what, Reading):
                time = float(what.times[atom - self._first[number]])
                out.readings.append((what.path, what.segment, time, weight))
            elif isinstance(what, Density):
                out.densities.append((what, weight))
            else:
                out.instants.append((what.segment, weight))
        return out

    def _note(self, what: Reading | Density | Instant, count: int, rate: Any = None) -> Forms:
        atoms = self._count + np.arange(count)
        self._atoms.append(what)
        self._first.append(self._count)
        self._count += count
        return Forms(np.arange(count), atoms, np.ones(count), rate)

    # -- what performance functions ask for -----------------------------------------------------------------------
    def moves(self, t: float) -> Any:
        """The instant of an event; nothing for what is not an event."""
        log = () if self.solution.history is None else self.solution.history.log
        found = [k for k, event in enumerate(log) if event.time == t]
        return self._note(Instant(found[0]), 1)[:, :-1] if found and t > self.solution.time[0] else zero()

    def integral(self, curve: Signal, piece: Piece, cuts: FloatArray, kinks: list[float]) -> tuple[float, Any]:
        """The value by quadrature; the weight stands for the integral itself."""
        value, _ = super().integral(curve, piece, cuts, kinks)
        density = Density(curve, self._segment_of(piece), float(cuts[0]), float(cuts[-1]), tuple(kinks))
        return value, self._note(density, 1)[:, :-1]

    def number(self, path: str, row: int) -> tuple[float, Any]:
        """A quantity at a row of the run."""
        values, _ = self._curve(path)
        row %= len(self.solution.time)
        reading = Reading(path, int(self._segment[row]), self.solution.time[row : row + 1])
        return float(values) if np.ndim(values) == 0 else float(values[row]), self._note(reading, 1)[:, :-1]

    def _segment_of(self, piece: Piece) -> int:
        rows = piece.rows[piece.rows < len(self.solution.time)]
        return int(self._segment[rows[0]])

    def _read(self, path: str, piece: Piece, times: FloatArray) -> Dual:
        if path == "time":
            return Dual(times, Forms(np.zeros(0, int), np.zeros(0, int), np.zeros(0), np.ones(len(times))))
        values, slopes = self._curve(path)
        segment = self._segment_of(piece)
        if np.ndim(values) == 0:
            rate = np.zeros(len(times))
            return Dual(np.full(len(times), values), self._note(Reading(path, segment, times), len(times), rate))
        found = self._spline(path, piece, values, slopes).at(times)
        rate = found.slope[:, -1]
        return Dual(found.value, self._note(Reading(path, segment, times), len(times), rate))

    def _constant(self, value: float, slope: Any, count: int) -> Dual:  # noqa: ARG002 - of a number in a text
        return Dual(np.full(count, value), Forms(np.zeros(0, int), np.zeros(0, int), np.zeros(0), np.zeros(count)))

"""A run as smooth curves: between events, every quantity is a spline of degree five through the output points.

The points themselves are as exact as the run, so curves, integrals and instants are of sixth order in their distance.
The error is estimated by leaving out every second point; `rough` are times where more points are needed. Pieces end at
events; how these move with the design variables is known from the run (engine/runs/sensitivity_jumps.py).

Slopes have a column for each design variable and a last one for time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from scipy.interpolate import BSpline, PchipInterpolator

from tellegen.analyses.performance.between_points import missing_times, missing_times_of_drives
from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.pieces import FEW, Piece, cut_at_events, distinct, shortest
from tellegen.analyses.performance.signal_expressions import Signal
from tellegen.analyses.performance.splines import graded, spline_through, swings, times_missing, without_swings
from tellegen.analyses.performance.stepped_over import SteppedOver, stepped_over
from tellegen.analyses.sensitivities.sensitivity import Sensitivity
from tellegen.engine.readout.quantity import quantity
from tellegen.engine.results.solution import Solution
from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.source_location import here

TOLERANCE = 1e-6
"""What curves may be wrong by, of their size, before more points are asked for."""
_ROUNDS = 4  # in which points are filled in
_MOST = 20_000  # points that are filled in
Interpolation = BSpline | PchipInterpolator


@dataclass(frozen=True, eq=False)
class _Between:
    """A quantity between the points of a piece."""

    with_slopes: Interpolation
    alone: Interpolation  # of which the rate is wanted too
    held: float | None  # its value where all points have the same: splines would add rounding to it

    def at(self, times: FloatArray) -> Dual:
        """Value and slopes, that by time last."""
        found = self.with_slopes(times)
        if self.held is not None:
            return Dual(np.full(len(times), self.held), np.append(found[:, 1:], np.zeros((len(times), 1)), axis=1))
        rate = self.alone(times, nu=1)
        return Dual(found[:, 0], np.concatenate([found[:, 1:], rate[:, None]], axis=1))


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(5)


class Response:
    """What performance functions are computed from: a Solution, or a Sensitivity for gradients too."""

    def __init__(
        self, run: Solution | Sensitivity, more: FloatArray | None = None, tolerance: float = TOLERANCE
    ) -> None:
        if not isinstance(run, Solution | Sensitivity):
            what = f"a performance function is evaluated on a Solution or a Sensitivity, not on a {type(run).__name__}"
            advice = "run the model first: solution = tg.simulate(model, stop), then tg.final('load.w')(solution)"
            raise DesignError("E644", what, location=here(), advice=advice)
        self.sensitivity = run if isinstance(run, Sensitivity) else None
        self.solution = run.solution if isinstance(run, Sensitivity) else run
        self.wrt = run.wrt if isinstance(run, Sensitivity) else ()
        self.rough: dict[str, FloatArray] = {}  # of paths, where the error is above `tolerance`
        self.tolerance = tolerance
        self.error = 0.0  # the largest there, of the largest value of its path
        self.sparse = False  # whether a curve was read between points so few that nobody knows what is between them
        self.missed: SteppedOver | None = None  # a peak that the run itself has not seen
        self._splines: dict[tuple[int, str], _Between] = {}
        self._curves: dict[str, tuple[Any, Any]] = {}
        self._sizes: dict[str, float] = {}
        self._slack = shortest(self.solution)
        self._moves = self._moving_instants()
        self.more = np.zeros(0) if more is None else more  # times at which points are filled in
        found = cut_at_events(self.solution, self.moves, self.more)
        self.pieces = found.pieces
        self._firsts = np.array([piece.times[0] for piece in self.pieces])
        self._filled_times = found.filled

    # -- pieces -------------------------------------------------------------------------------------------------
    def _moving_instants(self) -> dict[float, FloatArray]:
        history = self.solution.history
        if self.sensitivity is None or history is None:
            return {}
        return {t: shift / self.sensitivity.scale for t, shift in history.moved}

    def moves(self, t: float) -> FloatArray:
        """How an instant moves with the design variables; zeros for what is not an event."""
        return self._moves.get(t, np.zeros(len(self.wrt)))

    def piece_at(self, t: float, before: bool = False) -> Piece:
        """The piece of an instant; at an event the one after it, or the one before it."""
        at = int(np.searchsorted(self._firsts, t + (-self._slack if before else self._slack)))
        return self.pieces[max(at - 1, 0)]

    def spans(self, first: Dual, last: Dual) -> Iterator[tuple[Piece, tuple[float, float], list[FloatArray]]]:
        """The pieces from one time to another: each with its part of the time, and how the ends of this move."""
        for piece in self.pieces:
            begin = float(piece.times[0])
            end = float(piece.times[-1])
            a = max(float(first.value), begin)
            b = min(float(last.value), end)
            if b - a > self._slack:
                moves = list(piece.moves)
                if first.value >= begin - self._slack:
                    moves[0] = first.slope
                if last.value <= end + self._slack:
                    moves[1] = last.slope
                yield piece, (a, b), moves

    @property
    def start(self) -> Dual:
        """The time at which the run starts."""
        return Dual(float(self.solution.time[0]), np.zeros(len(self.wrt)))

    @property
    def stop(self) -> Dual:
        """The time at which it ends; it moves where the model itself ends the run."""
        end = float(self.solution.time[-1])
        by_itself = self.solution.outcome.terminated
        return Dual(end, self.moves(end) if by_itself else np.zeros(len(self.wrt)))

    def enough(self) -> int:
        """How many evenly spaced points leave (almost) no piece with too few; 0 where those there are will do."""
        filled = [np.ptp(piece.times) for piece in self.pieces if piece.rows.max() >= len(self.solution.time)]
        if not filled:
            return 0
        return int(FEW * (self.stop.value - self.start.value) / np.quantile(filled, 0.1)) + 1

    def finer(self) -> FloatArray | None:
        """Output points with more of them where curves need it; None where all is well.

        Without the rows of events: these are elsewhere in the next run, and points that almost coincide spoil splines.
        """
        if not self.rough:
            return None
        return self._output_points(*self.rough.values())

    def denser(self) -> FloatArray | None:
        """Output points with those that are filled in to see what a signal does; None where there are none."""
        return self._output_points() if len(self.more) else None

    def _output_points(self, *more: FloatArray) -> FloatArray:
        ends = self.solution.time[[0, -1]]
        inner = [piece.times[1:-1] for piece in self.pieces]
        points = np.unique(np.concatenate([ends, *inner, *more]))
        return graded(points[distinct(points)])

    def showing(self, signals: Iterable[Signal]) -> Response:
        """The same with points filled in where signals have peaks between its points."""
        asked = list({each.text: each for each in signals}.values())
        response = self
        for _ in range(_ROUNDS):
            missing = [missing_times(response, each) for each in asked]
            times = np.unique(np.concatenate([*missing, missing_times_of_drives(response)]))
            if not len(times):
                break
            response = Response(self.sensitivity or self.solution, np.union1d(response.more, times), self.tolerance)
        if response is not self:
            response = response._smoothed(asked)
            response.missed = stepped_over(self.solution, response._filled)
        return response

    def _smoothed(self, signals: list[Signal]) -> Response:
        """The same with more points where a spline through those that are filled in would not be exact."""
        response = self
        for _ in range(_ROUNDS):
            for piece in response.pieces:
                for each in signals:
                    response.at(each, piece, piece.times[:1])
            if not response.rough or len(response._filled_times) > _MOST:
                break
            more = np.unique(np.concatenate([response.more, *response.rough.values()]))
            response = Response(self.sensitivity or self.solution, more, self.tolerance)
        return response

    # -- curves -------------------------------------------------------------------------------------------------
    def at(self, curve: Signal, piece: Piece, times: object) -> Dual:
        """A curve at times of a piece."""
        times = np.atleast_1d(np.asarray(times, float))
        value = curve.evaluate(lambda path: self._read(path, piece, times))
        return value if isinstance(value, Dual) else self._constant(value, np.zeros(len(self.wrt)), len(times))

    def at_rows(self, curve: Signal) -> FloatArray:
        """The values of a curve at all rows of the run and those filled in, as `piece.rows` counts them."""
        times = np.concatenate([self.solution.time, self._filled_times])
        slope = np.zeros((len(times), 1))

        def read(path: str) -> Dual:
            values = times if path == "time" else self._curve(path)[0]
            return Dual(np.broadcast_to(values, times.shape), slope)

        value = curve.evaluate(read)
        return value.value if isinstance(value, Dual) else np.full(len(times), float(value))

    def values(self, curve: Signal, piece: Piece, times: FloatArray) -> FloatArray:
        """The same without slopes."""
        return self.at(curve, piece, times).value

    def given(self, piece: Piece, unknowns: IntArray) -> FloatArray:
        """Unknowns of the model at the points of a piece, one column each."""
        parts = [self.solution.unknowns[:, unknowns]]
        if len(self._filled_times):
            parts.append(self._filled.unknowns[:, unknowns])
        return np.concatenate(parts)[piece.rows]

    def integral(self, curve: Signal, piece: Piece, cuts: FloatArray, kinks: list[float]) -> tuple[float, Any]:
        """The integral of a curve over a part of a piece: by Gauss's rule between the cuts; kinks are cuts, too."""
        cuts = np.unique(np.concatenate([cuts, kinks]))
        middle = 0.5 * (cuts[1:] + cuts[:-1])
        half = 0.5 * np.diff(cuts)
        times = (middle[:, None] + half[:, None] * _NODES).ravel()
        weights = (half[:, None] * _WEIGHTS).ravel()
        found = self.at(curve, piece, times)
        return float(weights @ found.value), weights @ found.slope[:, :-1]

    def number(self, path: str, row: int) -> tuple[float, FloatArray]:
        """A quantity at a row of the run."""
        values, slopes = self._curve(path)
        row %= len(self.solution.time)  # those filled in follow
        return (float(values), slopes) if np.ndim(values) == 0 else (float(values[row]), slopes[row])

    def _constant(self, value: float, slope: FloatArray, count: int) -> Dual:
        return Dual(np.full(count, value), np.tile(np.append(slope, 0.0), (count, 1)))

    def _read(self, path: str, piece: Piece, times: FloatArray) -> Dual:
        if path == "time":
            slope = np.zeros((len(times), len(self.wrt) + 1))
            slope[:, -1] = 1.0
            return Dual(times, slope)
        values, slopes = self._curve(path)
        if np.ndim(values) == 0:
            return self._constant(values, slopes, len(times))
        return self._spline(path, piece, values, slopes).at(times)

    def _curve(self, path: str) -> tuple[Any, Any]:
        """Values and slopes at all rows of the run and those filled in; of a parameter one number."""
        if path not in self._curves:
            what = quantity(self.solution._reduced, path)
            if what.shape:
                what_ = f"'{path}' names {prod(what.shape)} values; a signal is one"
                raise DesignError("E646", what_, location=here(), advice=f"write '{path}[0]' for the first")
            filled = [] if not len(self._filled_times) else [self._filled]
            if what.parameter:
                slope = np.zeros(0) if self.sensitivity is None else self.sensitivity.of_parameter(path)
                self._curves[path] = self.solution[path], slope
            else:
                values = [np.asarray(part[path], float) for part in (self.solution, *filled)]
                slopes = [self._slopes(part, path) for part in (self.solution, *filled)]
                self._curves[path] = np.concatenate(values), np.concatenate(slopes)
        return self._curves[path]

    def _slopes(self, solution: Solution, path: str) -> FloatArray:
        if self.sensitivity is None:
            return np.zeros((len(solution.time), 0))
        return self.sensitivity.on(solution)[path]

    @cached_property
    def _filled(self) -> Solution:
        return self.solution.at(self._filled_times)

    def _spline(self, path: str, piece: Piece, values: Any, slopes: Any) -> _Between:
        """A quantity between the points of a piece."""
        key = piece.number, path
        if key not in self._splines:
            table = np.concatenate([values[piece.rows, None], slopes[piece.rows]], axis=1)
            curve = spline_through(piece.times, table)
            self.sparse |= len(self.solution.time) < FEW <= len(piece.times)
            alone = BSpline.construct_fast(curve.t, np.ascontiguousarray(curve.c[:, 0]), curve.k)
            held = float(table[0, 0]) if (table[:, 0] == table[0, 0]).all() else None
            if len(self.more) and swings(piece.times, table[:, 0], alone):
                smooth = without_swings(piece.times, table), without_swings(piece.times, table[:, 0])
                self._splines[key] = _Between(*smooth, held)
            else:
                self._splines[key] = _Between(curve, alone, held)
            self._look(path, piece, table[:, 0])
        return self._splines[key]

    def _size(self, path: str) -> float:
        """The largest absolute value of a quantity in the run."""
        if path not in self._sizes:
            self._sizes[path] = float(np.abs(self._curve(path)[0]).max())
        return self._sizes[path]

    def _look(self, path: str, piece: Piece, values: FloatArray) -> None:
        """Note where half the points would do much worse."""
        size = self._size(path)
        if len(piece.times) < FEW or not size:
            return
        missing = times_missing(piece.times, values, self.tolerance * size)
        if len(missing.times):
            self.rough[path] = np.concatenate([self.rough.get(path, np.zeros(0)), missing.times])
            self.error = max(self.error, missing.error / size)

"""The largest and smallest value of a curve over time, and when: tg.peak, tg.lowest, tg.peak_time.

At a smooth peak the curve does not change with time, so the peak changes as the curve does at that instant (envelope
theorem). At the end of a piece, where an event cuts the curve off, it also changes as that instant moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq

from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.expression import Performance, number, performances
from tellegen.analyses.performance.integrals import limits
from tellegen.analyses.performance.measured import Asked, Measured, fixed_time
from tellegen.analyses.performance.pieces import Piece
from tellegen.analyses.performance.response import Response
from tellegen.analyses.performance.signal_expressions import Signal, signal
from tellegen.errors import LanguageError, users_call
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here

_MANY = 50  # pieces
_ABOVE = 3.0  # times the range of a piece's points, by which its curve may exceed them between points
_STEP = 1e-3  # of the distance of two points, for how f_t and f_p change with time

Span = tuple[Piece, tuple[float, float], list[FloatArray]]


class Extreme(Performance):
    """The largest (sign 1) or smallest (-1) value of a curve, or its time."""

    def __init__(self, curve: Signal, sign: float, start: Any, stop: Any, want_time: bool, text: str) -> None:
        self.curve = curve
        self.sign = sign
        self.want_time = want_time
        self.text = text
        self.start = start
        self.stop = stop

    @property
    def members(self) -> tuple[Performance, ...]:
        """See Performance."""
        return performances(self.start, self.stop)

    def signals(self, model: ReducedModel) -> tuple[Signal, ...]:
        """See Performance."""
        return (self.curve, *super().signals(model))

    def evaluate(self, response: Response) -> Dual:
        """The best of all pieces."""
        first, last = limits(self, response)
        found = [
            (*self._highest(response, piece, *ends), piece, ends, moves)
            for piece, ends, moves in self._promising(response, list(response.spans(first, last)))
        ]
        if not found:
            what = f"{self.text}: there is no time from {first.value:g} to {last.value:g} in this run"
            raise LanguageError("E186", what, location=here(), advice="simulate longer, or start earlier")
        t, _, piece, ends, of_ends = max(found, key=lambda each: each[1])
        at_end = t in ends
        if self.want_time:
            return Dual(t, of_ends[ends.index(t)] if at_end else self._moves(response, piece, t))
        there = response.at(self.curve, piece, t)
        along = there.slope[0, -1] * of_ends[ends.index(t)] if at_end else 0.0
        return Dual(there.value[0], there.slope[0, :-1] + along)

    def of_runs(self, runs: Measured) -> Any:
        """As lanes have found them."""
        kind = "highest" if self.sign > 0.0 else "lowest"
        height = Extreme(self.curve, self.sign, self.start, self.stop, False, self.text)
        asked = Asked(self.curve, kind, height, fixed_time(self.start), fixed_time(self.stop))
        return runs.instant(asked) if self.want_time else runs.value(asked)

    def _promising(self, response: Response, spans: list[Span]) -> list[Span]:
        """Of thousands of pieces between pulses, those whose points are not far below the highest of all."""
        if len(spans) <= _MANY:
            return spans
        values = self.sign * response.at_rows(self.curve)
        heights = np.array([values[piece.rows].max() for piece, _, _ in spans])
        ranges = np.array([np.ptp(values[piece.rows]) for piece, _, _ in spans])
        whole = np.array([ends == (piece.times[0], piece.times[-1]) for piece, ends, _ in spans])
        highest = int(np.argmax(np.where(whole, heights, -np.inf)))
        kept = ~whole | (heights + _ABOVE * ranges > heights[highest])  # of flat ones at the top one is enough
        kept[highest] = True
        return [spans[k] for k in np.flatnonzero(kept)]

    def of_pieces(self, response: Response) -> Iterator[tuple[float, float, tuple[float, float]]]:
        """For each smooth piece: when the curve is highest (times the sign), how high, and the ends of the piece."""
        for piece, ends, _ in response.spans(*limits(self, response)):
            yield *self._highest(response, piece, *ends), ends

    def _highest(self, response: Response, piece: Piece, a: float, b: float) -> tuple[float, float]:
        times = piece.samples
        times = np.concatenate([[a], times[(times > a) & (times < b)], [b]])
        values = self.sign * response.at(self.curve, piece, times).value
        k = int(np.argmax(values))

        def rate(t: float) -> float:
            return float(response.at(self.curve, piece, t).slope[0, -1])

        low = times[max(k - 1, 0)]
        high = times[min(k + 1, len(times) - 1)]
        if high > low and rate(low) * rate(high) < 0 and self.sign * rate(low) > 0:
            t = brentq(rate, low, high, xtol=1e-15)
            height = self.sign * response.at(self.curve, piece, t).value[0]
            if height >= values[k]:
                return float(t), float(height)  # type: ignore[arg-type]
        return float(times[k]), float(values[k])

    def _moves(self, response: Response, piece: Piece, t: float) -> FloatArray:
        """Of the instant where f_t = 0: -f_tp / f_tt, both by differences along the splines."""
        k = int(np.clip(np.searchsorted(piece.times, t), 1, len(piece.times) - 1))
        h = _STEP * (piece.times[k] - piece.times[k - 1])
        sides = response.at(self.curve, piece, np.clip([t - h, t + h], piece.times[0], piece.times[-1]))
        change = sides.slope[1] - sides.slope[0]
        return -change[:-1] / change[-1]


def _extreme(curve: str, sign: float, start: Any, stop: Any, name: str) -> Performance:
    first = None if start is None else number(start)
    last = None if stop is None else number(stop)
    return Extreme(signal(curve), sign, first, last, name.endswith("time"), f"{name}({curve})")


@users_call
def peak(curve: str, start: object = None, stop: object = None) -> Performance:
    """The largest value of a curve over the run, or from start to stop; tg.peak("abs(x)") counts both signs."""
    return _extreme(curve, 1.0, start, stop, "peak")


@users_call
def lowest(curve: str, start: object = None, stop: object = None) -> Performance:
    """The smallest value of a curve over the run, or from start to stop."""
    return _extreme(curve, -1.0, start, stop, "lowest")


@users_call
def peak_time(curve: str, start: object = None, stop: object = None) -> Performance:
    """When a curve has its largest value."""
    return _extreme(curve, 1.0, start, stop, "peak_time")

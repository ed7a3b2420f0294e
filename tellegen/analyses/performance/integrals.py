"""Integrals over time: tg.integral, tg.mean, tg.rms.

Between every two output points the curve is integrated by Gauss's rule with five nodes, on splines of degree five;
where it has a kink (abs, min, max) the interval is cut. A jump of the curve at an event that moves adds before - after
times how the instant moves, and limits that move add what stands there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.expression import Performance, number, performances, value_of
from tellegen.analyses.performance.instants import roots
from tellegen.analyses.performance.measured import Asked, Measured, fixed_time
from tellegen.analyses.performance.pieces import Piece
from tellegen.analyses.performance.response import Response
from tellegen.analyses.performance.signal_expressions import Signal, signal
from tellegen.errors import RunFailedError, users_call
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here


class Integral(Performance):
    """The integral of a curve, from `start` to `stop` (times, or performance functions that are times)."""

    def __init__(self, curve: Signal, start: Any = None, stop: Any = None, text: str = "") -> None:
        self.curve = curve
        self.start = start
        self.stop = stop
        self.text = text or f"integral({curve})"

    @property
    def members(self) -> tuple[Performance, ...]:
        """See Performance."""
        return performances(self.start, self.stop)

    def signals(self, model: ReducedModel) -> tuple[Signal, ...]:
        """See Performance."""
        return (self.curve, *super().signals(model))

    def evaluate(self, response: Response) -> Dual:
        """Piece by piece."""
        first, last = limits(self, response)
        total = 0.0
        slope = np.zeros(len(response.wrt))
        for piece, (a, b), moves in response.spans(first, last):
            value, change = self._piece(response, piece, a, b)
            total = total + value
            slope = slope + change
            if any(move.any() for move in moves):
                ends = response.at(self.curve, piece, [a, b]).value
                slope = slope + ends[1] * moves[1] - ends[0] * moves[0]
        return Dual(total, slope)

    def of_runs(self, runs: Measured) -> Any:
        """As lanes have added them up."""
        return runs.value(Asked(self.curve, "integral", self, fixed_time(self.start), fixed_time(self.stop)))

    def _piece(self, response: Response, piece: Piece, a: float, b: float) -> tuple[float, Any]:
        inner = piece.times[(piece.times > a) & (piece.times < b)]
        kinks = [t for kink in self.curve.kinks for t in _kinks(response, kink, piece, a, b)]
        return response.integral(self.curve, piece, np.unique(np.concatenate([[a], inner, [b]])), kinks)


def _kinks(response: Response, kink: Signal, piece: Piece, a: float, b: float) -> list[float]:
    return [t for t in roots(response, kink, 0.0, piece) if a < t < b]


def limits(asked: Any, response: Response) -> tuple[Dual, Dual]:
    """From where to where; a time given as a number does not move."""
    found = []
    for what, usual in ((asked.start, response.start), (asked.stop, response.stop)):
        value = usual if what is None else value_of(what, response)
        found.append(value if isinstance(value, Dual) else Dual(float(value), np.zeros(len(response.wrt))))
    return found[0], found[1]


class _Span(Performance):
    """How long it is from start to stop."""

    text = "span"

    def __init__(self, start: Any, stop: Any) -> None:
        self.start = start
        self.stop = stop

    @property
    def members(self) -> tuple[Performance, ...]:
        return performances(self.start, self.stop)

    def evaluate(self, response: Response) -> Dual:
        first, last = limits(self, response)
        if not last.value > first.value:
            what = f"a mean from t = {first.value:g} to t = {last.value:g}: there is no time between them"
            raise RunFailedError("E321", what, location=here(), advice="give a later stop=, or simulate longer")
        return last - first

    def of_runs(self, runs: Measured) -> Any:
        return runs.span(fixed_time(self.start), fixed_time(self.stop))


def _limit(what: Any) -> Any:
    return None if what is None else number(what)


@users_call
def integral(curve: str, start: Any = None, stop: Any = None) -> Performance:
    """The integral of a curve over time: tg.integral("source.v * source.i"); from start to stop if these are given."""
    return Integral(signal(curve), _limit(start), _limit(stop))


@users_call
def mean(curve: str, start: Any = None, stop: Any = None) -> Performance:
    """The mean of a curve over time."""
    found = integral(curve, start, stop) / _Span(_limit(start), _limit(stop))
    found.text = f"mean({curve})"
    return found


@users_call
def rms(curve: str, start: Any = None, stop: Any = None) -> Performance:
    """The root of the mean square of a curve over time."""
    found = mean(f"({curve})**2", start, stop).apply("sqrt")
    found.text = f"rms({curve})"
    return found

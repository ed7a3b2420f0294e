"""Where a signal does between the points of a run what these do not show: a peak of 0.1 ms in a run of 10 s.

States are smooth from step to step: the integrator looks after that. What is computed from them and from the time may
have peaks as narrow as it likes. So the formula of a signal is bounded over each interval between two points, and
intervals are halved where the bounds leave it open whether

    its extremes, its sign, or more than a thousandth of its range is missed

until nothing is open. Where its value then differs from the curve through the points, more points are needed. What only
adds and multiplies states and time needs no such search; functions of the user, tables of two arguments and delays have
no bounds, and of models without ODE mode or with thousands of unknowns no formulas are made: there a run shows what its
points show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np

from tellegen.analyses.performance.formulas_of_signals import (
    Formula,
    HasNoFormulaError,
    drives,
    drives_below,
    formula_of,
    loops_below,
)
from tellegen.analyses.performance.halved_intervals import Curves, Intervals, Search
from tellegen.analyses.performance.pieces import Piece
from tellegen.analyses.performance.signal_expressions import Signal
from tellegen.analyses.performance.splines import spline_through
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import BoolArray
from tellegen.symbolic.bounds.bounded import HasNoBoundsError

_MUCH = 1e3  # times what curves may be wrong by: then more points are needed, whatever it is about
_POINTS = 1600  # that are filled in at most, but for
_FEW_POINTS = 9  # between two, and
_FEW_PEAKS = 20  # which get 80 each


@dataclass(frozen=True, eq=False)
class _Answer:
    """Where points are missing to see a drive in runs with the same points and numbers."""

    key: tuple[bytes, ...]
    times: FloatArray


_KNOWN: WeakKeyDictionary[Formula, _Answer] = WeakKeyDictionary()


class ReadableCurves(Curves, Protocol):
    """Curves whose signals can be read."""

    def values(self, curve: Signal, piece: Piece, times: FloatArray) -> FloatArray: ...


def missing_times(curves: ReadableCurves, signal: Signal) -> FloatArray:
    """Times at which points are needed to see a signal; none where those there are show it."""
    model = curves.solution.compiled
    if model is None:
        return np.zeros(0)
    try:
        formula = formula_of(model, signal)
        if formula is None:
            return np.zeros(0)
        below = drives_below(model, formula)
        if below is not None and not any(len(_missing_of_drive(curves, each)) for each in below):
            return np.zeros(0)
        found = [_missing(curves, formula, partial(_curve, curves, signal))]
        found += [_missing(curves, loop, None) for loop in loops_below(formula)]
    except (HasNoFormulaError, HasNoBoundsError):
        return np.zeros(0)
    return np.unique(np.concatenate(found))


def missing_times_of_drives(curves: Curves) -> FloatArray:
    """Times at which points are needed to see what the equations contain of time alone."""
    model = curves.solution.compiled
    if model is None:
        return np.zeros(0)
    try:
        formulas = drives(model)
    except HasNoFormulaError:
        return np.zeros(0)
    found = [_missing_of_drive(curves, formula) for formula in formulas]
    return np.unique(np.concatenate([np.zeros(0), *found]))


def _missing_of_drive(curves: Curves, formula: Formula) -> FloatArray:
    """Runs with the same points and the same numbers of a drive, as those of a study, have the same answer."""
    search = Search(curves, formula)
    key = (*(piece.times.tobytes() for piece in curves.pieces), search.numbers_of_pieces.tobytes())
    known = _KNOWN.get(formula)
    if known is not None and known.key == key:
        return known.times
    try:
        times = _missing(curves, formula, partial(_through_points, curves, formula))
    except HasNoBoundsError:
        times = np.zeros(0)
    _KNOWN[formula] = _Answer(key, times)  # threads may each find it
    return times


Shown = Callable[[int, FloatArray], FloatArray]
"""The values in a piece at times, as the points show them."""


def _curve(curves: ReadableCurves, signal: Signal, piece: int, times: FloatArray) -> FloatArray:
    return curves.values(signal, curves.pieces[piece], times)


def largest_at_points(curves: Curves, formula: Formula) -> float:
    """The largest absolute value of a formula at the points of a run; 0 where it is NaN."""
    values = [_at_points(curves, formula, piece) for piece in range(len(curves.pieces))]
    return float(np.nanmax(np.abs(np.concatenate(values)), initial=0.0))


def _through_points(curves: Curves, formula: Formula, piece: int, times: FloatArray) -> FloatArray:
    """A formula of time at the points of a piece, and the spline through these."""
    return spline_through(curves.pieces[piece].times, _at_points(curves, formula, piece))(times)


def _at_points(curves: Curves, formula: Formula, piece: int) -> FloatArray:
    at = curves.pieces[piece].times
    instants = Intervals(at, at, np.full(len(at), piece), np.arange(len(at)))
    return np.ascontiguousarray(Search(curves, formula).bounds(instants).middle)


def _missing(curves: Curves, formula: Formula, shown: Shown | None) -> FloatArray:
    """Where a formula is not what the points show; `shown` is None of what is to be zero."""
    search = Search(curves, formula, is_zero=shown is None)
    leaves = search.leaves()
    curve = np.zeros_like(leaves.values)
    if shown is not None:
        for k in np.unique(leaves.intervals.piece).tolist():
            mine = np.flatnonzero(leaves.intervals.piece == k)
            curve[mine] = shown(k, leaves.intervals.middle[mine])
    differs = _differs(leaves.values, curve, curves.tolerance * search.range, by_much=shown is None)
    bases = np.unique(leaves.intervals.base[differs])
    most = max(_FEW_POINTS, _POINTS // max(len(bases), _FEW_PEAKS))
    order = np.lexsort((leaves.intervals.middle, leaves.intervals.base))
    first, last = (np.searchsorted(leaves.intervals.base[order], bases, side) for side in ("left", "right"))
    inside = [leaves.intervals.middle[order[i:j]] for i, j in zip(first, last, strict=True)]
    found = [times[:: -(-len(times) // most)] for times in inside]
    return np.concatenate([np.zeros(0), *found, leaves.jumps.begin, leaves.jumps.end])


def _differs(values: FloatArray, curve: FloatArray, allowed: float, *, by_much: bool) -> BoolArray:
    """Where values are not those of a curve: by a thousandth of the range, by their sign, or beyond its extremes."""
    error = np.abs(values - curve)
    if by_much:
        return np.asarray(error > _MUCH * allowed)
    counts = (error > _MUCH * allowed) | (values * curve < 0.0) | (values < curve.min()) | (values > curve.max())
    return np.asarray(counts & (error > allowed))

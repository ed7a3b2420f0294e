"""A run as smooth curves of all unknowns, from event to event, with points close enough for them.

Between events every unknown is a polynomial of degree five through the six output points around an instant. Where
leaving out every second point would do much worse than the tolerance of the run, more points are asked for, and the
model is simulated again: that is native and costs little beside what follows. Both sides of an event are points.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from tellegen.analyses.adjoint.event_jumps import not_backwards
from tellegen.analyses.performance.pieces import apart, distinct
from tellegen.analyses.performance.splines import graded
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.run_request import RunRequest
from tellegen.engine.results.solution import Solution
from tellegen.ir.model import FloatArray

_NEIGHBOURS = 6
_FEW = 16  # points of a segment at least
_GAIN = 16.0  # what twice the points gain at least
ROUNDS = 6
"""After so many runs more points would not help: the signal is not smooth."""
_MOST = 20_000  # points
_INSTANT = 1e-12  # of the run: shorter segments are instants
_FINER = (0.25, 0.5, 0.75)


@dataclass(frozen=True, eq=False)
class Segment:
    """What lies between two events: the numbers that hold, times and unknowns at the points."""

    number: int
    p: FloatArray
    times: FloatArray
    rows: FloatArray

    @property
    def ends(self) -> tuple[float, float]:
        """From when to when."""
        return float(self.times[0]), float(self.times[-1])

    @property
    def is_instant(self) -> bool:
        """Whether it has no length to speak of."""
        return len(self.times) == 1

    def at(self, times: Any) -> tuple[FloatArray, FloatArray]:
        """y and y' at times, one row each."""
        times = np.atleast_1d(np.asarray(times, float))
        if self.is_instant:
            y = self.rows[[0] * len(times)]
            return y, np.zeros_like(y)
        first, values, slopes = _weights(self.times, times)
        stencils = self.rows[first[:, None] + np.arange(values.shape[1])]
        return np.einsum("tk,tkn->tn", values, stencils), np.einsum("tk,tkn->tn", slopes, stencils)


@cache
def _others(count: int) -> tuple[Any, Any]:
    """For each of so many points the other ones; and for each of these, those that remain."""
    others = [[k for k in range(count) if k != j] for j in range(count)]
    return np.array(others), np.array([[[k for k in row if k != i] for i in row] for row in others], int)


def _weights(points: FloatArray, times: FloatArray) -> tuple[Any, FloatArray, FloatArray]:
    """Lagrange's weights of the points around each time, for values and slopes; and the first of these points."""
    count = min(_NEIGHBOURS, len(points))
    first = np.clip(np.searchsorted(points, times) - count // 2, 0, len(points) - count)
    x = points[first[:, None] + np.arange(count)]
    away = times[:, None] - x
    others, pairs = _others(count)
    scale = 1.0 / (x[:, :, None] - x[:, others]).prod(axis=2)
    values = away[:, others].prod(axis=2) * scale
    slopes = away[:, pairs].prod(axis=3).sum(axis=2) * scale
    return first, values, slopes


@dataclass(frozen=True, eq=False)
class Curves:
    """A run cut at its events."""

    solution: Solution
    segments: list[Segment]

    @property
    def model(self) -> NativeModel:
        """The model with the states of its start."""
        assert self.solution.compiled is not None
        return self.solution.compiled


def simulated(model: CompiledModel, request: RunRequest, atol: FloatArray, rounds: int = ROUNDS) -> tuple[Curves, Any]:
    """A run with points enough, and these points; `atol` is what counts as nothing for each unknown."""
    while True:
        solution = model.run(request)
        curves = _cut(solution)
        if curves.model.flat.exact_parameters is not None:
            raise not_backwards("parameter values cancel each other, so the run does not depend smoothly on them")
        small = float(request.options.rtol) * np.abs(solution.unknowns).max(axis=0) + atol
        wanted = np.concatenate([np.zeros(0), *(_missing(segment, small) for segment in curves.segments)])
        rounds -= 1
        if not rounds or not len(wanted) or len(solution.time) + len(wanted) > _MOST:
            return curves, request.options.points
        inner = [segment.times[1:-1] for segment in curves.segments]  # events are not points: they would come twice
        points = np.unique(np.concatenate([*inner, wanted, solution.time[-1:]]))
        request = request.with_points(graded(points[distinct(points)]))


def _cut(solution: Solution) -> Curves:
    time = solution.time
    history = solution.history
    number = np.zeros(len(time), int) if history is None else np.asarray(history.segment)
    slack = _INSTANT * float(time[-1] - time[0])
    segments = []
    for rows in np.split(np.arange(len(time)), np.flatnonzero(np.diff(number)) + 1):
        p = solution._p if history is None else history.numbers(int(number[rows[0]]))
        kept = apart(time, rows) if time[rows[-1]] - time[rows[0]] > slack else rows[-1:]
        segments.append(Segment(int(number[rows[0]]), p.copy(), time[kept], solution.unknowns[kept]))
    return Curves(solution, segments)


def _missing(segment: Segment, small: FloatArray) -> FloatArray:
    """Times at which a segment needs more points."""
    times = segment.times
    if segment.is_instant:
        return np.zeros(0)
    if len(times) < _FEW:
        parts = -(-_FEW // (len(times) - 1))
        steps = np.arange(parts * (len(times) - 1) + 1) / parts
        return np.setdiff1d(np.interp(steps, np.arange(len(times)), times), times)
    kept = np.unique(np.append(np.arange(0, len(times), 2), len(times) - 1))
    out = np.setdiff1d(np.arange(len(times)), kept)
    first, weights, _ = _weights(times[kept], times[out])
    around = (kept[first[:, None] + np.arange(weights.shape[1])]).ravel()
    starts = np.arange(len(out) + 1) * weights.shape[1]
    found = csr_array((weights.ravel(), around, starts), shape=(len(out), len(times))) @ segment.rows
    error = (found - segment.rows[out]) / small
    rough = out[(error * error).mean(axis=1) > _GAIN**2]  # a mean over unknowns, as integrators control their errors
    fine = [times[rough] + part * (times[rough + side] - times[rough]) for side in (-1, 1) for part in _FINER]
    return np.concatenate([np.zeros(0), *fine])

"""A comparison over a run as a Curve: between its points straight lines, with the turning points among them.

The lines are only the way to the instant that decides; the value there is that of the run (margin.py).
"""

from __future__ import annotations

import numpy as np

from tellegen.analyses.performance.pieces import Piece
from tellegen.analyses.performance.response import Response
from tellegen.analyses.performance.signal_expressions import Signal
from tellegen.analyses.requirements.curve import Curve
from tellegen.errors import RunFailedError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here


def sampled(response: Response, curve: Signal) -> Curve:
    """The curve over the whole run."""
    times: list[FloatArray] = []
    after: list[FloatArray] = []
    before: list[FloatArray] = []
    for piece in response.pieces:
        at = _instants(response, curve, piece)
        values = response.at(curve, piece, at).value
        _check_numbers(curve, at, values)
        times.append(at[:-1])
        after.append(values[:-1])
        before.append(values[1:])
    last = float(response.at_rows(curve)[len(response.solution.time) - 1])
    _check_numbers(curve, response.solution.time[-1:], np.array([last]))
    breaks = np.append(np.concatenate(times), float(response.solution.time[-1]))
    return Curve(breaks, np.concatenate(after), np.concatenate(before), last)


def _check_numbers(curve: Signal, times: FloatArray, values: FloatArray) -> None:
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        what = f"'{curve}' has no finite value at t = {times[bad[0]]:.6g}, so no requirement can be judged by it"
        raise RunFailedError("E323", what, location=here(), advice="limit what is not defined: sqrt(max(x, 0))")


def _instants(response: Response, curve: Signal, piece: Piece) -> FloatArray:
    """The points of a piece and some between them, the turning points, and the kinks."""
    times = piece.samples
    found = response.at(curve, piece, times)
    more = [_passing(times, found.slope[:, -1])]
    more += [_passing(times, response.at(kink, piece, times).value) for kink in curve.kinks]
    inner = np.concatenate(more)
    return np.union1d(times, inner[(inner > times[0]) & (inner < times[-1])])


def _passing(times: FloatArray, values: FloatArray) -> FloatArray:
    """Where values pass zero, by straight lines."""
    passes = np.flatnonzero(values[1:] * values[:-1] < 0.0)
    part = values[passes] / (values[passes] - values[passes + 1])
    return times[passes] + part * (times[passes + 1] - times[passes])

"""Collocation: in each interval the states are polynomials that satisfy the equations at Radau's points.

    K[i] = f(x + sum of a[i, j] K[j], u)          end = x + sum of b[j] K[j]         (Radau IIA, three points, order 5)

The equations are solved by Newton's method for all intervals at once, with rates and their exact derivatives from the
plant's kernels: runs so short that their end is their beginning. There is no integrator inside, so that nothing grows
inside of an interval: an unstable or stiff plant takes as many evaluations as any other. The step is the interval:
how exact it is shows in `trajectory.solution`, which the integrator of single runs computes.
"""

from __future__ import annotations

import numpy as np

from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import BoolArray
from tellegen.predictive.intervals import Ends, Intervals, Plant, Watched
from tellegen.start.records import dataclass

SHORT = 1e-9  # of an interval: a run that reads rates
_MOST = 25
_CONVERGED = 1e-11
_ROOT = np.sqrt(6.0)
_A = np.array(
    [
        [(88 - 7 * _ROOT) / 360, (296 - 169 * _ROOT) / 1800, (-2 + 3 * _ROOT) / 225],
        [(296 + 169 * _ROOT) / 1800, (88 + 7 * _ROOT) / 360, (-2 - 3 * _ROOT) / 225],
        [(16 - _ROOT) / 36, (16 + _ROOT) / 36, 1 / 9],
    ]
)  # fmt: skip
_POINTS = len(_A)


def watched_for_rates(states: tuple[str, ...], watched: Watched) -> Watched:
    """What a plant that is to give its rates is asked for."""
    return Watched(watched.given, (*(f"der({path})" for path in states), *watched.outputs), SHORT)


@dataclass(frozen=True, eq=False)
class _Rates:
    """At many points: rates of states with their derivatives, and outputs with theirs."""

    values: FloatArray  # (points, states)
    by_state: FloatArray
    by_input: FloatArray
    outputs: FloatArray
    outputs_by_state: FloatArray
    outputs_by_input: FloatArray
    ok: BoolArray


class Collocation:
    """Intervals by collocation; `rates` are the short runs of a plant that `watched_for_rates` made."""

    parts = (1.0, 0.5, 0.25, 0.1, 0.03, 0.01, 0.003, 0.001)

    def __init__(self, plant: Plant, rates: Intervals) -> None:
        self.states = plant.states
        self._runs = rates
        self.where = f"collocation at {_POINTS} points, {rates.where}"

    def run(self, states: FloatArray, inputs: FloatArray) -> Ends:
        """See Intervals."""
        count, size = states.shape
        held = np.repeat(inputs, _POINTS, axis=0)
        slopes = np.repeat(self._rates(states, inputs).values[:, None], _POINTS, axis=1)
        for _ in range(_MOST):
            at = states[:, None] + np.einsum("ij,njs->nis", _A, slopes)
            found = self._rates(at.reshape(-1, size), held)
            by_state = found.by_state.reshape(count, _POINTS, size, size)
            matrix = _newton_matrix(by_state)
            error = (slopes - found.values.reshape(slopes.shape)).reshape(count, -1)
            with np.errstate(all="ignore"):
                change = _solve(matrix, error[:, :, None])[:, :, 0].reshape(slopes.shape)
            slopes = slopes - change
            if not np.nanmax(np.abs(change) / (1.0 + np.abs(slopes)), initial=0.0) > _CONVERGED:
                break
        return self._ends(states, inputs, slopes, matrix)  # pyright: ignore[reportPossiblyUnboundVariable]

    def _ends(self, states: FloatArray, inputs: FloatArray, slopes: FloatArray, matrix: FloatArray) -> Ends:
        """Ends and their derivatives: those of the slopes solve the same linear equations."""
        count, size = states.shape
        at = states[:, None] + np.einsum("ij,njs->nis", _A, slopes)
        found = self._rates(at.reshape(-1, size), np.repeat(inputs, _POINTS, axis=0))
        right = np.concatenate([found.by_state, found.by_input], axis=2).reshape(count, _POINTS * size, -1)
        with np.errstate(all="ignore"):
            moved = _solve(matrix, right).reshape(count, _POINTS, size, -1)
        moved = np.einsum("j,njsk->nsk", _A[-1], moved)
        by_state = np.eye(size) + moved[:, :, :size]
        by_input = moved[:, :, size:]
        last = slice(_POINTS - 1, None, _POINTS)  # Radau's last point is the end
        outputs_by_state = found.outputs_by_state[last]
        values = np.hstack([at[:, -1], found.outputs[last]])
        by_state = np.concatenate([by_state, outputs_by_state @ by_state], axis=1)
        direct = found.outputs_by_input[last] + outputs_by_state @ by_input
        by_input = np.concatenate([by_input, direct], axis=1)
        rows = zip(found.ok.reshape(count, _POINTS), values, by_state, by_input, strict=True)
        ok = [bool(good.all()) and all(np.isfinite(each).all() for each in numbers) for good, *numbers in rows]
        return Ends(values, by_state, by_input, np.array(ok))

    def _rates(self, states: FloatArray, inputs: FloatArray) -> _Rates:
        size = states.shape[1]
        ends = self._runs.run(states, inputs)
        rates = slice(size, 2 * size)
        rest = slice(2 * size, None)
        return _Rates(
            values=ends.values[:, rates],
            by_state=ends.by_state[:, rates],
            by_input=ends.by_input[:, rates],
            outputs=ends.values[:, rest],
            outputs_by_state=ends.by_state[:, rest],
            outputs_by_input=ends.by_input[:, rest],
            ok=ends.ok,
        )


def _newton_matrix(by_state: FloatArray) -> FloatArray:
    """1 - (a[i, j] df/dx at point i), for each interval."""
    count, points, size, _ = by_state.shape
    products = np.einsum("ij,nist->nisjt", _A, by_state)
    return np.eye(points * size) - products.reshape(count, points * size, points * size)


def _solve(matrices: FloatArray, right: FloatArray) -> FloatArray:
    """Linear systems side by side; not a number where one of them is singular or not finite."""
    good = np.isfinite(matrices).all(axis=(1, 2))
    out = np.full(right.shape, np.nan)
    try:
        out[good] = np.linalg.solve(matrices[good], right[good])
    except np.linalg.LinAlgError:
        for k in np.flatnonzero(good):
            try:
                out[k] = np.linalg.solve(matrices[k], right[k])
            except np.linalg.LinAlgError:
                continue
    return out

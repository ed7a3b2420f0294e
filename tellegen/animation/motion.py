"""Poses in time: rotations as quaternions, interpolation, and the few samples that are needed to reproduce a motion.

Between samples positions are linear and rotations follow the shortest arc at constant rate (Shoemake, "Animating
rotation with quaternion curves", SIGGRAPH 1985), as in glTF; the viewer does the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Literal

import numpy as np

from tellegen.ir.model import FloatArray, IntArray

Interpolation = Literal["linear", "rotation"]
_FIRST_SPLIT = 24


@dataclass(frozen=True, eq=False)
class Track:
    """Samples in time: values (n, d), and how they are interpolated."""

    times: FloatArray
    values: FloatArray
    interpolation: Interpolation = "linear"

    def at(self, times: FloatArray) -> FloatArray:
        """The values in between; before the first and after the last sample those of the nearest."""
        number, weight = _intervals(self.times, times)
        return _mix(self.values[number], self.values[_next(number, self.times)], weight, self.interpolation)


def quaternions(rotations: FloatArray) -> FloatArray:
    """Rotation matrices (T, 3, 3) as unit quaternions (T, 4), x y z w, without jumps of sign.

    The largest of the four products is divided by (Shepperd, "Quaternion from rotation matrix", 1978).
    """
    m = rotations
    trace = m[:, 0, 0] + m[:, 1, 1] + m[:, 2, 2]
    squares = np.stack([*(1.0 + 2.0 * m[:, k, k] - trace for k in range(3)), 1.0 + trace], axis=1)
    xy = m[:, 0, 1] + m[:, 1, 0]
    xz = m[:, 0, 2] + m[:, 2, 0]
    yz = m[:, 1, 2] + m[:, 2, 1]
    xw = m[:, 2, 1] - m[:, 1, 2]
    yw = m[:, 0, 2] - m[:, 2, 0]
    zw = m[:, 1, 0] - m[:, 0, 1]
    candidates = np.stack(
        [
            np.stack([squares[:, 0], xy, xz, xw], axis=1),
            np.stack([xy, squares[:, 1], yz, yw], axis=1),
            np.stack([xz, yz, squares[:, 2], zw], axis=1),
            np.stack([xw, yw, zw, squares[:, 3]], axis=1),
        ],
        axis=1,
    )
    best = candidates[np.arange(len(m)), np.argmax(squares, axis=1)]
    unit = best / np.linalg.norm(best, axis=1, keepdims=True)
    turned = np.sum(unit[1:] * unit[:-1], axis=1) < 0.0
    signs = np.cumprod(np.concatenate([[1.0], np.where(turned, -1.0, 1.0)]))
    return unit * signs[:, None]


def matrices(unit: FloatArray) -> FloatArray:
    """Unit quaternions (T, 4) as rotation matrices (T, 3, 3)."""
    x, y, z, w = unit.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def thinned(track: Track, tolerance: float) -> Track:
    """The track with few of its samples: what is left out is reproduced to the tolerance, in each component.

    For rotations the tolerance is an angle. In each round every interval is split at its worst sample; the first round
    makes many intervals at once, which a motion that is not linear needs anyway.
    """
    last = len(track.times) - 1
    constant = _difference(track.values, track.values[:1], track.interpolation).max() <= tolerance
    kept = np.array([0]) if constant else np.array([0, last])
    while not constant and len(added := _worst(track, kept, tolerance)):
        first_round = len(kept) == 2
        kept = np.union1d(kept, np.linspace(0, last, _FIRST_SPLIT + 1, dtype=np.int64) if first_round else added)
    return Track(track.times[kept], track.values[kept], track.interpolation)


def _worst(track: Track, kept: IntArray, tolerance: float) -> IntArray:
    """Of each interval between kept samples that misses the tolerance the sample that misses it most."""
    candidate = Track(track.times[kept], track.values[kept], track.interpolation)
    intervals = len(kept) - 1
    number = np.append(np.repeat(np.arange(intervals), np.diff(kept)), intervals - 1)
    errors = _deviation(candidate, number, track)
    errors[kept] = 0.0
    largest = np.maximum.reduceat(errors, kept[:-1])
    return np.flatnonzero((errors > tolerance) & (errors == largest[number]))


def _deviation(candidate: Track, number: IntArray, track: Track) -> FloatArray:
    """How far each sample is from what the interval with this number of the candidate gives for its time."""
    after = _next(number, candidate.times)
    weight = _weights(candidate.times[number], candidate.times[after], track.times)
    mixed = _mix(candidate.values[number], candidate.values[after], weight, track.interpolation)
    return _difference(track.values, mixed, track.interpolation)


def _difference(a: FloatArray, b: FloatArray, interpolation: Interpolation) -> FloatArray:
    """The largest component of a difference; of rotations the angle."""
    if interpolation == "linear":
        return reduce(np.maximum, np.abs(a - b).T)  # in half the time of max(axis=1)
    chord = np.minimum(_lengths(a - b), _lengths(a + b))
    return 4.0 * np.arcsin(np.minimum(0.5 * chord, 1.0))


def _lengths(rows: FloatArray) -> FloatArray:
    return np.sqrt(np.einsum("ti,ti->t", rows, rows))


def _intervals(samples: FloatArray, times: FloatArray) -> tuple[IntArray, FloatArray]:
    """The interval of each time, and where in it; at a time that appears twice the later one."""
    number = np.clip(np.searchsorted(samples, times, side="right") - 1, 0, max(len(samples) - 2, 0))
    return number, _weights(samples[number], samples[_next(number, samples)], times)


def _next(number: IntArray, samples: FloatArray) -> IntArray:
    return np.minimum(number + 1, len(samples) - 1)


def _weights(begin: FloatArray, end: FloatArray, times: FloatArray) -> FloatArray:
    width = end - begin
    inside = np.divide(times - begin, width, out=np.where(times > begin, 1.0, 0.0), where=width > 0.0)
    return np.clip(inside, 0.0, 1.0)


def _mix(a: FloatArray, b: FloatArray, weight: FloatArray, interpolation: Interpolation) -> FloatArray:
    mix: Callable[[FloatArray, FloatArray, FloatArray], FloatArray] = _lerp if interpolation == "linear" else _slerp
    return mix(a, b, weight[:, None])


def _lerp(a: FloatArray, b: FloatArray, weight: FloatArray) -> FloatArray:
    return a + (b - a) * weight


def _slerp(a: FloatArray, b: FloatArray, weight: FloatArray) -> FloatArray:
    cosine = np.einsum("ti,ti->t", a, b)[:, None]
    b = np.where(cosine < 0.0, -b, b)
    angle = np.arccos(np.clip(np.abs(cosine), 0.0, 1.0))
    sine = np.sin(angle)
    small = sine < 1e-6
    safe = np.where(small, 1.0, sine)
    first = np.where(small, 1.0 - weight, np.sin((1.0 - weight) * angle) / safe)
    second = np.where(small, weight, np.sin(weight * angle) / safe)
    mixed = first * a + second * b
    return mixed / _lengths(mixed)[:, None]

"""Table: a piecewise polynomial of one or two arguments, the data of `interpolate` in equations.

    breaks  1   2   4           segment 0 | 1 | 2 | 3        (before the first, two between, after the last)
    value in segment i:  sum over k of coefficients[i, k] * (x - left of i)**k

A table of two arguments has a cell for every pair of segments and a polynomial of both. Whatever was asked for
(straight lines, splines, values held outside) is in the coefficients; evaluation is one search by bisection in every
direction and one polynomial. The derivative of a table is a table.
"""

from __future__ import annotations

import hashlib
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.start.records import dataclass

Floats = np.ndarray[Any, np.dtype[np.float64]]

SAME = 1e-10
"""Of the largest value: what segments computed from points miss each other by."""


@dataclass(frozen=True, eq=False)
class Table:
    """Breaks of each axis (rising; where two are equal the value jumps) and coefficients [segments..., powers...]."""

    breaks: tuple[Floats, ...]
    coefficients: Floats
    name: str = "interpolate"
    stamp: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        axes = len(self.breaks)
        assert self.coefficients.shape[:axes] == tuple(len(breaks) + 1 for breaks in self.breaks)
        assert min(self.coefficients.shape[axes:]) >= 2, "a constant part would hide arguments that are not numbers"
        object.__setattr__(self, "stamp", hashlib.sha256(self.data.tobytes()).digest())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.stamp == other.stamp

    def __hash__(self) -> int:
        return hash(self.stamp)

    @cached_property
    def data(self) -> Floats:
        """Everything as native code reads it: numbers of breaks, numbers of powers, breaks, coefficients."""
        axes = len(self.breaks)
        sizes = [float(len(breaks)) for breaks in self.breaks] + [float(k) for k in self.coefficients.shape[axes:]]
        return np.concatenate([sizes, *self.breaks, self.coefficients.ravel()])

    @property
    def is_zero(self) -> bool:
        """Whether it is zero everywhere."""
        return not self.coefficients.any()

    @property
    def is_slope(self) -> bool:
        """Whether it is the derivative of another table."""
        return "'" in self.name

    def jumps(self, axis: int) -> Floats:
        """The breaks at which the polynomials on both sides do not meet."""
        breaks = self.breaks[axis]
        along = self.along(axis)
        after = np.searchsorted(breaks, breaks, side="right")
        before = np.searchsorted(breaks, breaks, side="left")
        widths = breaks - breaks[np.maximum(before - 1, 0)]
        left = along[before, -1]
        for power in reversed(range(along.shape[1] - 1)):
            left = left * widths.reshape(-1, *[1] * (left.ndim - 1)) + along[before, power]
        gaps = np.abs(along[after, 0] - left).reshape(len(breaks), -1).max(axis=1)
        found = breaks[gaps > SAME * np.abs(along[:, 0]).max()]
        return found[np.diff(found, prepend=-np.inf) > 0]  # np.unique would import numpy.ma, 15 ms

    def along(self, axis: int) -> Floats:
        """The coefficients [segment, power, ...] of one axis, then those of the other."""
        return np.moveaxis(self.coefficients, (axis, len(self.breaks) + axis), (0, 1))

    def slope(self, axis: int) -> Table:
        """The derivative by one argument; at a corner that of the right side."""
        made = self.__dict__.setdefault("_slopes", {})
        if axis not in made:
            along = len(self.breaks) + axis
            powers = self.coefficients.shape[along]
            factors = np.arange(1, powers).reshape([-1 if k == along else 1 for k in range(self.coefficients.ndim)])
            lower = np.take(self.coefficients, np.arange(1, powers), along) * factors
            if powers == 2:
                lower = np.concatenate([lower, np.zeros_like(lower)], along)
            mark = "'" if len(self.breaks) == 1 else f"'{axis}"
            made[axis] = Table(self.breaks, np.ascontiguousarray(lower), self.name + mark)
        return made[axis]

    def __call__(self, *arguments: Any) -> Any:
        """The values at numbers or arrays."""
        positions = []
        offsets = []
        for breaks, x in zip(self.breaks, arguments, strict=True):
            segment = np.where(np.isnan(x), 0, np.searchsorted(breaks, x, side="right"))
            positions.append(segment)
            offsets.append(np.asarray(x) - breaks[np.maximum(segment - 1, 0)])
        powers = self.coefficients[tuple(np.broadcast_arrays(*positions))]
        for offset in reversed(offsets):  # the last axis of powers belongs to the last argument
            value = powers[..., -1]
            size = np.reshape(offset, np.shape(offset) + (1,) * (value.ndim - np.ndim(offset)))
            for k in reversed(range(powers.shape[-1] - 1)):
                value = value * size + powers[..., k]
            powers = value
        return powers

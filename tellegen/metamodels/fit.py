"""What every method offers, whatever it is: functions of the variables, and coefficients for them.

    z(u) = features(u) @ coefficients

`u` is a point of the cube, `z` the numbers of the basis of curves. A method also says what it would have predicted at
every sample had that sample been missing, and how far a point is from what it knows; both together make the estimate
of the error (response.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from tellegen.ir.model import FloatArray


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Predictions of z at each sample without that sample (all that is known there), and how far it then was."""

    predicted: FloatArray
    distance: FloatArray


class Fit(Protocol):
    """A method fitted to samples."""

    coefficients: FloatArray
    left_out: LeftOut

    def features(self, u: Sequence[Any] | FloatArray) -> list[Any]:
        """Arrays of functions of u, which are numbers or symbols of a model."""
        ...

    def slopes(self, u: FloatArray) -> FloatArray:
        """Derivatives of all features, a row for each direction."""
        ...

    def distance(self, u: FloatArray) -> float:
        """How far a point is from what is known; only ratios of distances count."""
        ...


def row(parts: list[Any]) -> FloatArray:
    """Features as one array."""
    return np.concatenate([np.atleast_1d(part) for part in parts])


def several(samples: int, directions: int, gradients: bool) -> list[list[int]]:
    """For each sample the rows of data it gave: its value and its slopes."""
    kinds = 1 + (directions if gradients else 0)
    return [[i + kind * samples for kind in range(kinds)] for i in range(samples)]

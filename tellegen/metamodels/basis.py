"""A few shapes that all curves are made of (proper orthogonal decomposition).

    curve(t) = mean(t) + sum of z[k] * shape[k](t)

The shapes are the right singular vectors of everything that was simulated, values and slopes: orthogonal, the most
important first. What is left out is below a ten-millionth of the first. Methods then see numbers z, not curves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tellegen.ir.model import FloatArray

_DROPPED = 1e-7


@dataclass(frozen=True, eq=False)
class Basis:
    """`shapes` has a row for each; `data` holds z of the samples: values first, then slopes direction by direction."""

    mean: FloatArray
    shapes: FloatArray
    data: FloatArray

    def curve(self, z: FloatArray) -> FloatArray:
        """The curves of coefficients."""
        return self.mean + z @ self.shapes


def basis_of(curves: FloatArray) -> Basis:
    """The basis of curves[sample, value and slopes, time]."""
    mean = curves[:, 0].mean(axis=0)
    snapshots = curves.copy()
    snapshots[:, 0] -= mean
    rows = snapshots.transpose(1, 0, 2).reshape(-1, curves.shape[2])
    _, sizes, shapes = np.linalg.svd(rows, full_matrices=False)
    shapes = shapes[: max(1, int((sizes > _DROPPED * sizes[0]).sum()))]
    return Basis(mean, shapes, rows @ shapes.T)

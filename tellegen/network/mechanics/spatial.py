"""Vectors and rotations for numbers and for symbols alike.

The last axes of an array are those of the vector or matrix; axes before them are samples. Elements are floats, or
objects of a computer algebra system in arrays of dtype object.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tellegen.start.records import dataclass

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Functions:
    """The functions that rotations need, of numbers or of symbols."""

    cos: Callable[[Any], Any] = np.cos
    sin: Callable[[Any], Any] = np.sin


def cross(a: Any, b: Any) -> Any:
    """The vector product."""
    parts = [a[..., i] * b[..., j] - a[..., j] * b[..., i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return np.stack(parts, axis=-1)


def dot(a: Any, b: Any) -> Any:
    """The scalar product."""
    return (a * b).sum(axis=-1)


def times(matrix: Any, vector: Any) -> Any:
    """Matrix times vector."""
    return (matrix @ vector[..., None])[..., 0]


def transposed(matrix: Any) -> Any:
    """The transpose of each matrix."""
    return np.swapaxes(matrix, -1, -2)


def crossed(a: Any) -> Any:
    """The matrix [a]x of the vector product."""
    zero = a[..., 0] * 0
    rows = [[zero, -a[..., 2], a[..., 1]], [a[..., 2], zero, -a[..., 0]], [-a[..., 1], a[..., 0], zero]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def turned_about(n: Any, cosine: Any, sine: Any) -> Any:
    """The rotation about n: E cos + n n' (1 - cos) + [n]x sin."""
    c = cosine[..., None, None]
    s = sine[..., None, None]
    return np.eye(3, dtype=int) * c + np.multiply.outer(n, n) * (1 - c) + crossed(n) * s


def turned_by(Q: Any) -> Any:
    """The rotation matrix of a quaternion (q, s), scalar last, of any length."""
    q = Q[..., :3]
    s = Q[..., 3]
    scale = (2 / dot(Q, Q))[..., None, None]
    squared = q[..., :, None] * q[..., None, :]
    unit = np.eye(3, dtype=int)
    length = dot(q, q)[..., None, None]
    return unit + scale * (squared - unit * length + crossed(q) * s[..., None, None])


def shifted_inertia(J: Any, h: Any, m: Any, d: Any) -> Any:
    """Inertia about a point from which the old reference point is seen at d; h is the first moment about the old."""
    D = crossed(d)
    H = crossed(h)
    return J - D @ H - H @ D - m * (D @ D)

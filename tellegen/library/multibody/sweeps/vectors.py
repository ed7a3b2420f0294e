"""Vectors, rotations and symmetric matrices as the equations of links need them.

Everything is written by index arrays, so that the elements of a product are rows of one template.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.frontends.python.expressions.symbol import stack

NEXT = np.array([1, 2, 0])
AFTER = np.array([2, 0, 1])
ROW, COLUMN = np.indices((3, 3))
FULL = np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]])
"""Where the elements of a symmetric matrix stand among its six numbers: xx, yy, zz, xy, xz, yz."""

SIX_ROW = np.array([0, 1, 2, 0, 0, 1])
SIX_COLUMN = np.array([0, 1, 2, 1, 2, 2])
"""Which row and column of the matrix each of the six numbers is."""


def full(six: Any) -> Any:
    """A symmetric matrix with all its nine elements."""
    return six[FULL]


def six(matrix: Any) -> Any:
    """The six numbers of a matrix that is known to be symmetric."""
    return matrix[SIX_ROW, SIX_COLUMN]


def cross(a: Any, b: Any) -> Any:
    """The vector product."""
    return a[NEXT] * b[AFTER] - a[AFTER] * b[NEXT]


def outer(a: Any, b: Any) -> Any:
    """The matrix of all products a_i b_j."""
    return a[ROW] * b[COLUMN]


def square(a: Any) -> Any:
    """The symmetric matrix of all products a_i a_j, as six numbers."""
    return a[SIX_ROW] * a[SIX_COLUMN]


def crossed(a: Any, matrix: Any) -> Any:
    """[a]x B: the vector product of a with every column of B."""
    return a[NEXT[ROW]] * matrix[AFTER[ROW], COLUMN] - a[AFTER[ROW]] * matrix[NEXT[ROW], COLUMN]


def crossed_six(a: Any, matrix: Any) -> Any:
    """The six numbers of [a]x B, where it is known to be symmetric."""
    i = SIX_ROW
    j = SIX_COLUMN
    return a[NEXT[i]] * matrix[AFTER[i], j] - a[AFTER[i]] * matrix[NEXT[i], j]


def by_cross_six(matrix: Any, a: Any) -> Any:
    """The six numbers of B [a]x, where it is known to be symmetric: (B [a]x)_ij = B_i,j+1 a_j+2 - B_i,j+2 a_j+1."""
    i = SIX_ROW
    j = SIX_COLUMN
    return matrix[i, NEXT[j]] * a[AFTER[j]] - matrix[i, AFTER[j]] * a[NEXT[j]]


def inverse(six: Any, determinant: Any) -> tuple[Any, Any]:
    """The inverse of a symmetric matrix by cofactors: its diagonal, and the three numbers beside it."""
    diagonal = six[[1, 0, 0]] * six[[2, 2, 1]] - six[[5, 4, 3]] ** 2
    beside = six[[4, 3, 3]] * six[[5, 5, 4]] - six[[3, 4, 5]] * six[[2, 1, 0]]
    return diagonal / determinant, beside / determinant


def determinant(six: Any) -> Any:
    """Of a symmetric matrix."""
    first = six[0] * (six[1] * six[2] - six[5] ** 2)
    second = six[3] * (six[4] * six[5] - six[3] * six[2])
    return first + second + six[4] * (six[3] * six[5] - six[4] * six[1])


def turned_back(Q: Any, x: Any) -> Any:
    """R'x for the rotation R of a quaternion Q = (q, s) of length one."""
    q = Q[:3]
    aside = cross(q, x)
    return x - 2 * (Q[3] * aside) + 2 * cross(q, aside)


def quaternion_of_angles(angles: Any) -> Any:
    """The quaternion, scalar last, of rotations about x, then the new y, then the new z axis."""
    c = [tg.cos(angles[k] / 2) for k in range(3)]
    s = [tg.sin(angles[k] / 2) for k in range(3)]
    return stack(
        [
            s[0] * c[1] * c[2] + c[0] * s[1] * s[2],
            c[0] * s[1] * c[2] - s[0] * c[1] * s[2],
            c[0] * c[1] * s[2] + s[0] * s[1] * c[2],
            c[0] * c[1] * c[2] - s[0] * s[1] * s[2],
        ]
    )

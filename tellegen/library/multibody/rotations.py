"""Orientations as matrices: the rows of T are the axes of the turned frame, so T v has the components of v in it.

T = axis_rotation(n, angle)                 turned by the angle about n, which has length one
T = sequence_rotation([1, 2, 3], angles)    about x, then about the new y, then about the new z
T = axes_rotation(n_x, n_y)                 x along n_x, y as near to n_y as a right angle allows

Everything is written with the elements of arrays, so that it serves for parameters and for variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.frontends.python.expressions.symbol import stack
from tellegen.library.multibody.sweeps.vectors import cross, outer

UNIT = np.eye(3)
THIRD = np.array([[0, 2, 1], [2, 1, 0], [1, 0, 2]])
"""The axis across two others."""
PARITY = np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])
"""One where two axes and the third are right-handed in that order."""


def length(vector: Any) -> Any:
    """The length of a vector."""
    return tg.sqrt(vector @ vector)


def direction(vector: Any) -> Any:
    """The vector with length one."""
    return vector / length(vector)


def axis_rotation(n: Any, angle: Any) -> Any:
    """Turned by an angle about the axis n of length one: n n' + (E - n n') cos - [n]x sin."""
    along = outer(n, n)
    return along + (UNIT - along) * tg.cos(angle) + PARITY * n[THIRD] * tg.sin(angle)


def sequence_rotation(sequence: Sequence[int], angles: Any) -> Any:
    """Turned about three axes (1, 2 or 3), each of the frame as it stands then."""
    first, second, third = (
        axis_rotation(UNIT[axis - 1], angles[k]) for k, axis in enumerate(checked_sequence(sequence))
    )
    return third @ second @ first


def axes_rotation(n_x: Any, n_y: Any) -> Any:
    """The x axis along n_x, the z axis across n_x and n_y."""
    e_x = direction(n_x)
    e_z = direction(cross(n_x, n_y))
    return stack([e_x, cross(e_z, e_x), e_z])


def angles_of(T: Any, sequence: Sequence[int]) -> list[Any]:
    """The angles of sequence_rotation: the first and third in (-pi, pi], the second in [-pi/2, pi/2] or [0, pi].

    Where the second makes the first axis parallel to the third, these two are not determined; both are zero then.
    """
    i, j, k = (axis - 1 for axis in checked_sequence(sequence))
    if i != k:
        sign = float(PARITY[i, j])
        first = tg.atan2(-sign * T[k, j], T[k, k])
        second = tg.atan2(sign * T[k, i], tg.sqrt(T[k, j] ** 2 + T[k, k] ** 2))
        third = tg.atan2(-sign * T[j, i], T[i, i])
        return [first, second, third]
    other = int(THIRD[i, j])
    sign = float(PARITY[i, j])
    first = tg.atan2(T[i, j], -sign * T[i, other])
    second = tg.atan2(tg.sqrt(T[i, j] ** 2 + T[i, other] ** 2), T[i, i])
    third = tg.atan2(T[j, i], sign * T[other, i])
    return [first, second, third]


def checked_sequence(sequence: Sequence[int]) -> tuple[int, int, int]:
    """Three axes of which no two in a row are the same, or an error."""
    axes = tuple(int(axis) for axis in sequence)
    if len(axes) == 3 and set(axes) <= {1, 2, 3} and axes[0] != axes[1] != axes[2]:
        return axes
    what = f"sequence={list(sequence)} is not a sequence of axes"
    raise tg.DataError("E704", what, advice="three of 1, 2, 3, no two in a row the same: [1, 2, 3] or [3, 1, 3]")

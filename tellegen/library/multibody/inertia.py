"""Which inertia tensors exist: a principal moment is at most the sum of the other two (the triangle inequality)."""

from __future__ import annotations

from typing import Any

import tellegen as tg

NO_MASS_HAS_IT = (
    "no distribution of mass has this inertia tensor: the largest principal moment exceeds the sum of the other two. "
    "Have all of I_11, I_22, I_33 been given, about the centre of mass?"
)


def margin(inertia: Any) -> Any:
    """Negative for an inertia tensor (xx yy zz xy xz yz) that no body has.

    The second moments of mass are half the trace on the diagonal, less the tensor. They are positive semidefinite where
    all principal minors are positive or zero; these are taken as moments of inertia, by division by half the trace.
    """
    half = 0.5 * (inertia[0] + inertia[1] + inertia[2])
    x = half - inertia[0]
    y = half - inertia[1]
    z = half - inertia[2]
    xy = -inertia[3]
    xz = -inertia[4]
    yz = -inertia[5]
    minors = x * y - xy**2, x * z - xz**2, y * z - yz**2
    determinant = x * minors[2] - xy * (xy * z - xz * yz) + xz * (xy * yz - y * xz)
    scale = tg.maximum(half, 1e-100)
    least = tg.minimum(determinant / scale**2, tg.minimum(x, tg.minimum(y, z)))
    for minor in minors:
        least = tg.minimum(least, minor / scale)
    return least + 1e-9 * half  # rounding in tensors that were turned or read from files

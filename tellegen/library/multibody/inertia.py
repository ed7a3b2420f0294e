"""Which inertia tensors exist: a principal moment is at most the sum of the other two (the triangle inequality)."""

from __future__ import annotations

from typing import Any

NO_MASS_HAS_IT = (
    "no distribution of mass has this inertia tensor: the largest principal moment exceeds the sum of the other two. "
    "Have all of I_11, I_22, I_33 been given, about the centre of mass?"
)


def is_of_mass(inertia: Any) -> Any:
    """Whether an inertia tensor (xx yy zz xy xz yz) is that of some body: its second moments of mass are positive.

    They are half the trace on the diagonal, less the tensor; positive semidefinite by the signs of principal minors.
    """
    half = 0.5 * (inertia[0] + inertia[1] + inertia[2])
    x, y, z = half - inertia[0], half - inertia[1], half - inertia[2]
    xy, xz, yz = inertia[3], inertia[4], inertia[5]
    minors = x * y - xy**2, x * z - xz**2, y * z - yz**2
    determinant = x * minors[2] - xy * (xy * z - xz * yz) + xz * (xy * yz - y * xz)
    small = 1e-9 * half  # of rounding in tensors that were turned or read from files
    lengths = (x >= -small) & (y >= -small) & (z >= -small)
    areas = (minors[0] >= -small * half) & (minors[1] >= -small * half) & (minors[2] >= -small * half)
    return lengths & areas & (determinant >= -small * half**2)

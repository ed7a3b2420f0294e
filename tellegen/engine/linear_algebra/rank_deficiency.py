"""Where a square system is singular: the equations that say the same, and the unknowns nothing determines."""

from __future__ import annotations

import numpy as np

from tellegen.ir.model import FloatArray

LARGEST = 500  # unknowns up to which singular vectors are affordable
_SINGULAR = 1e-5
_COUNTS = 0.1


def dependent(matrix: FloatArray, rows: FloatArray, columns: FloatArray) -> tuple[list[int], list[int]] | None:
    """Rows and columns of the weakest singular vectors, the most involved first; None where it is regular.

    `columns` are sizes of the unknowns and `rows` those of the equations' terms, for units differ.
    """
    if not matrix.size or len(matrix) > LARGEST or not np.isfinite(matrix).all():
        return None
    sizes = np.maximum(rows, np.abs(matrix * columns).max(axis=1))
    left, values, right = np.linalg.svd(matrix * columns / np.where(sizes > 0.0, sizes, 1.0)[:, None])
    if values[-1] > _SINGULAR * max(values[0], 1e-300):
        return None
    return _involved(left[:, -1]), _involved(right[-1])


def _involved(vector: FloatArray) -> list[int]:
    size = np.abs(vector)
    return [int(k) for k in np.argsort(-size) if size[k] > _COUNTS * size.max()]

"""Whether and where a square system is singular: equations that say the same, unknowns that nothing determines."""

from __future__ import annotations

import numpy as np

from tellegen.engine.linear_algebra.pivoted_lu import DenseLU, SparseLU
from tellegen.engine.linear_algebra.pivots import Elimination, SingularMatrixError, choose_pivots
from tellegen.graph.incidence import incidence
from tellegen.graph.matching import match
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern

LARGEST = 500  # unknowns up to which singular vectors are affordable
_SINGULAR = 1e-5
_COUNTS = 0.1
_SCALINGS = 5
_HUGE = 1e11  # an inverse of an equilibrated matrix that large is one of rounding errors
_DENSE = 40


def equilibrated(matrix: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The matrix with rows and columns of size one, and the factors of rows and of columns: units do not count."""
    rows = np.ones(matrix.shape[0])
    columns = np.ones(matrix.shape[1])
    for _ in range(_SCALINGS):
        size = np.abs(matrix * columns * rows[:, None])
        rows /= np.sqrt(_or_one(size.max(axis=1, initial=0.0)))
        columns /= np.sqrt(_or_one(size.max(axis=0, initial=0.0)))
    return matrix * columns * rows[:, None], rows, columns


def is_singular(pattern: Pattern, values: FloatArray, pivots: Elimination | None = None) -> bool:
    """Whether a square matrix has no inverse, or only one made of rounding errors; `pivots` may be good ones.

    The solution for a random right-hand side is as large as the inverse itself, but for an unlikely accident.
    """
    rows, columns = pattern.shape
    if rows != columns or not np.isfinite(values).all():
        return True
    if rows == 0:
        return False
    stored = values != 0.0
    if (match(incidence(pattern.indices[stored], pattern.column_of_entry[stored], pattern.shape)) < 0).any():
        return True
    scaled = _equilibrated_entries(pattern, values)
    try:
        factors = DenseLU(pattern) if rows <= _DENSE else SparseLU(pattern, _pivots(pattern, scaled, pivots))
        factors.factor(scaled)
    except SingularMatrixError:
        return True
    found = factors.solve(np.random.default_rng(5).choice([-1.0, 1.0], rows))
    return not np.abs(found).max(initial=0.0) < _HUGE


def _pivots(pattern: Pattern, scaled: FloatArray, known: Elimination | None) -> Elimination:
    """Those that are known, for rows that have all the same size now, or new ones."""
    return choose_pivots(pattern, scaled) if known is None else known.of_equal_rows()


def null_vector(matrix: FloatArray) -> FloatArray | None:
    """A vector that a square matrix turns to nothing; None where it is regular."""
    if not np.isfinite(matrix).all():
        return None
    scaled, _, columns = equilibrated(matrix)
    _, sizes, right = np.linalg.svd(scaled)
    return right[-1] * columns if sizes[-1] * _HUGE <= sizes[0] else None


def _equilibrated_entries(pattern: Pattern, values: FloatArray) -> FloatArray:
    """The entries of `equilibrated` on a pattern."""
    column = pattern.column_of_entry
    scaled = values.copy()
    for _ in range(_SCALINGS):
        for index, count in ((pattern.indices, pattern.shape[0]), (column, pattern.shape[1])):
            largest = np.zeros(count)
            np.maximum.at(largest, index, np.abs(scaled))
            scaled /= np.sqrt(_or_one(largest))[index]
    return scaled


def _or_one(sizes: FloatArray) -> FloatArray:
    return np.where(sizes > 0.0, sizes, 1.0)


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

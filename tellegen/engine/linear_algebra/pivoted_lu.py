"""Sparse LU factorization on a fixed pattern, in native code.

Pivots come from one factorization by SuperLU (SciPy); after that only numbers change, so columns are refactored in
place along known patterns, several times faster than factoring from scratch (Davis and Palamadai Natarajan, 2010,
KLU, do the same). Multipliers that grow beyond a limit, or a pivot that vanishes, call back for new pivots.
"""

from __future__ import annotations

import ctypes
import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy

from tellegen.engine.native.record import Record
from tellegen.engine.native.sundials import linear_solver_layout, sundials
from tellegen.engine.runtime.algebra.ode_rhs import LuFactors
from tellegen.engine.runtime.runtimes import ida_runtime
from tellegen.errors import InternalError
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern
from tellegen.procedures.language import field_names

_EIGHTHS = 8.0
_REPIVOT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_FACTOR = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_SOLVE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


class SingularMatrixError(Exception):
    """No set of pivots exists for these values."""


@dataclass(frozen=True, eq=False)
class Elimination:
    """Pivots and patterns of a factorization: integers only, shared by any number of runs and threads."""

    arrays: dict[str, Any]
    fill: int

    def fits(self, pattern: Pattern) -> bool:
        """Whether it is for a matrix of this shape with as many entries; native code would not notice."""
        size = len(self.arrays["column_of"])
        return pattern.shape == (size, size) and len(self.arrays["a_from"]) == pattern.count


_STABLE = 0.1
_SPARSE = 1e-6
"""How small a pivot may be, compared with its column: usually, and where rows of different units made that costly."""
_MUCH = 10
_DENSE = 60  # unknowns up to which native code factors densely where the known pivots do not do
"""Entries of the factors for one of the matrix."""
_LARGE = 5000
"""Unknowns from which on even to try pivots that fill up costs too much."""


def choose_pivots(pattern: Pattern, values: FloatArray) -> Elimination:
    """Pivots that are good for these values and, it is hoped, for similar ones."""
    usual, other = (_STABLE, _SPARSE) if pattern.shape[0] < _LARGE else (_SPARSE, _STABLE)
    lower, upper, rows, columns = _fill(pattern, *_pivots(pattern, values, usual))
    if lower.nnz + upper.nnz > _MUCH * pattern.count:
        again = _fill(pattern, *_pivots(pattern, values, other))
        if again[0].nnz + again[1].nnz < lower.nnz + upper.nnz:
            lower, upper, rows, columns = again
    row_position = np.argsort(rows).astype(np.int32)
    entries, entry_start = _columns_in_order(pattern, columns)
    arrays = {
        "a_start": entry_start,
        "a_row": row_position[pattern.indices[entries]],
        "a_from": entries,
        "l_start": lower.indptr.astype(np.int32),
        "l_row": lower.indices.astype(np.int32),
        "u_start": upper.indptr.astype(np.int32),
        "u_row": upper.indices.astype(np.int32),
        "row_position": row_position,
        "column_of": columns.astype(np.int32),
    }
    return Elimination(arrays, int(lower.nnz + upper.nnz + len(columns)))


class SparseLU:
    """Factors of a square matrix with a fixed pattern. Not shared between threads: it owns work space."""

    elimination: Elimination

    def __init__(self, pattern: Pattern, elimination: Elimination | None) -> None:
        """Without pivots native code has to know that there are none: it calls back for them."""
        if pattern.shape[0] != pattern.shape[1]:
            raise InternalError("E901", f"factors of a matrix that is not square: {pattern.shape}")
        self.pattern = pattern
        self.repivots = 0
        self.record = Record(field_names(LuFactors))
        size = pattern.shape[0]
        library = sundials()
        self._callback = _REPIVOT(self._repivot)
        self.record.set(
            size=size,
            work=np.zeros(size),
            rhs=np.zeros(size),
            diagonal=np.zeros(size),
            repivot=ctypes.cast(self._callback, ctypes.c_void_p).value,
            get_array=library.address["N_VGetArrayPointer"],
            get_values=library.address["SUNSparseMatrix_Data"],
        )
        if size <= _DENSE:
            self.record.set(
                dense=np.zeros(size * size), dense_pivots=np.zeros(size, np.int32), row_scale=np.zeros(size)
            )
        if elimination is not None:
            self._use(elimination)

    @cached_property
    def _factor(self) -> Any:
        return _FACTOR(ida_runtime().addresses["lu_factor"])

    @cached_property
    def _solve(self) -> Any:
        return _SOLVE(ida_runtime().addresses["lu_solve"])

    def _use(self, elimination: Elimination) -> None:
        if not elimination.fits(self.pattern):
            raise InternalError("E901", "pivots of another matrix")
        self.elimination = elimination
        arrays = elimination.arrays
        self.record.set(**arrays, l_value=np.zeros(len(arrays["l_row"])), u_value=np.zeros(len(arrays["u_row"])))
        self.record.kept["work"][:] = 0.0

    def factor(self, values: FloatArray) -> None:
        """Factor the matrix with these values, with new pivots if need be."""
        if len(values) != self.pattern.count:
            raise InternalError("E901", f"{len(values)} values for a matrix of {self.pattern.count} entries")
        if self._factor(self.record.address, values.ctypes.data) != 0:
            self._use(choose_pivots(self.pattern, values))
            self.repivots += 1
            if self._factor(self.record.address, values.ctypes.data) == 1:
                raise SingularMatrixError

    def solve(self, rhs: FloatArray) -> FloatArray:
        """A^-1 rhs."""
        x = np.array(rhs, float)
        if len(x) != self.pattern.shape[0]:
            raise InternalError("E901", f"{len(x)} numbers for a matrix of {self.pattern.shape[0]} rows")
        self._solve(self.record.address, x.ctypes.data)
        return x

    def _repivot(self, address: int) -> int:
        """Called from native code; 0 when new pivots are in place, 1 when there are none (a smaller step may help)."""
        values = np.ctypeslib.as_array((ctypes.c_double * self.pattern.count).from_address(address))
        try:
            self._use(choose_pivots(self.pattern, values.copy()))
        except SingularMatrixError:
            return 1
        self.repivots += 1
        return 0

    def as_solver(self, context: Any) -> int:
        """This factorization as a SUNLinearSolver; release it with SUNLinSolFreeEmpty."""
        layout = linear_solver_layout()
        solver = sundials().SUNLinSolNewEmpty(context)
        words = (ctypes.c_size_t * (layout["ops"] + 1)).from_address(solver)
        words[0] = self.record.address
        table = (ctypes.c_size_t * 16).from_address(words[layout["ops"]])
        for operation, function in (("GetType", "ls_type"), ("Setup", "ls_setup"), ("Solve", "ls_solve")):
            table[layout[operation]] = ida_runtime().addresses[function]
        return solver


class DenseLU:
    """Factors of a small square matrix, by LAPACK; rows are scaled first, because their units differ."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self.elimination = None

    def factor(self, values: FloatArray) -> None:
        """Factor the matrix with these values."""
        matrix = np.zeros(self.pattern.shape)
        matrix[self.pattern.indices, self.pattern.column_of_entry] = values
        largest = np.abs(matrix).max(axis=1)
        if not (np.isfinite(largest) & (largest > 0.0)).all():
            raise SingularMatrixError
        self._scale = 1.0 / largest
        self._factors, self._rows, singular = scipy.linalg.lapack.dgetrf(
            matrix * self._scale[:, None], overwrite_a=True
        )
        if singular:
            raise SingularMatrixError

    def solve(self, rhs: FloatArray) -> FloatArray:
        """A^-1 rhs."""
        return scipy.linalg.lapack.dgetrs(self._factors, self._rows, rhs * self._scale)[0]


def _pivots(pattern: Pattern, values: FloatArray, threshold: float) -> tuple[Any, Any]:
    """Row and column orders: step k eliminates row rows[k] and column columns[k]."""
    if not np.isfinite(values).all():
        raise SingularMatrixError
    matrix = scipy.sparse.csc_array((values, pattern.indices, pattern.indptr), shape=pattern.shape)
    first = _matched(matrix)
    if threshold < _STABLE:
        largest = np.zeros(pattern.shape[0])
        np.maximum.at(largest, pattern.indices, np.abs(values))
        values = values / np.where(largest > 0, largest, 1.0)[pattern.indices]
        matrix = scipy.sparse.csc_array((values, pattern.indices, pattern.indptr), shape=pattern.shape)
    factors = _superlu(matrix[first], permc_spec="COLAMD", diag_pivot_thresh=threshold)
    return first[np.argsort(factors.perm_r)], np.argsort(factors.perm_c)


def _superlu(matrix: Any, **options: Any) -> Any:
    """The factors that SuperLU finds."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return scipy.sparse.linalg.splu(scipy.sparse.csc_array(matrix), **options)
    except RuntimeError:  # SuperLU's word for an exactly singular matrix
        raise SingularMatrixError from None


def _matched(matrix: Any) -> Any:
    """A row for each column, so that the diagonal becomes large and its rows short.

    SuperLU keeps to the diagonal while it is large enough. Left alone it may eliminate with the row of a ground node
    to which a thousand capacitors are tied, and everything fills up (Duff and Koster, 2001, on large diagonals; the
    cost of long rows is ours).
    """
    entries = scipy.sparse.coo_array(matrix)
    entries.eliminate_zeros()
    size = np.abs(entries.data)
    count = np.bincount(entries.row, minlength=matrix.shape[0])
    largest = np.zeros(matrix.shape[1])
    np.maximum.at(largest, entries.col, size)
    cost = 1.0 + np.log2(largest[entries.col] / size) + np.log2(count[entries.row])
    cost = np.round(_EIGHTHS * cost)  # integers: with roundings SciPy's search may go round in circles indefinitely
    try:
        rows, columns = scipy.sparse.csgraph.min_weight_full_bipartite_matching(
            scipy.sparse.csr_array((cost, (entries.row, entries.col)), shape=matrix.shape)
        )
    except ValueError:  # no complete matching: singular at this point
        return np.arange(matrix.shape[0])
    out = np.empty(matrix.shape[0], np.int64)
    out[columns] = rows
    return out


def _fill(pattern: Pattern, rows: Any, columns: Any) -> tuple[Any, Any, Any, Any]:
    """Strict patterns of L and U, and the final orders.

    SuperLU itself finds them: with random values nothing cancels, and with a pivot threshold of zero it keeps to the
    diagonal, up to a common reordering of rows and columns (a postorder), which is taken over.
    """
    size = pattern.shape[0]
    values = np.random.default_rng(7).uniform(1.0, 2.0, pattern.count)
    matrix = scipy.sparse.csc_array((values, pattern.indices, pattern.indptr), shape=pattern.shape)
    arranged = matrix[rows][:, columns]
    factors = _superlu(arranged, permc_spec="NATURAL", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    inner = np.argsort(factors.perm_c)
    if not np.array_equal(factors.perm_r, factors.perm_c):
        raise SingularMatrixError
    lower = scipy.sparse.csc_array(factors.L)
    upper = scipy.sparse.csc_array(factors.U)
    for part, diagonal in ((lower, 0), (upper, 0)):
        part.setdiag(diagonal)
        part.eliminate_zeros()
        part.sort_indices()
    assert lower.shape == (size, size)
    return lower, upper, rows[inner], columns[inner]


def _columns_in_order(pattern: Pattern, columns: Any) -> tuple[Any, Any]:
    """The numbers of the matrix's entries column by column in elimination order, and where each column starts."""
    lengths = np.diff(pattern.indptr)[columns]
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    entries = np.arange(start[-1]) - np.repeat(start[:-1] - pattern.indptr[columns], lengths)
    return entries.astype(np.int32), start

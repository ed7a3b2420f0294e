"""Sparse LU factorization on a fixed pattern, in native code.

Pivots come from one search (pivots.py); after that only numbers change, so columns are refactored in place along known
patterns, several times faster than factoring from scratch (Davis and Palamadai Natarajan, 2010, KLU, do the same).
Multipliers that grow beyond a limit, or a pivot that vanishes, call back for new pivots.
"""

from __future__ import annotations

import ctypes
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.engine.linear_algebra.pivots import Elimination, SingularMatrixError, choose_pivots
from tellegen.engine.native.record import Record, callback
from tellegen.engine.native.sundials import linear_solver_layout, sundials
from tellegen.engine.runtime.algebra.ode_rhs import LuFactors
from tellegen.engine.runtime.algebra.sparse_lu import RoughSystem
from tellegen.engine.runtime.runtimes import ida_runtime
from tellegen.errors import InternalError
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern
from tellegen.procedures.language import field_names
from tellegen.start.on_use import scipy

_REPIVOT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_FACTOR = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_SOLVE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_SOLVE_ROUGHLY = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)

_DENSE = 60  # unknowns up to which native code factors densely where the known pivots do not do


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
        self._callback = callback(_REPIVOT, self._repivot)
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
            self.make_room_for_dense_factors()
        if elimination is not None:
            self._use(elimination)

    def make_room_for_dense_factors(self) -> None:
        """Native code factors densely where the known pivots do not do, instead of calling back for others."""
        size = self.pattern.shape[0]
        self.record.set(dense=np.zeros(size * size), dense_pivots=np.zeros(size, np.int32), row_scale=np.zeros(size))

    @cached_property
    def _factor(self) -> Any:
        return _FACTOR(ida_runtime().addresses["lu_factor"])

    @cached_property
    def _solve(self) -> Any:
        return _SOLVE(ida_runtime().addresses["lu_solve"])

    @cached_property
    def _solve_roughly(self) -> Any:
        return _SOLVE_ROUGHLY(ida_runtime().addresses["rough_solve"])

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

    @classmethod
    def of(cls, pattern: Pattern, values: FloatArray) -> SparseLU:
        """With pivots that are good for these values."""
        return cls(pattern, choose_pivots(pattern, values))

    def solved_roughly(self, values: FloatArray, rhs: FloatArray, size: FloatArray) -> FloatArray:
        """A^-1 rhs as a step of Newton's method needs it; `size` is that of the unknowns (sparse_lu.py)."""
        system = self._rough
        system.set(values=values, b=rhs, size=size)
        if self._solve_roughly(system.address) == 0:
            return system.kept["x"].copy()
        self.factor(values)
        return self.solve(rhs)

    @cached_property
    def _rough(self) -> Record:
        """The system that is solved roughly."""
        count = self.pattern.shape[0]
        system = Record(field_names(RoughSystem))
        system.set(
            lu=self.record.address,
            count=count,
            entries=self.pattern.count,
            row=self.pattern.indices,
            column=self.pattern.column_of_entry,
            x=np.zeros(count),
            left=np.zeros(count),
            allowed=np.zeros(count),
        )
        return system

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

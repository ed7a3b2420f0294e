"""Native solution of transposed systems with the factors of sparse_lu.py."""

from __future__ import annotations

from tellegen.engine.runtime.algebra.ode_rhs import LuFactors
from tellegen.procedures.language import Array, f64, i32, i64, procedure


@procedure
def lu_solve_transposed(lu: LuFactors, x: Array[f64]) -> None:
    """x := A^-T x, columns in, rows out."""
    rhs = lu.rhs
    for k in range(lu.size):
        rhs[k] = x[lu.column_of[k]]
    if lu.is_dense:
        dense_solve_transposed(lu.dense, lu.dense_pivots, lu.size, rhs)  # type: ignore[arg-type]  # it is there
        for k in range(lu.size):
            rhs[k] = rhs[k] * lu.row_scale[k]
    else:
        solve_transposed_triangles(lu)
    for k in range(lu.size):
        x[k] = rhs[lu.row_position[k]]


@procedure
def solve_transposed_triangles(lu: LuFactors) -> None:
    """rhs := (L U)^-T rhs."""
    rhs = lu.rhs
    for k in range(lu.size):
        value = rhs[k]
        for m in range(lu.u_start[k], lu.u_start[k + 1]):
            value -= lu.u_value[m] * rhs[lu.u_row[m]]
        rhs[k] = value * lu.diagonal[k]
    for k in range(lu.size - 1, -1, -1):
        value = rhs[k]
        for m in range(lu.l_start[k], lu.l_start[k + 1]):
            value -= lu.l_value[m] * rhs[lu.l_row[m]]
        rhs[k] = value


@procedure
def dense_solve_transposed(a: Array[f64], pivots: Array[i32], n: i64, x: Array[f64]) -> None:
    """x := A^-T x, given the factors of A by dense_factor."""
    for i in range(n):
        value = x[i]
        for j in range(i):
            value -= a[j * n + i] * x[j]
        x[i] = value / a[i * n + i]
    for i in range(n - 1, -1, -1):
        value = x[i]
        for j in range(i + 1, n):
            value -= a[j * n + i] * x[j]
        x[i] = value
    for j in range(n - 1, -1, -1):
        other = pivots[j]
        x[j], x[other] = x[other], x[j]

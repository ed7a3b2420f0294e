"""Native sparse LU on a pattern and pivots that are already known.

lu_factor     the values of a matrix -> its factors
lu_solve      x := A^-1 x
lu_renewed    the factors, with new pivots where the old ones do not do any more
rough_solve   factors and solution for a step of Newton's method, if need be refined, without new pivots
"""

from __future__ import annotations

import math

from tellegen.engine.runtime.algebra.dense_lu import dense_factor, dense_solve
from tellegen.engine.runtime.algebra.ode_rhs import LuFactors
from tellegen.procedures.language import Array, Record, f64, i32, i64, procedure

GROWTH_LIMIT = 1e6
"""Multipliers of rows of the same size beyond this lose too many digits: pivots are reselected."""

_SINGULAR = 1
_GROWN = 2

_ROUGH = 1e-8  # of the largest term of an equation: what a step of Newton's method may leave of it
_SHARE = 1e-3  # of the residual of an equation: the same, far from the solution
_REFINEMENTS = 6  # solutions with old pivots, each for what the one before has left


@procedure
def lu_factor(lu: LuFactors, values: Array[f64]) -> i32:
    """Left-looking LU (Gilbert and Peierls, 1988) on known patterns and pivots.

    Returns 0, 1 for a pivot that is zero or not finite, 2 for multipliers that grew too large.
    """
    lu.factorizations += 1
    lu.is_dense = False
    a_start = lu.a_start
    a_row = lu.a_row
    a_from = lu.a_from
    l_start = lu.l_start
    l_row = lu.l_row
    l_value = lu.l_value
    u_start = lu.u_start
    u_row = lu.u_row
    u_value = lu.u_value
    diagonal = lu.diagonal
    work = lu.work
    weight = lu.row_weight
    status = 0
    for k in range(lu.size):
        for e in range(a_start[k], a_start[k + 1]):
            work[a_row[e]] = values[a_from[e]]
        for e in range(u_start[k], u_start[k + 1]):
            j = u_row[e]
            u = work[j]
            work[j] = 0.0
            u_value[e] = u
            for m in range(l_start[j], l_start[j + 1]):
                work[l_row[m]] -= l_value[m] * u
        pivot = work[k]
        work[k] = 0.0
        inverse = 1.0 / pivot
        diagonal[k] = inverse
        if not (0.0 < abs(pivot) < math.inf):
            status = _SINGULAR
        limit = GROWTH_LIMIT * weight[k]
        for m in range(l_start[k], l_start[k + 1]):
            i = l_row[m]
            factor = work[i] * inverse
            work[i] = 0.0
            l_value[m] = factor
            if abs(factor) * weight[i] > limit and status == 0:
                status = _GROWN
    return status


@procedure
def lu_solve(lu: LuFactors, x: Array[f64]) -> None:
    """x := A^-1 x."""
    lu.solves += 1
    rhs = lu.rhs
    row_position = lu.row_position
    column_of = lu.column_of
    size = lu.size
    for k in range(size):
        rhs[row_position[k]] = x[k]
    if lu.is_dense:
        solve_scaled(lu)
    else:
        solve_triangles(lu)
    for k in range(size):
        x[column_of[k]] = rhs[k]


@procedure
def solve_triangles(lu: LuFactors) -> None:
    """rhs := (L U)^-1 rhs."""
    l_start = lu.l_start
    l_row = lu.l_row
    l_value = lu.l_value
    u_start = lu.u_start
    u_row = lu.u_row
    u_value = lu.u_value
    diagonal = lu.diagonal
    rhs = lu.rhs
    size = lu.size
    for k in range(size):
        value = rhs[k]
        if value != 0.0:  # most equations of a correction have no residual
            for m in range(l_start[k], l_start[k + 1]):
                rhs[l_row[m]] -= l_value[m] * value
    for k in range(size - 1, -1, -1):
        solved = rhs[k] * diagonal[k]
        rhs[k] = solved
        for m in range(u_start[k], u_start[k + 1]):
            rhs[u_row[m]] -= u_value[m] * solved


@procedure
def solve_scaled(lu: LuFactors) -> None:
    """rhs := A^-1 rhs with the dense factors of the matrix whose rows are scaled."""
    rhs = lu.rhs
    for k in range(lu.size):
        rhs[k] = rhs[k] * lu.row_scale[k]
    dense_solve(lu.dense, lu.dense_pivots, lu.size, rhs)  # type: ignore[arg-type]  # factored densely: it is there


@procedure
def factor_scaled(lu: LuFactors, values: Array[f64]) -> bool:
    """Dense factors of a small matrix, its rows scaled first, because their units differ; whether there are some."""
    if lu.dense is None:
        return False
    size = lu.size
    dense = lu.dense
    scale = lu.row_scale
    for k in range(size * size):
        dense[k] = 0.0
    for k in range(size):
        scale[k] = 0.0
    for k in range(size):
        for e in range(lu.a_start[k], lu.a_start[k + 1]):
            row = lu.a_row[e]
            value = values[lu.a_from[e]]
            dense[row * size + k] = value
            scale[row] = max(scale[row], abs(value))
    for k in range(size):
        scale[k] = 1.0 / scale[k]
        for c in range(size):
            dense[k * size + c] = dense[k * size + c] * scale[k]
    lu.is_dense = dense_factor(dense, lu.dense_pivots, size) == 0
    return lu.is_dense


@procedure
def lu_renewed(lu: LuFactors, values: Array[f64], has_pivots: bool) -> i32:
    """Factor a matrix; where its pivots are not there or do not do, Python chooses others. Not zero: it is singular.

    Small matrices are factored densely instead, which is faster than to ask Python.
    """
    if has_pivots:
        if lu_factor(lu, values) == 0:
            return 0
        if factor_scaled(lu, values):
            return 0
    status = lu.repivot(values)
    if status != 0:
        return status
    return int(lu_factor(lu, values) == _SINGULAR)


class RoughSystem(Record):
    """A x = b. `size` is that of the unknowns; `row` and `column` are those of the entries of A."""

    lu: LuFactors
    count: i64
    entries: i64
    row: Array[i32]
    column: Array[i32]
    values: Array[f64]
    b: Array[f64]
    size: Array[f64]
    x: Array[f64]
    left: Array[f64]
    allowed: Array[f64]


@procedure
def set_allowed(system: RoughSystem) -> None:
    """What may be left of each equation."""
    allowed = system.allowed
    for k in range(system.count):
        allowed[k] = _SHARE * abs(system.b[k])
    for e in range(system.entries):
        row = system.row[e]
        allowed[row] = max(allowed[row], _ROUGH * abs(system.values[e]) * system.size[system.column[e]])


@procedure
def is_enough(system: RoughSystem) -> bool:
    """Whether x satisfies the equations, and what it leaves of them."""
    left = system.left
    x = system.x
    for k in range(system.count):
        left[k] = system.b[k]
    for e in range(system.entries):
        left[system.row[e]] -= system.values[e] * x[system.column[e]]
    enough = True
    for k in range(system.count):
        enough = enough and abs(left[k]) <= system.allowed[k]
    return enough


@procedure
def rough_solve(system: RoughSystem) -> i32:
    """x, and 0; 1 where other pivots are needed.

    New ones cost as much as a dozen factorizations, and transistors that switch ask for them all the time.
    """
    x = system.x
    left = system.left
    for k in range(system.count):
        x[k] = system.b[k]
    if lu_factor(system.lu, system.values) == 0:
        lu_solve(system.lu, x)
        return 0
    set_allowed(system)
    for k in range(system.count):
        left[k] = x[k]
        x[k] = 0.0
    for _ in range(_REFINEMENTS):
        lu_solve(system.lu, left)
        for k in range(system.count):
            x[k] += left[k]
        if is_enough(system):
            return 0
    return 1

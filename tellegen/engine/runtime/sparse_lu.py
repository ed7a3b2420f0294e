"""Native sparse LU on a pattern and pivots that are already known.

lu_factor     the values of a matrix -> its factors
lu_solve      x := A^-1 x
lu_renewed    the factors, with new pivots where the old ones do not do any more
"""

from __future__ import annotations

import math

from tellegen.engine.runtime.ode_rhs import LuFactors
from tellegen.procedures.language import Array, f64, i32, procedure

GROWTH_LIMIT = 1e6
"""Multipliers beyond this lose too many digits: pivots are reselected."""

_SINGULAR, _GROWN = 1, 2


@procedure
def lu_factor(lu: LuFactors, values: Array[f64]) -> i32:
    """Left-looking LU (Gilbert and Peierls, 1988) on known patterns and pivots.

    Returns 0, 1 for a pivot that is zero or not finite, 2 for multipliers that grew too large.
    """
    lu.factorizations += 1
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
        for m in range(l_start[k], l_start[k + 1]):
            i = l_row[m]
            factor = work[i] * inverse
            work[i] = 0.0
            l_value[m] = factor
            if abs(factor) > GROWTH_LIMIT and status == 0:
                status = _GROWN
    return status


@procedure
def lu_solve(lu: LuFactors, x: Array[f64]) -> None:
    """x := A^-1 x."""
    lu.solves += 1
    l_start = lu.l_start
    l_row = lu.l_row
    l_value = lu.l_value
    u_start = lu.u_start
    u_row = lu.u_row
    u_value = lu.u_value
    diagonal = lu.diagonal
    rhs = lu.rhs
    row_position = lu.row_position
    column_of = lu.column_of
    size = lu.size
    for k in range(size):
        rhs[row_position[k]] = x[k]
    for k in range(size):
        value = rhs[k]
        for m in range(l_start[k], l_start[k + 1]):
            rhs[l_row[m]] -= l_value[m] * value
    for k in range(size - 1, -1, -1):
        solved = rhs[k] * diagonal[k]
        rhs[k] = solved
        for m in range(u_start[k], u_start[k + 1]):
            rhs[u_row[m]] -= u_value[m] * solved
    for k in range(size):
        x[column_of[k]] = rhs[k]


@procedure
def lu_renewed(lu: LuFactors, values: Array[f64], has_pivots: bool) -> i32:
    """Factor a matrix; where its pivots are not there or do not do, Python chooses others. Not zero: it is singular."""
    if has_pivots and lu_factor(lu, values) == 0:
        return 0
    status = lu.repivot(values)
    if status != 0:
        return status
    return int(lu_factor(lu, values) == _SINGULAR)

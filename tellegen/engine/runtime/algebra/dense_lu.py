"""Native dense LU for small matrices stored row by row: with partial pivoting, or complete pivoting up to a rank.

A matrix whose rank is known to be lower than its size (constraints that repeat each other) is factored as far as that;
the unknowns that are left over are zero.
"""

from __future__ import annotations

import math

from tellegen.procedures.language import Array, f64, i32, i64, procedure

_ROUNDING = 1e-11  # of the largest pivot: what is left of entries that cancel
_GROWN = 1e-7  # of the largest entry: what constraints that repeat others never leave (loaded/redundant_rows.py)


@procedure(inline=True)
def exchange_rows(a: Array[f64], n: i64, j: i64, other: i64) -> None:
    """Exchange two rows, which may be the same."""
    if other != j:
        top = a[j * n :]
        low = a[other * n :]
        for c in range(n):
            top[c], low[c] = low[c], top[c]


@procedure(inline=True)
def eliminate_below(a: Array[f64], n: i64, j: i64) -> None:
    """A step of LU: column j below the pivot, which is in its place, and the rows there."""
    top = a[j * n :]
    inverse = 1.0 / top[j]
    for i in range(j + 1, n):
        row = a[i * n :]
        factor = row[j] * inverse
        row[j] = factor
        for c in range(j + 1, n):
            row[c] -= factor * top[c]


@procedure
def dense_factor(a: Array[f64], pivots: Array[i32], n: i64) -> i32:
    """LU in place, rows of n; returns 1 for a pivot that is zero or not finite."""
    status = 0
    for j in range(n):
        best = j
        size = -1.0
        for i in range(j, n):
            here = abs(a[i * n + j])
            if here > size:
                size = here
                best = i
        pivots[j] = best
        exchange_rows(a, n, j, best)
        if not (0.0 < size < math.inf):
            status = 1
        eliminate_below(a, n, j)
    return status


@procedure
def dense_solve(a: Array[f64], pivots: Array[i32], n: i64, x: Array[f64]) -> None:
    """x := A^-1 x, given the factors of A."""
    for j in range(n):
        other = pivots[j]
        x[j], x[other] = x[other], x[j]
    for i in range(n):
        row = a[i * n :]
        left = x[i]  # not summed up in memory, where each term would wait for the one before to be stored
        for j in range(i):
            left -= row[j] * x[j]
        x[i] = left
    for i in range(n - 1, -1, -1):
        row = a[i * n :]
        left = x[i]
        for j in range(i + 1, n):
            left -= row[j] * x[j]
        x[i] = left / row[i]


@procedure(inline=True)
def exchange_largest(a: Array[f64], pivots: Array[i32], columns: Array[i32], n: i64, j: i64) -> f64:
    """Bring the largest entry of what is left to place j; its size."""
    best = j
    best_column = j
    size = -1.0
    for i in range(j, n):
        for c in range(j, n):
            here = abs(a[i * n + c])
            if not (here <= size):
                size = here
                best = i
                best_column = c
    pivots[j] = best
    columns[j] = best_column
    exchange_rows(a, n, j, best)
    if best_column != j:
        for i in range(n):
            row = a[i * n :]
            row[j], row[best_column] = row[best_column], row[j]
    return size


@procedure(seldom=True)
def factor_to_rank(a: Array[f64], pivots: Array[i32], columns: Array[i32], n: i64) -> i64:
    """LU with complete pivoting in place up to the rank, which is returned; -1 for a matrix that is not finite."""
    largest = 0.0
    for j in range(n):
        size = exchange_largest(a, pivots, columns, n, j)
        if not (size < math.inf):
            return -1
        largest = max(largest, size)
        if size <= _ROUNDING * largest:
            return j
        eliminate_below(a, n, j)
    return n


@procedure(inline=True)
def largest_left(a: Array[f64], n: i64, j: i64) -> f64:
    """The size of the largest entry from row and column j on."""
    size = 0.0
    for i in range(j, n):
        for c in range(j, n):
            size = max(size, abs(a[i * n + c]))
    return size


@procedure
def ranked_factor(a: Array[f64], pivots: Array[i32], columns: Array[i32], n: i64, rank: i64) -> i64:
    """The first `rank` steps of LU with complete pivoting, in place, or more; -1 for a pivot that is zero or infinite.

    An event may release constraints that repeated others: what is left then is not rounding, and the rank grows.
    """
    first = largest_left(a, n, 0)
    steps = rank
    j = 0
    while j < steps:
        size = exchange_largest(a, pivots, columns, n, j)
        if not (0.0 < size < math.inf):
            return -1
        eliminate_below(a, n, j)
        j += 1
        if j == steps and j < n and largest_left(a, n, j) > _GROWN * first:
            steps += 1
    return steps


@procedure
def ranked_solve(a: Array[f64], pivots: Array[i32], columns: Array[i32], n: i64, rank: i64, x: Array[f64]) -> None:
    """x such that A x = x in the rows of the pivots, with zeros beyond the rank."""
    for j in range(rank):
        other = pivots[j]
        x[j], x[other] = x[other], x[j]
    for i in range(rank):
        row = a[i * n :]
        for j in range(i):
            x[i] -= row[j] * x[j]
    for i in range(rank - 1, -1, -1):
        row = a[i * n :]
        for j in range(i + 1, rank):
            x[i] -= row[j] * x[j]
        x[i] = x[i] / row[i]
    for i in range(rank, n):
        x[i] = 0.0
    for j in range(rank - 1, -1, -1):
        other = columns[j]
        x[j], x[other] = x[other], x[j]


@procedure(seldom=True)
def null_vector(a: Array[f64], columns: Array[i32], n: i64, rank: i64, free: i64, z: Array[f64]) -> None:
    """z with A z = 0, from factors up to a rank: the unknown `free` beyond it is one, the others there are zero."""
    for i in range(n):
        z[i] = 0.0
    z[free] = 1.0
    for i in range(rank - 1, -1, -1):
        row = a[i * n :]
        total = row[free]
        for j in range(i + 1, rank):
            total += row[j] * z[j]
        z[i] = -total / row[i]
    for j in range(rank - 1, -1, -1):
        other = columns[j]
        z[j], z[other] = z[other], z[j]

"""Native dense LU with partial pivoting, for small matrices stored row by row."""

from __future__ import annotations

import math

from tellegen.procedures.language import Array, f64, i32, i64, procedure


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
        top = a[j * n :]
        if best != j:
            low = a[best * n :]
            for c in range(n):
                top[c], low[c] = low[c], top[c]
        if not (0.0 < size < math.inf):
            status = 1
        inverse = 1.0 / top[j]
        for i in range(j + 1, n):
            row = a[i * n :]
            factor = row[j] * inverse
            row[j] = factor
            for c in range(j + 1, n):
                row[c] -= factor * top[c]
    return status


@procedure
def dense_solve(a: Array[f64], pivots: Array[i32], n: i64, x: Array[f64]) -> None:
    """x := A^-1 x, given the factors of A."""
    for j in range(n):
        other = pivots[j]
        x[j], x[other] = x[other], x[j]
    for i in range(n):
        row = a[i * n :]
        for j in range(i):
            x[i] -= row[j] * x[j]
    for i in range(n - 1, -1, -1):
        row = a[i * n :]
        for j in range(i + 1, n):
            x[i] -= row[j] * x[j]
        x[i] = x[i] / row[i]

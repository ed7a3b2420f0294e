"""Native linear algebra of algebraic blocks: the matrices of their tears and the factors of these.

    block_factor     Jacobian entries of one block -> LU of the matrix of its tears
    block_solve      x := matrix^-1 x
    correction       x := matrix^-1 r, and how long it is relative to the unknowns

With the rows of a block ordered inner first, its Jacobian is [[L, B], [C, D]] with L triangular: the tears alone see
D - C L^-1 B. Blocks too large for that are given to the sparse LU of engine/runtime/algebra/sparse_lu.py.
"""

from __future__ import annotations

from tellegen.engine.runtime.algebra.dense_lu import (
    dense_factor,
    dense_solve,
    factor_to_rank,
    ranked_factor,
    ranked_solve,
)
from tellegen.engine.runtime.algebra.ode_rhs import Ode, SolveStep
from tellegen.engine.runtime.algebra.sparse_lu import lu_renewed, lu_solve
from tellegen.procedures.language import Array, f64, i32, i64, procedure, sqrt


@procedure
def dense_matrix(step: SolveStep, block: i64) -> None:
    """D - C L^-1 B of block `block`, row by row, into its place in `matrix`."""
    first = step.row_start[block]
    inner = step.inner_count[block]
    tears = step.tear_start[block + 1] - step.tear_start[block]
    start = step.entry_start
    column = step.entry_column
    values = step.values
    eliminated = step.eliminated
    matrix = step.matrix[step.matrix_start[block] :]
    for i in range(inner + tears):
        target = matrix[(i - inner) * tears :] if i >= inner else eliminated[i * tears :]
        for j in range(tears):
            target[j] = 0.0
        pivot = 1.0
        for e in range(start[first + i], start[first + i + 1]):
            c = column[e]
            v = values[e]
            if c >= inner:
                target[c - inner] += v
            elif c == i:
                pivot = v
            else:
                earlier = eliminated[c * tears :]
                for j in range(tears):
                    target[j] -= v * earlier[j]
        if i < inner:
            inverse = 1.0 / pivot
            for j in range(tears):
                target[j] = target[j] * inverse


@procedure
def block_factor(step: SolveStep, block: i64) -> i32:
    """Factor the matrix of one block; nonzero when it is singular. Sparse ones ask Python for pivots if need be."""
    if step.lu is not None:
        status = lu_renewed(step.lu, step.values, step.pivots_ready)
        if status == 0:
            step.pivots_ready = True
        return status
    dense_matrix(step, block)
    first = step.tear_start[block]
    tears = step.tear_start[block + 1] - first
    matrix = step.matrix[step.matrix_start[block] :]
    if step.rank[block] < tears:
        rank = ranked_factor(matrix, step.pivots[first:], step.column_pivots[first:], tears, step.rank[block])
        if rank < 0:
            return 1
        step.rank[block] = rank
        if rank < tears:
            return 0
        dense_matrix(step, block)  # nothing repeats anything any more
    return dense_factor(matrix, step.pivots[first:], tears)


@procedure(seldom=True)
def factor_as_far(step: SolveStep, block: i64) -> i64:
    """Factor the dense matrix of a block up to its rank, which it has from now on; -1 where that is impossible."""
    dense_matrix(step, block)
    first = step.tear_start[block]
    tears = step.tear_start[block + 1] - first
    matrix = step.matrix[step.matrix_start[block] :]
    rank = factor_to_rank(matrix, step.pivots[first:], step.column_pivots[first:], tears)
    step.rank[block] = max(rank, 0)
    return rank


@procedure
def block_solve(step: SolveStep, block: i64, x: Array[f64]) -> None:
    """x := matrix^-1 x for the tears of one block."""
    if step.lu is not None:
        lu_solve(step.lu, x)
        return
    same = step.same[block]
    first = step.tear_start[same]
    n = step.tear_start[same + 1] - first
    a = step.matrix[step.matrix_start[same] :]
    if step.rank[same] < n:
        ranked_solve(a, step.pivots[first:], step.column_pivots[first:], n, step.rank[same], x)
        return
    dense_solve(a, step.pivots[first:], n, x)


@procedure
def correction(ode: Ode, step: SolveStep, block: i64) -> f64:
    """x := matrix^-1 r for one block; returns its length relative to the unknowns (NaN if x is).

    Unknowns count as they were where the Newton step began (`base`), lest a flight to infinity look like progress.
    """
    first = step.tear_start[block]
    tears = step.tear_start[block + 1] - first
    x = step.x[first:]
    judge_row = step.judge_row[first:]
    positions = step.tear_index[first:]
    base = step.base[first:]
    residual = ode.residual
    scale = ode.scale
    for j in range(tears):
        x[j] = residual[judge_row[j]]
    block_solve(step, block, x)
    total = 0.0
    for j in range(tears):
        ratio = x[j] / max(scale[positions[j]], abs(base[j]))
        total += ratio * ratio
    return sqrt(total)

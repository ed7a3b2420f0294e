"""The sparse LU: right answers, on stale pivots too, and new pivots when they are needed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import tellegen as tg
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import SingularMatrixError, choose_pivots
from tellegen.ir.program import Pattern
from tellegen.library import electrical as el


def pattern_of(matrix: Any) -> tuple[Pattern, Any]:
    csc: Any = sparse.csc_array(matrix)
    csc.sort_indices()
    return Pattern(csc.shape, csc.indptr.astype(np.int32), csc.indices.astype(np.int32)), csc.data.astype(float)


def network(n: int, sources: int) -> Any:
    """Nodal equations with voltage sources, rows shuffled: no diagonal to rely on."""
    rng = np.random.default_rng(0)
    i = np.arange(1, n)
    j = np.maximum(0, i - 1 - rng.integers(0, 30, n - 1))
    off = sparse.coo_array((-(rng.random(n - 1) + 0.1), (i, j)), shape=(n, n))
    off = off + off.T
    nodes = sparse.diags_array(np.asarray(abs(off).sum(axis=1)).ravel() + 0.5) + off
    where = rng.permutation(n)[:sources]
    branch = sparse.coo_array((np.ones(sources), (where, np.arange(sources))), shape=(n, sources))
    matrix: Any = sparse.block_array([[nodes, branch], [branch.T, None]], format="csr")
    return matrix[rng.permutation(n + sources)]


@pytest.mark.parametrize("size", [(1, 0), (3, 1), (400, 120)])
def test_solves_and_refactors(size: tuple[int, int]) -> None:
    matrix = network(*size)
    pattern, values = pattern_of(matrix)
    lu = SparseLU(pattern, choose_pivots(pattern, values))
    rng = np.random.default_rng(2)
    for _ in range(3):
        rhs = rng.normal(size=pattern.shape[0])
        lu.factor(values)
        now = sparse.csc_array((values, pattern.indices, pattern.indptr), shape=pattern.shape)
        np.testing.assert_allclose(now @ lu.solve(rhs), rhs, atol=1e-8)
        values = values * 10.0 ** rng.uniform(-1, 1, len(values))


def test_vanishing_pivot_is_replaced() -> None:
    matrix = np.array([[4.0, 1.0], [1.0, 0.5]])
    pattern, values = pattern_of(matrix)
    lu = SparseLU(pattern, choose_pivots(pattern, values))
    first = int(np.flatnonzero(lu.elimination.arrays["row_position"] == 0)[0])
    matrix[first, lu.elimination.arrays["column_of"][0]] = 0.0
    lu.factor(matrix.T.ravel().copy())
    assert lu.repivots == 1
    np.testing.assert_allclose(matrix @ lu.solve(np.array([1.0, 2.0])), [1.0, 2.0])


def test_singular_matrix_is_reported() -> None:
    pattern, values = pattern_of(np.array([[1.0, 2.0], [2.0, 4.0]]))
    with pytest.raises(SingularMatrixError):
        SparseLU(pattern, choose_pivots(pattern, values))


def test_a_row_that_everything_is_tied_to_does_not_fill_the_factors() -> None:
    """n capacitors to one ground node: its row of currents must be eliminated last."""

    class Ladder(tg.Component):
        source = el.StepVoltage(V=1.0)
        r = el.Resistor.array(300, R=1.0)
        c = el.Capacitor.array(300, C=1.0 / 300)
        ground = el.Ground()

        def connections(self) -> Any:
            yield self.source.p, self.r[0].p
            yield self.r[:299].n, self.r[1:].p, self.c[:299].p
            yield self.r[299].n, self.c[299].p
            for k in range(300):
                yield self.c[k].n, self.ground.p
            yield self.source.n, self.ground.p

    compiled = tg.compile(Ladder())
    solution = compiled.simulate(0.1, points=2, solver="ida")
    assert solution.stats["factor_entries"] < 5 * compiled.program.pattern.count


def test_small_matrices_are_factored_densely_where_pivots_do_not_do() -> None:
    """In native code: Python is not asked for others, and the sparse factors return where they do again."""
    from tellegen.engine.runtime.algebra.sparse_lu import lu_factor, lu_renewed, lu_solve
    from tellegen.procedures.evaluate import evaluate
    from tellegen.procedures.load import load

    rng = np.random.default_rng(5)
    units = 10.0 ** np.arange(-8.0, 8.0, 2.0)[:, None]
    first = units * (rng.normal(size=(8, 8)) + 10.0 * np.eye(8))
    pattern, values = pattern_of(first)
    lu = SparseLU(pattern, choose_pivots(pattern, values))
    second = units * rng.normal(size=(8, 8))
    pivot = np.flatnonzero(lu.elimination.arrays["row_position"] == 0), lu.elimination.arrays["column_of"][0]
    second[pivot] = 0.0
    asked: list[int] = []
    record = SimpleNamespace(**{name: lu.record.kept.get(name, 0) for name in lu.record.number})
    record.repivot = lambda _: asked.append(1) or 1
    unit = load(lu_factor, lu_renewed, lu_solve)
    for matrix, dense in ((second, True), (first, False), (second, True)):
        assert evaluate(unit, "lu_renewed", record, matrix.T.ravel().copy(), True) == 0
        assert record.is_dense == dense
        x = matrix @ np.arange(1.0, 9.0)
        evaluate(unit, "lu_solve", record, x)
        np.testing.assert_allclose(x, np.arange(1.0, 9.0), rtol=1e-9)
    assert not asked
    assert evaluate(unit, "lu_renewed", record, np.zeros(pattern.count), True) == 1
    assert asked == [1]

"""Block lower triangular form and tearing on integers."""

from __future__ import annotations

import numpy as np
import pytest

from tellegen.graph.blocks import levels, strong_blocks
from tellegen.graph.incidence import incidence
from tellegen.graph.matching import match
from tellegen.graph.tearing import tear


def ordered(pairs: list[tuple[int, int]], count: int):
    rows, columns = np.array(pairs).T
    matrix = incidence(rows, columns, (count, count))
    label, graph = strong_blocks(matrix, match(matrix))
    return label, levels(graph)


def test_a_chain_has_one_block_per_row() -> None:
    label, level = ordered([(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)], 3)
    assert len(set(label.tolist())) == 3
    assert [level[label[k]] for k in range(3)] == [0, 1, 2]


def test_a_loop_is_a_block_and_what_follows_comes_later() -> None:
    label, level = ordered([(0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (2, 2), (3, 3)], 4)
    assert label[0] == label[1] != label[2]
    assert [level[label[k]] for k in (0, 2, 3)] == [0, 1, 0]


def test_a_chain_has_as_many_levels_as_rows() -> None:
    """Wide levels first, the others node by node."""
    count = 500
    pairs = [(k, j) for k in range(count) for j in (k - 7, k - 1, k) if j >= 0]
    label, level = ordered(pairs, count)
    assert [level[label[k]] for k in range(count)] == list(range(count))


def test_blocks_against_brute_force() -> None:
    """Random matrices with a diagonal: two rows are in one block exactly when each needs the other, by any way."""
    rng = np.random.default_rng(2)
    for _ in range(30):
        n = 12
        dense = (rng.random((n, n)) < 0.12) | np.eye(n, dtype=bool)
        rows, columns = np.nonzero(dense)
        matrix = incidence(rows, columns, (n, n))
        label, graph = strong_blocks(matrix, np.arange(n))
        reach = np.linalg.matrix_power(dense.astype(float), n) > 0
        np.testing.assert_array_equal(label[:, None] == label[None, :], reach & reach.T)
        level = levels(graph)
        for i, j in zip(rows, columns, strict=True):
            assert label[i] == label[j] or level[label[j]] < level[label[i]]


@pytest.mark.parametrize("seed", range(20))
def test_tearing_solves_every_inner_row_from_what_is_known(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 15
    columns = [sorted({r, *rng.choice(n, 3).tolist()}) for r in range(n)]
    solvable = [set(rng.permutation(row)[: rng.integers(0, len(row) + 1)].tolist()) for row in columns]
    found = tear(columns, solvable)
    known = set(found.tears)
    for row, column in found.inner:
        assert column in solvable[row]
        assert set(columns[row]) - known == {column}
        known.add(column)
    assert known == set(range(n))
    assert len(found.residuals) == len(found.tears)


def test_a_ring_needs_one_tear() -> None:
    n = 20
    columns = [[k, (k + 1) % n] for k in range(n)]
    found = tear(columns, [set(row) for row in columns])
    assert len(found.tears) == 1


def test_an_unknown_can_be_asked_to_be_a_tear() -> None:
    """x0 = f(x1), x1 = u - x2, x2 = x0 / R: the greedy choice is x1, with x2 guessed the others follow as well."""
    columns, solvable = [[0, 1], [1, 2], [2, 0]], [{0}, {1, 2}, {2, 0}]
    assert tear(columns, solvable).tears == (1,)
    found = tear(columns, solvable, [2])
    assert found.tears == (2,)
    assert sorted(column for _, column in found.inner) == [0, 1]

"""Plain Python and SciPy: the same components and blocks, whatever the size."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from seeds import each_seed
from tellegen.graph import small
from tellegen.graph.blocks import levels, strong_blocks
from tellegen.graph.incidence import Incidence, incidence, sums_at
from tellegen.graph.matching import match
from tellegen.graph.sets import connected_sets, reachable

SEEDS = range(150)


def random_matrix(seed: int, square: bool = False) -> Incidence:
    """Sparse, with repeated entries; half of them with a full diagonal, so that a complete matching exists."""
    chance = np.random.default_rng(seed)
    most = (6, 25, 90)[seed % 3]
    rows = int(chance.integers(1, most))
    columns = rows if square or seed % 2 else int(chance.integers(1, most))
    entries = int(chance.integers(0, 4 * rows))
    where = chance.integers(0, rows, entries), chance.integers(0, columns, entries)
    if seed % 4 == 0 or square:
        diagonal = np.arange(min(rows, columns))
        order = chance.permutation(len(diagonal))
        where = np.concatenate([where[0], diagonal]), np.concatenate([where[1], diagonal[order]])
    return incidence(*where, (rows, columns))


def both_ways(answer: Callable[[], np.ndarray], monkeypatch: pytest.MonkeyPatch) -> tuple[list[int], list[int]]:
    """By plain Python and by SciPy."""
    with monkeypatch.context() as patch:
        patch.setattr(small, "is_small", lambda _: True)
        plain = answer().tolist()
    with monkeypatch.context() as patch:
        patch.setattr(small, "is_small", lambda _: False)
        return plain, answer().tolist()


def by_first_member(labels: list[int]) -> list[int]:
    """Each component named by its first member."""
    return [labels.index(label) for label in labels]


@each_seed(SEEDS)
def test_connected_sets_agree(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = random_matrix(seed, square=seed % 2 == 0)
    count = max(matrix.shape)
    plain, scipy = both_ways(lambda: connected_sets(count, matrix.row_of_entry, matrix.indices), monkeypatch)
    assert plain == scipy


@each_seed(SEEDS)
def test_reachable_nodes_agree(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = random_matrix(seed, square=True)
    start = np.random.default_rng(seed).random(graph.shape[0]) < 0.2
    plain, scipy = both_ways(lambda: reachable(graph, start), monkeypatch)
    assert plain == scipy
    by_powers = np.linalg.matrix_power(np.eye(len(start)) + graph.matrix.toarray() > 0, max(len(start), 1))
    assert plain == (start @ by_powers > 0).tolist()


@each_seed(SEEDS)
def test_blocks_agree(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = random_matrix(seed, square=True)
    assigned = match(matrix)
    plain, scipy = both_ways(lambda: strong_blocks(matrix, assigned)[0], monkeypatch)
    assert by_first_member(plain) == by_first_member(scipy)  # numbers of components differ between versions of SciPy
    graph = strong_blocks(matrix, assigned)[1]
    level = levels(graph)
    assert (level[graph.row_of_entry] > level[graph.indices]).all()


def test_an_incidence_has_each_place_once_and_in_order() -> None:
    matrix = incidence([2, 0, 2, 0, 2], [1, 3, 0, 3, 1], (3, 4))
    assert list(matrix.columns_of_rows) == [[3], [], [0, 1]]
    assert list(matrix.transposed.columns_of_rows) == [[2], [2], [], [0]]
    assert list(incidence([], [], (2, 0)).columns_of_rows) == [[], []]
    np.testing.assert_array_equal(matrix.matrix.toarray(), [[0, 0, 0, 1], [0, 0, 0, 0], [1, 1, 0, 0]])


def test_sums_at_places() -> None:
    chance = np.random.default_rng(4)
    row, column = chance.integers(0, 5, 30), chance.integers(0, 7, 30)
    values = chance.integers(-3, 4, 30).astype(float)
    table = np.zeros((5, 7))
    np.add.at(table, (row, column), values)
    rows, columns = (index.ravel() for index in np.indices(table.shape))
    np.testing.assert_array_equal(sums_at(rows, columns, row, column, values), table.ravel())
    nothing = np.zeros(0, np.int64)
    assert sums_at(rows, columns, nothing, nothing, np.zeros(0)).tolist() == [0.0] * 35


def test_a_long_chain_in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """No recursion: depth is not limited by Python's stack."""
    monkeypatch.setattr(small, "is_small", lambda _: True)
    count = 6000
    rows = np.arange(count)
    chain = incidence(np.concatenate([rows, rows[1:]]), np.concatenate([rows, rows[:-1]]), (count, count))
    label, graph = strong_blocks(chain, match(chain))
    assert len(set(label.tolist())) == count
    level = levels(graph)
    assert level.max() == count - 1

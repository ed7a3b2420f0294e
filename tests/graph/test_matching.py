"""Assignments of columns to rows: as many as possible, the cheapest, and fast on patterns that lead into dead ends."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from graph.test_small import random_matrix
from seeds import each_seed
from tellegen.graph.incidence import Incidence, incidence
from tellegen.graph.matching import match, match_cheapest
from waiting import costs_at_most


def checked(matrix: Incidence, assigned: np.ndarray) -> int:
    """The number of rows with a column, each one of its own and in its row."""
    given = assigned[assigned >= 0]
    assert len(np.unique(given)) == len(given)
    assert all(column in matrix.columns_of_rows[row] for row, column in enumerate(assigned) if column >= 0)
    return len(given)


@each_seed(range(150))
def test_a_matching_is_as_large_as_scipys(seed: int) -> None:
    matrix = random_matrix(seed)
    expected = scipy.sparse.csgraph.maximum_bipartite_matching(matrix.matrix, perm_type="column")
    assert checked(matrix, match(matrix)) == (expected >= 0).sum()


@each_seed(range(150))
def test_the_cheapest_matching_costs_what_scipys_costs(seed: int) -> None:
    """SciPy solves the assignment problem, where costs belong to entries; here they are the same in all of a column."""
    matrix = random_matrix(seed)
    random = np.random.default_rng(seed)
    width = matrix.shape[1]
    cost = random.integers(1, 5, width).astype(float) if seed % 2 else random.uniform(1.0, 2.0, width)
    assigned = match_cheapest(matrix, cost)
    assert checked(matrix, assigned) == checked(matrix, match(matrix))
    if (assigned >= 0).all():
        graph = scipy.sparse.csr_array((cost[matrix.indices], matrix.indices, matrix.indptr), matrix.shape)
        _, expected = scipy.sparse.csgraph.min_weight_full_bipartite_matching(graph)
        assert cost[assigned].sum() == pytest.approx(cost[expected].sum())


def dead_ends(layers: int, width: int) -> Incidence:
    """A row whose only way to a free column is a long chain, and one that leads into full layers without a free column.

    A search that does not mark dead ends takes all width**layers ways through the layers.
    """
    chain = [(k, k + step) for k in range(layers) for step in (0, 1)]
    first = layers + 1  # column of the layers
    inner = range(layers * width)
    own = [(layers + k, first + k) for k in inner]
    onward = [(layers + k, first + (k // width + 1) * width + j) for k in inner[:-width] for j in range(width)]
    count = layers * (width + 1) + 2
    dead = [(count - 2, first + j) for j in range(width)]
    rows, columns = np.array([*chain, *own, *onward, *dead, (count - 1, 0)]).T
    return incidence(rows, columns, (count, count))


def match_dead_ends(layers: int, arrangement: str) -> None:
    matrix = dead_ends(layers, 3)
    count = matrix.shape[0]
    order = {
        "as written": np.arange(count),
        "reversed": np.arange(count)[::-1],
        "shuffled": np.random.default_rng(1).permutation(count),
    }[arrangement]
    shuffled = incidence(order[matrix.row_of_entry], matrix.indices, matrix.shape)
    assert checked_size(match(shuffled)) == count - 1
    assert checked_size(match_cheapest(shuffled, np.random.default_rng(2).random(count))) == count - 1


@pytest.mark.parametrize("arrangement", ["as written", "reversed", "shuffled"])
def test_dead_ends_take_time_in_proportion_to_layers(arrangement: str) -> None:
    """20 times the layers: 400 times the work would be quadratic, and without marks 3**300 ways would be tried."""
    assert costs_at_most(80.0, lambda: match_dead_ends(6_000, arrangement), lambda: match_dead_ends(300, arrangement))


def checked_size(assigned: np.ndarray) -> int:
    given = assigned[assigned >= 0]
    assert len(np.unique(given)) == len(given)
    return len(given)

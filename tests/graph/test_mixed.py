"""Mixed matrices: what pattern and exact weights together say of regularity is what numbers say."""

from __future__ import annotations

import numpy as np

from seeds import each_seed
from tellegen.graph.incidence import incidence
from tellegen.graph.matching import match
from tellegen.graph.mixed import ExactEntries, dependent_sums, vanishing_sums


def random_mixed(seed: int) -> tuple[np.ndarray, int]:
    """A square matrix: first its exact rows, and how many there are, then rows of random numbers at some places.

    Most exact rows are differences, as the equations of a network are; some are sums of others.
    """
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 14))
    exact = int(random.integers(1, count + 1))
    matrix = np.zeros((count, count))
    for row in range(exact):
        columns = random.choice(count, min(count, int(random.integers(2, 4))), replace=False)
        matrix[row, columns] = random.choice([-1.0, 1.0, 2.0], len(columns), p=[0.45, 0.45, 0.1])
        if row > 1 and random.random() < 0.15:
            matrix[row] = matrix[: row - 1].sum(axis=0)
    for row in range(exact, count):
        columns = random.choice(count, min(count, int(random.integers(1, 4))), replace=False)
        matrix[row, columns] = random.uniform(0.5, 1.5, len(columns))
    return matrix, exact


def is_regular(matrix: np.ndarray, exact: int) -> bool:
    """By sums alone: rows are replaced until the matching is complete and nothing is dependent, or it is incomplete."""
    for _ in range(len(matrix) + 1):
        row, column = np.nonzero(matrix)
        pattern = incidence(row, column, matrix.shape)
        assigned = match(pattern)
        if (assigned < 0).any():
            return False
        mine = row < exact
        weight = matrix[row[mine], column[mine]].astype(np.int64)
        sums = dependent_sums(pattern, assigned, ExactEntries(row[mine], column[mine], weight))
        if not sums:
            return True
        replaced = matrix.copy()
        for each in sums:
            replaced[each.replaces] = sum(weight * matrix[row] for row, weight in each.weights.items())
        rank = np.linalg.matrix_rank
        assert rank(replaced[:exact]) == rank(matrix[:exact])  # no equation is lost
        matrix = replaced
    raise AssertionError("the rounds do not end")


@each_seed(range(300))
def test_sums_show_what_numbers_show(seed: int) -> None:
    matrix, exact = random_mixed(seed)
    assert is_regular(matrix, exact) == (np.linalg.matrix_rank(matrix) == len(matrix))


def test_both_verdicts_occur_and_patterns_alone_do_not_know() -> None:
    complete = regular = 0
    for seed in range(300):
        matrix, _ = random_mixed(seed)
        row, column = np.nonzero(matrix)
        if (match(incidence(row, column, matrix.shape)) >= 0).all():
            complete += 1
            regular += int(np.linalg.matrix_rank(matrix) == len(matrix))
    assert complete - regular > 10
    assert regular > 50


def test_a_dependent_row_replaces_itself_only_where_it_must() -> None:
    """Three differences around a ring, and a row of unknown numbers that has nothing to do with them."""
    weights = np.array([[1, -1, 0, 0], [0, 1, -1, 0], [-1, 0, 1, 0]])
    row, column = np.nonzero(weights)
    pattern = incidence([*row, 3], [*column, 3], (4, 4))
    exact = ExactEntries(row, column, weights[row, column])
    (only,) = dependent_sums(pattern, match(pattern), exact)
    assert only.replaces == 2
    assert only.weights == {0: 1, 1: 1, 2: 1}


@each_seed(range(100))
def test_vanishing_sums_are_as_many_as_dependent_rows(seed: int) -> None:
    matrix, exact = random_mixed(seed)
    given = matrix[:exact]
    row, column = np.nonzero(given)
    sums = vanishing_sums(ExactEntries(row, column, given[row, column].astype(np.int64)))
    assert len(sums) == np.count_nonzero(given.any(axis=1)) - np.linalg.matrix_rank(given)
    for each in sums:
        assert not sum(weight * given[k] for k, weight in each.weights.items()).any()
        assert all(other is each or each.replaces not in other.weights for other in sums)

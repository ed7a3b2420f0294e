"""Columns chosen to follow from the others, against the rank that NumPy finds."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from tellegen.graph import independent
from tellegen.graph.core import Cores, Entries
from tellegen.graph.independent import independent_columns


def random_matrix(random: np.random.Generator, rows: int) -> tuple[Any, Any]:
    """Few entries, now and then a row that repeats others, and what is wanted to be kept."""
    columns = rows + int(random.integers(0, rows + 1))
    matrix = np.where(random.random((rows, columns)) < 2.5 / rows, random.choice([1.0, -1.0, 10.0], (rows, columns)), 0)
    if rows > 2 and random.random() < 0.3:
        a, b, c = random.choice(rows, 3, replace=False)
        matrix[a] = matrix[b] - 2.0 * matrix[c]
    return matrix, random.integers(0, 3, columns).astype(float)


def least_kept(matrix: Any, keep: Any) -> float:
    """The smallest sum of `keep` over all regular choices, by trying all of them."""
    rows, columns = matrix.shape
    choices = (list(some) for some in itertools.combinations(range(columns), rows))
    return min(keep[some].sum() for some in choices if np.linalg.matrix_rank(matrix[:, some]) == rows)


@pytest.mark.parametrize("large", [100, 0], ids=["projection", "elimination"])
def test_small_choices_are_the_best_of_all(large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(independent, "_LARGE", large)
    random = np.random.default_rng(18)
    complete = 0
    for _ in range(300):
        matrix, keep = random_matrix(random, int(random.integers(1, 6)))
        found = independent_columns(matrix, keep, varying=False)
        if np.linalg.matrix_rank(matrix) < len(matrix):
            assert found is None
            continue
        complete += 1
        assert len(set(found.tolist())) == len(matrix)
        assert np.linalg.matrix_rank(matrix[:, found]) == len(matrix)
        assert keep[found].sum() == least_kept(matrix, keep)
    assert complete > 50


@pytest.mark.parametrize("varying", [False, True])
def test_large_choices_are_regular(varying: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same choice is as good with and without taking apart: both wishes and rank are those of the dense one."""
    random = np.random.default_rng(7)
    complete = 0
    for _ in range(40):
        matrix, keep = random_matrix(random, int(random.integers(20, 60)))
        dense = independent_columns(matrix, keep, varying)
        with monkeypatch.context() as patch:
            patch.setattr(independent, "_LARGE", 3)
            found = independent_columns(matrix, keep, varying)
        full = np.linalg.matrix_rank(matrix) == len(matrix)
        assert (found is not None) == full == (dense is not None)
        if full:
            complete += 1
            assert np.linalg.matrix_rank(matrix[:, found]) == len(matrix)
            if not varying:
                assert keep[found].sum() == keep[dense].sum()
    assert complete > 3


def test_no_column_is_named_twice() -> None:
    """Columns that differ by roundings: when the first is taken, what is left of it is as large as the others."""
    base = np.array([[1.0, 1.0, 1.0], [0.1, 0.1, 0.1]])
    for scale in (1e-17, 1e-16, 1e-15):
        assert independent_columns(base * (1.0 + scale * np.arange(3)), np.zeros(3), varying=True) is None


@pytest.mark.parametrize("count", [150, 4000])
def test_many_gears_in_one_housing(count: int) -> None:
    """phi_a - phi_h = ratio (phi_b - phi_h) for each gear: the angles that are wanted are kept, at any size."""
    gear = np.arange(count)
    ratio = 10.0 + gear % 3
    row = np.tile(gear, 3)
    column = np.concatenate([1 + 2 * gear, 2 + 2 * gear, np.zeros(count, int)])
    values = np.concatenate([np.ones(count), -ratio, ratio - 1.0])
    entries = Entries((count, 2 * count + 1), row, column, np.zeros(3 * count, bool))
    keep = np.zeros(2 * count + 1)
    keep[0] = 2.0
    keep[2::2] = 1.0
    cores = Cores(entries, values, keep, np.ones(count, int), np.ones(2 * count + 1, int))
    chosen = cores.stages(values)
    assert chosen is not None
    assert np.flatnonzero(chosen[0]).tolist() == (1 + 2 * gear).tolist()

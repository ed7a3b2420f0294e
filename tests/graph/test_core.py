"""What is left of a matrix when all that can always be computed is eliminated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tellegen.graph.core import Entries, find_cores, stages
from tellegen.graph.independent import lasting_columns, stays_regular


def sparse(matrix: Any, varies: Any) -> tuple[Entries, Any]:
    matrix, varies = np.asarray(matrix, float), np.asarray(varies, bool)
    row, column = np.nonzero((matrix != 0) | varies)
    return Entries(matrix.shape, row, column, varies[row, column]), matrix[row, column]


# x - L cos(phi), y - L sin(phi), phi - q, once with a wall that holds y: columns x, y, phi, q
LINK = [[1.0, 0.0, 0.3, 0.0], [0.0, 1.0, -0.7, 0.0], [0.0, 0.0, 1.0, -1.0]]
LINK_VARIES = [[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
KEEP = np.array([0.0, 0.0, 0.0, 9.0])


def test_a_tree_leaves_nothing() -> None:
    entries, values = sparse(LINK, LINK_VARIES)
    (core,) = find_cores(entries, values, KEEP, np.ones(3, int), np.ones(4, int))
    assert not len(core.rows)
    assert core.columns.tolist() == [3]
    assert stages([core], values, KEEP, np.ones(4, int))[0].tolist() == [True, True, True, False]  # type: ignore[index]


def test_a_loop_leaves_its_closure() -> None:
    """Two chains that meet: the one row left is the difference of what they say, whatever the numbers."""
    matrix = [[1, 0, 0.4, 0.0], [1, 0, 0, 0.9], [0, 1, -2.0, 0.0]]
    varies = [[0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 1, 0]]
    entries, values = sparse(matrix, varies)
    keep = np.array([0.0, 0.0, 9.0, 8.0])
    (core,) = find_cores(entries, values, keep, np.ones(3, int), np.ones(4, int))
    assert len(core.rows) == 1
    assert core.columns.tolist() == [2, 3]
    assert core.varies.all()
    np.testing.assert_allclose(np.abs(core.reduced(values)), [[0.4 / 0.9, 1.0]])
    assert stages([core], values, keep, np.ones(4, int))[0].tolist() == [True, True, False, True]  # type: ignore[index]
    values[entries.column == 3] = 1e-3  # now the other one must follow, though it would rather be kept
    assert stages([core], values, keep, np.ones(4, int))[0].tolist() == [True, True, True, False]  # type: ignore[index]


def test_dependent_rows_are_seen_behind_the_elimination() -> None:
    """The same loop closed twice: what is left is a rounding, not a row."""
    matrix = [[1, 0.1, 0.0], [1, 0.1, 0.0], [0, 0.3, 1.0]]
    entries, values = sparse(matrix, [[0, 1, 0], [0, 1, 0], [0, 1, 0]])
    cores = find_cores(entries, values, np.array([0.0, 1.0, 0.0]), np.ones(3, int), np.ones(3, int))
    assert stages(cores, values, np.zeros(3), np.ones(3, int)) is None


@pytest.mark.parametrize(
    ("varies", "regular"),
    [([[0, 1], [0, 0]], True), ([[0, 0], [1, 0]], False), ([[1, 0], [0, 0]], False)],
)
def test_regular_whatever_the_varying_entries_are(varies: Any, regular: bool) -> None:
    """[[1, v], [0, 1]] has the determinant 1; with v below, next to an entry above, or on the diagonal it may be 0."""
    matrix = np.array([[1.0, 0.5 if not varies[0][1] else 0.2], [0.0, 1.0]])
    entries, values = sparse(matrix, varies)
    assert stays_regular(2, entries.row, entries.column, values, entries.varies) is regular


def test_wishes_count_where_they_last() -> None:
    """A small constant entry is as good as a large varying one: its column may follow for good."""
    matrix = np.array([[0.01, 1.0]])
    assert lasting_columns(matrix, np.array([[False, True]]), np.array([0.0, 1.0])).tolist() == [0]
    assert lasting_columns(matrix, np.array([[True, True]]), np.array([0.0, 1.0])).tolist() == [1]

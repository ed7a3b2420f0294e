"""What is left of a matrix when all that can always be computed is eliminated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tellegen.graph.core import Core, Cores, Entries
from tellegen.graph.independent import lasting_columns, stays_regular


def sparse(matrix: Any, varies: Any) -> tuple[Entries, Any]:
    matrix, varies = np.asarray(matrix, float), np.asarray(varies, bool)
    row, column = np.nonzero((matrix != 0) | varies)
    return Entries(matrix.shape, row, column, varies[row, column]), matrix[row, column]


def found(matrix: Any, varies: Any, keep: Any) -> tuple[Cores, Core, Entries, Any]:
    """The cores of one stage, the first of them, and the matrix."""
    entries, values = sparse(matrix, varies)
    m, n = entries.shape
    cores = Cores(entries, values, np.asarray(keep, float), np.ones(m, int), np.ones(n, int))
    return cores, cores.at(1, np.ones(n, bool)), entries, values


def picked(cores: Cores, values: Any) -> list[int]:
    stages = cores.stages(values)
    assert stages is not None
    return np.flatnonzero(stages[0]).tolist()


# x - L cos(phi), y - L sin(phi), phi - q, once with a wall that holds y: columns x, y, phi, q
LINK = [[1.0, 0.0, 0.3, 0.0], [0.0, 1.0, -0.7, 0.0], [0.0, 0.0, 1.0, -1.0]]
LINK_VARIES = [[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0]]


def test_a_tree_leaves_nothing() -> None:
    cores, core, _, values = found(LINK, LINK_VARIES, [0, 0, 0, 9])
    assert not len(core.rows)
    assert core.columns.tolist() == [3]
    assert picked(cores, values) == [0, 1, 2]


def test_a_loop_leaves_its_closure() -> None:
    """Two chains that meet: the one row left is the difference of what they say, whatever the numbers."""
    matrix = [[1, 0, 0.4, 0.0], [1, 0, 0, 0.9], [0, 1, -2.0, 0.0]]
    varies = [[0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 1, 0]]
    cores, core, entries, values = found(matrix, varies, [0, 0, 9, 8])
    assert len(core.rows) == 1
    assert core.columns.tolist() == [2, 3]
    assert core.varies.all()
    np.testing.assert_allclose(np.abs(core.reduced(values)), [[0.4 / 0.9, 1.0]])
    assert picked(cores, values) == [0, 1, 3]
    values[entries.column == 3] = 1e-3  # now the other one must follow, though it would rather be kept
    assert picked(cores, values) == [0, 1, 2]


def test_dependent_rows_are_seen_behind_the_elimination() -> None:
    """The same loop closed twice: what is left is a rounding, not a row."""
    matrix = [[1, 0.1, 0.0], [1, 0.1, 0.0], [0, 0.3, 1.0]]
    cores, _, _, values = found(matrix, [[0, 1, 0], [0, 1, 0], [0, 1, 0]], [0, 1, 0])
    assert cores.stages(values) is None


def test_the_stage_of_positions_goes_by_wishes_of_its_own() -> None:
    """y' = v sin(q) and z = y + h(q): at the level of accelerations all follow from v and q, and of the positions the
    one that is wanted is kept, not the one whose rate has an equation. Columns v, y, z, q."""
    matrix = [[0.6, -1.0, 0.0, 0.3], [0.0, 1.0, -1.0, 0.2]]
    entries, values = sparse(matrix, [[1, 0, 0, 1], [0, 0, 0, 1]])
    cores = Cores(entries, values, np.array([9.5, 3.0, 8.0, 9.0]), np.array([1, 2]), np.array([1, 2, 2, 2]))
    chosen = cores.stages(values)
    assert chosen is not None
    assert [np.flatnonzero(stage).tolist() for stage in chosen] == [[1, 2], [1]]


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

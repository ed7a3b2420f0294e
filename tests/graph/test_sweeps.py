"""Recurrences found in random statements: every row once, and after all it reads."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from seeds import each_seed
from tellegen.graph.arrays import among, missing
from tellegen.graph.sweeps import Loose, Statements, Sweep, sweeps


def statements(
    cells: int, shapes: int, own: list[tuple[int, int]], other: list[tuple[int, int]], before: list[int]
) -> Statements:
    """Every cell has a row of every shape; shape a reads b of its own cell, or of the cell before it (-1: of none)."""
    row = np.arange(cells * shapes).reshape(cells, shapes)
    pairs = [(row[c, a], row[c, b]) for c in range(cells) for a, b in own]
    pairs += [(row[c, a], row[before[c], b]) for c in range(cells) if before[c] >= 0 for a, b in other]
    reader, read = np.array(pairs, np.int64).reshape(-1, 2).T
    shape = np.tile(np.arange(shapes), cells)
    cell = np.repeat(np.arange(cells), shapes)
    return Statements(shape, cell, levels(cells * shapes, reader, read), np.zeros(len(shape), bool), reader, read)


def levels(count: int, reader: Any, read: Any) -> Any:
    level = np.zeros(count, np.int64)
    for _ in range(count):
        new = level.copy()
        np.maximum.at(new, reader, level[read] + 1)
        if (new == level).all():
            return level
        level = new
    raise AssertionError("a cycle")


def when(rows: Statements, parts: list[Sweep | Loose]) -> Any:
    """The moment each row is computed; rows of one level of loose ones have the same."""
    moment = np.full(len(rows.shape), -1)
    now = 0
    for part in parts:
        if isinstance(part, Loose):
            assert (moment[part.rows] < 0).all()
            moment[part.rows] = now + rows.level[part.rows]
            now += int(rows.level[part.rows].max()) + 1
            continue
        assert sum(end - begin for _, begin, end in part.runs) == sum(map(len, part.kinds))
        for kind, begin, end in part.runs:
            assert (rows.shape[part.kinds[kind]] == rows.shape[part.kinds[kind][0]]).all()
            for row in part.kinds[kind][begin:end].ravel():
                assert moment[row] < 0
                moment[row] = now
                now += 1
    assert (moment >= 0).all()
    return moment


def is_valid(rows: Statements, parts: list[Sweep | Loose]) -> bool:
    moment = when(rows, parts)
    return bool((moment[rows.read] < moment[rows.reader]).all())


def test_a_chain_is_one_loop() -> None:
    rows = statements(50, 3, [(1, 0), (2, 1)], [(0, 2)], list(range(-1, 49)))
    (part,) = sweeps(rows)
    assert isinstance(part, Sweep)
    assert [kind.shape for kind in part.kinds] == [(50, 3)]
    assert is_valid(rows, [part])


def test_opposite_directions_are_two_loops() -> None:
    """Shape 0 goes outward, shape 1 reads it and goes inward."""
    outward = statements(20, 2, [(1, 0)], [(0, 0)], list(range(-1, 19)))
    row = np.arange(40).reshape(20, 2)
    reader = np.concatenate([outward.reader, row[:-1, 1]])
    read = np.concatenate([outward.read, row[1:, 1]])
    rows = Statements(outward.shape, outward.cell, levels(40, reader, read), outward.loose, reader, read)
    parts = sweeps(rows)
    assert [kind.shape for part in parts if isinstance(part, Sweep) for kind in part.kinds] == [(20, 1), (20, 1)]
    assert is_valid(rows, parts)


def test_cells_that_follow_each_other_are_one_iteration() -> None:
    """Cells of two kinds in turn along a chain: the loop goes over pairs."""
    chain = statements(40, 1, [], [(0, 0)], list(range(-1, 39)))
    rows = Statements(np.arange(40) % 2, chain.cell, chain.level, chain.loose, chain.reader, chain.read)
    (part,) = sweeps(rows)
    assert isinstance(part, Sweep)
    assert [kind.shape for kind in part.kinds] == [(20, 2)]
    assert is_valid(rows, [part])


@each_seed(range(60))
def test_random_statements_are_put_in_order(seed: int) -> None:
    """Random cells and shapes that have nothing to do with what reads what: whatever is found must be in order."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 120))
    pairs = rng.integers(0, count, (int(rng.integers(1, 4 * count)), 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    reader, read = pairs.max(axis=1), pairs.min(axis=1)
    level = levels(count, reader, read)
    cell = rng.integers(0, int(rng.integers(1, count + 1)), count)
    loose = rng.random(count) < rng.choice([0.0, 0.1])
    kinds = int(rng.integers(1, 8))
    shape = np.where(loose, kinds + level, rng.integers(0, kinds, count))
    order = np.lexsort((shape, cell))  # at most one row of each shape in a cell
    rank = np.zeros(count, np.int64)
    for a, b in pairwise(order):
        rank[b] = rank[a] + 1 if (cell[a], shape[a]) == (cell[b], shape[b]) and not loose[a] else 0
    shape = np.unique(shape * count + rank, return_inverse=True)[1].ravel()
    rows = Statements(shape, cell, level, loose, reader, read)
    assert is_valid(rows, sweeps(rows))


@pytest.mark.parametrize("seed", range(30))
def test_random_trees_of_recurrences_are_put_in_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells, shapes = int(rng.integers(2, 60)), int(rng.integers(1, 7))
    before = [int(rng.integers(-1, k)) if rng.random() < 0.5 else k - 1 for k in range(cells)]
    own = [(a, b) for a in range(shapes) for b in range(a) if rng.random() < 0.5]
    other = [(a, b) for a in range(shapes) for b in range(shapes) if rng.random() < 0.3] or [(0, 0)]
    rows = statements(cells, shapes, own, other, before)
    parts = sweeps(rows)
    assert is_valid(rows, parts)
    assert all(isinstance(part, Sweep) for part in parts)
    assert sum(part.kinds[0].shape[1] for part in parts if isinstance(part, Sweep)) <= shapes


def test_values_that_are_not_known_yet() -> None:
    random = np.random.default_rng(4)
    for size in (0, 1, 5, 40):
        for many in (0, 1, 30):
            values = random.integers(0, 50, size)
            known = np.unique(random.integers(0, 50, many))
            assert np.array_equal(missing(values, known), np.setdiff1d(values, known))
            assert np.array_equal(among(values, known), np.isin(values, known))

"""Rows of a sparse integer matrix that depend on others, with the combination that shows it.

Rows with a column of their own cannot depend on others and are peeled off, again and again; what is left of a network
is small, and there exact elimination with fractions finds every combination that adds up to zero.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from tellegen.graph.arrays import Array
from tellegen.graph.incidence import incidence

Row = dict[int, Fraction]


def dependent_rows(rows: Array, columns: Array, values: Array, count: int, limit: int) -> list[dict[int, int]]:
    """Combinations (row -> integer) that add up to zero, one for each dependent row, which comes last in it.

    `limit` bounds the number of rows left to eliminate; beyond it nothing is looked for.
    """
    core = _core(rows, columns, count)
    if not 0 < len(core) <= limit:
        return []
    inside = np.isin(rows, core)
    entries: dict[int, Row] = {int(r): {} for r in core}
    for r, c, v in zip(rows[inside].tolist(), columns[inside].tolist(), values[inside].tolist(), strict=True):
        entries[r][c] = entries[r].get(c, Fraction(0)) + Fraction(v)
    return [_whole(combination) for combination in _eliminate(entries)]


def _core(rows: Array, columns: Array, count: int) -> Any:
    """The rows left when all that have a column of their own are peeled off."""
    if not len(rows):
        return np.zeros(0, np.int64)
    pattern = incidence(rows, columns, (count, int(columns.max()) + 1))
    row = pattern.row_of_entry
    column = pattern.indices
    present = np.zeros(count, bool)
    present[rows] = True
    while True:
        users = np.bincount(column[present[row]], minlength=pattern.shape[1])
        single = np.zeros(count, bool)
        single[row[users[column] == 1]] = True
        single &= present
        if not single.any():
            return np.flatnonzero(present)
        present &= ~single


def _eliminate(entries: dict[int, Row]) -> list[Row]:
    """Gaussian elimination, rows in order, each with the combination of original rows it has become."""
    pivots: dict[int, tuple[Row, Row]] = {}
    found: list[Row] = []
    for number, given in entries.items():
        row = dict(given)
        combination = {number: Fraction(1)}
        row = {c: v for c, v in row.items() if v}
        while row:
            column = next((c for c in row if c in pivots), None)
            if column is None:
                pivots[min(row)] = (row, combination)
                break
            other, history = pivots[column]
            factor = row[column] / other[column]
            row = _less(row, other, factor)
            combination = _less(combination, history, factor)
        else:
            found.append(combination)
    return found


def _less(a: Row, b: Row, factor: Fraction) -> Row:
    """a - factor * b, zeros left out."""
    out = dict(a)
    for key, value in b.items():
        out[key] = out.get(key, Fraction(0)) - factor * value
    return {key: value for key, value in out.items() if value}


def _whole(combination: Row) -> dict[int, int]:
    """The combination in integers, the row that was found dependent last."""
    scale = lcm(*(value.denominator for value in combination.values()))
    return {row: int(value * scale) for row, value in sorted(combination.items())}

"""Bounds of the values of tables with one argument."""

from __future__ import annotations

from math import inf

import numpy as np

from tellegen.ir.expressions.table import Table
from tellegen.ir.model import FloatArray, IntArray
from tellegen.symbolic.bounds.operations import Bounds
from tellegen.symbolic.bounds.pairs import EVERYTHING, Pair, chosen, times


def looked_up(table: Table, a: Bounds) -> tuple[Pair, Pair]:
    """The value and its slope."""
    value = _range(table, a.value)
    jumps = table.jumps(0)
    inside = np.searchsorted(jumps, a.value.high, "right") > np.searchsorted(jumps, a.value.low, "left")
    slope = times(_range(table.slope(0), a.value), a.slope)
    return value, chosen(inside, inside, EVERYTHING, EVERYTHING, slope)


def _range(table: Table, a: Pair) -> Pair:
    """Its values at the ends and at all breaks between, and how far it bends away from these."""
    breaks = table.breaks[0]
    widths = np.diff(breaks)
    inner = table.coefficients[1:-1]
    bend = np.zeros(len(widths) + 2)
    for power in range(2, table.coefficients.shape[1]):
        bend[1:-1] += np.abs(inner[:, power]) * widths**power
    bend[[0, -1]] = np.where(np.any(table.coefficients[[0, -1]][:, 2:], axis=1), inf, 0.0)
    start, end = (np.atleast_1d(np.searchsorted(breaks, x, "right")) for x in a)
    left = table.coefficients[1:, 0]  # after each break
    before = np.asarray(table(np.nextafter(breaks, -inf)), float)
    tops, bottoms = np.maximum(left, before), np.minimum(left, before)
    ends = [np.asarray(table(x), float) for x in a]
    high = np.maximum(_highest(tops, start, end), np.maximum(*ends))
    low = np.minimum(-_highest(-bottoms, start, end), np.minimum(*ends))
    more = np.where(start == end, bend[start], _highest(bend, start, end + 1))
    return Pair(low - more, high + more)


def _highest(values: FloatArray, first: IntArray, stop: IntArray) -> FloatArray:
    """The largest of values[first:stop], -inf where there is none; by a table of powers of two."""
    rows = [values]
    while 2 * 2 ** (len(rows) - 1) <= len(values):
        width = 2 ** (len(rows) - 1)
        rows.append(np.maximum(rows[-1][:-width], rows[-1][width:]))
    level = np.log2(np.maximum(stop - first, 1)).astype(int)
    found = np.full(first.shape, -inf)
    for k, row in enumerate(rows):
        mine = (level == k) & (stop > first)
        found[mine] = np.maximum(row[first[mine]], row[stop[mine] - 2**k])
    return found

"""Bounds of expressions over intervals of time: interval arithmetic with slopes, for many intervals at once.

    exp(-((t - 5)/1e-4)**2)   over 4.9 ... 4.98:  0 ... 1e-300     over 4.98 ... 5.06:  0 ... 1

Each value is known by its bounds, its value in the middle of the interval, and bounds of its derivative by time. With
half an interval h the value is within middle +- h * slope as well, so bounds are wrong by O(h^2) only (mean value form;
Moore, Kearfott, Cloud, Introduction to Interval Analysis, 2009, chapter 6). Rounding is not directed: bounds hold to
some 1e-14 of the terms.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tellegen.ir.expressions.expr import Call, Const, Expr, Lookup, Slot, Time, walk
from tellegen.ir.expressions.ops import OPS
from tellegen.ir.model import FloatArray
from tellegen.symbolic.bounds.operations import OPERATIONS, Bounds
from tellegen.symbolic.bounds.pairs import Pair, numbers
from tellegen.symbolic.bounds.tables import looked_up


class HasNoBoundsError(Exception):
    """An operation that has none: a function of the user, the past."""


def constant(value: FloatArray) -> Bounds:
    """A number for each interval, which does not change in it."""
    number = np.asarray(value, float)
    return Bounds(Pair(number, number), number, Pair(np.zeros_like(number), np.zeros_like(number)))


def bounded(expr: Expr, cells: Mapping[int, Bounds], time: Bounds, half: FloatArray) -> Bounds:
    """The bounds of an expression over intervals of half a width `half`, given those of its slots."""
    done: dict[Expr, Bounds] = {}
    with np.errstate(all="ignore"):
        for node in walk(expr):
            done[node] = _node(node, done, cells, time, half)
    return done[expr]


def _node(node: Expr, done: dict[Expr, Bounds], cells: Mapping[int, Bounds], time: Bounds, half: FloatArray) -> Bounds:
    if isinstance(node, Const):
        return constant(np.array(node.value, float))
    if isinstance(node, Slot):
        return cells[node.index]
    if isinstance(node, Time):
        return time
    args = [done[arg] for arg in node.args]
    if isinstance(node, Call):
        operation = OPERATIONS.get(node.op)
        if operation is None:
            raise HasNoBoundsError(node.op)
        value, slope = operation(*args)
        middle = 1.0 * OPS[node.op].numeric(*(arg.middle for arg in args))  # type: ignore[misc]
        return _tightened(value, middle, slope, half)
    if isinstance(node, Lookup) and len(node.args) == 1:
        value, slope = looked_up(node.table, args[0])
        return _tightened(value, np.asarray(node.table(args[0].middle), float), slope, half)
    raise HasNoBoundsError(type(node).__name__)


def _tightened(value: Pair, middle: FloatArray, slope: Pair, half: FloatArray) -> Bounds:
    """The better of both forms; what is not a number says nothing."""
    slope = numbers(slope)
    reach = np.maximum(np.abs(slope.low), np.abs(slope.high)) * half
    low = np.fmax(numbers(value).low, middle - reach)
    high = np.fmin(numbers(value).high, middle + reach)
    return Bounds(Pair(low, high), middle, slope)

"""Bounds of expressions over intervals contain all values, and become exact as intervals become short."""

from __future__ import annotations

import numpy as np
import pytest

from tellegen.ir.expressions.expr import TIME, Call, Const, Expr, Lookup, walk
from tellegen.ir.expressions.table import Table
from tellegen.symbolic.bounds.bounded import HasNoBoundsError, bounded
from tellegen.symbolic.bounds.operations import Bounds
from tellegen.symbolic.bounds.pairs import Pair
from tellegen.symbolic.bounds.traced import bounds_of_curve
from tellegen.symbolic.evaluate import evaluate

ONE_OPERAND = ("neg", "abs", "sin", "cos", "exp", "tanh", "atan", "sinh", "cosh", "floor", "sign", "sqrt", "log")
ONE_OPERAND += ("asin", "acos", "tan", "log10", "ceil")
TWO_OPERANDS = ("add", "sub", "mul", "div", "min", "max", "atan2", "mod")
POINTS = 200


def random_expr(rng: np.random.Generator, depth: int) -> Expr:
    """A function of time."""
    if depth == 0 or rng.random() < 0.1:
        return TIME if rng.random() < 0.6 else Const(float(rng.normal()))
    kind = rng.random()
    first = random_expr(rng, depth - 1)
    if kind < 0.45:
        return Call(str(rng.choice(ONE_OPERAND)), (first,))
    second = random_expr(rng, depth - 1)
    if kind < 0.85:
        return Call(str(rng.choice(TWO_OPERANDS)), (first, second))
    if kind < 0.93:
        return Call("pow", (first, Const(float(rng.choice([2, 3, -1, -2, 0.5, 1.5])))))
    condition = Call(str(rng.choice(["lt", "ge", "eq", "ne"])), (first, second))
    if rng.random() < 0.3:
        condition = Call("not", (condition,))
    return Call("where", (condition, random_expr(rng, depth - 1), random_expr(rng, depth - 1)))


def over(expr: Expr, begin: np.ndarray, end: np.ndarray) -> Bounds:
    """The bounds over intervals."""
    ones = np.ones_like(begin)
    time = Bounds(Pair(begin, end), 0.5 * (begin + end), Pair(ones, ones))
    return bounded(expr, {}, time, 0.5 * (end - begin))


def test_values_are_within_their_bounds():
    """150 random formulas over eight intervals each, wherever all their parts are numbers."""
    rng = np.random.default_rng(5)
    checked = 0
    for _ in range(150):
        expr = random_expr(rng, 4)
        edges = np.sort(rng.uniform(-3.0, 3.0, 9))
        found = over(expr, edges[:-1], edges[1:]).value
        low, high = (np.broadcast_to(side, (8,)) for side in found)
        times = np.linspace(edges[:-1], edges[1:], POINTS)
        parts = [np.broadcast_to(np.asarray(evaluate(part, {}, time=times), float), times.shape) for part in walk(expr)]
        is_fine = np.all(np.isfinite(parts), axis=(0, 1))
        if not is_fine.any():
            continue
        value = parts[-1][:, is_fine]
        near = 1e-9 * (1.0 + np.abs(value).max(axis=0))
        assert (value.min(axis=0) >= low[is_fine] - near).all(), expr
        assert (value.max(axis=0) <= high[is_fine] + near).all(), expr
        checked += int(is_fine.sum())
    assert checked > 500


def test_bounds_as_expressions_are_those_of_numbers():
    """What lanes compute, for 60 random formulas over eight intervals each."""
    rng = np.random.default_rng(6)
    compared = 0
    for _ in range(60):
        expr = random_expr(rng, 4)
        edges = np.sort(rng.uniform(-3.0, 3.0, 9))
        try:
            traced = bounds_of_curve(expr, [], [], []).values
        except HasNoBoundsError:
            continue
        found = over(expr, edges[:-1], edges[1:])
        middle, half = 0.5 * (edges[1:] + edges[:-1]), 0.5 * np.diff(edges)
        for end, number in zip(traced, (*found.value, *found.slope), strict=True):
            with np.errstate(all="ignore"):
                mine = np.asarray(evaluate(end, {0: half}, time=middle), float)
            assert np.allclose(mine, number, rtol=1e-9, atol=1e-12, equal_nan=True), expr
            compared += 1
    assert compared > 100


def test_bounds_become_exact_with_the_square_of_the_length():
    """Half the interval, a quarter of the excess: x*(1 - x) at its top, where plain intervals are wrong by O(h)."""
    expr = Call("mul", (TIME, Call("sub", (Const(1.0), TIME))))
    half = np.array([0.1, 0.05, 0.025])
    excess = over(expr, 0.45 - half, 0.45 + half).value.high - np.minimum(
        0.25, 0.25 - (0.05 - np.minimum(half, 0.05)) ** 2
    )
    assert (excess >= 0.0).all()
    assert excess[2] < 0.3 * excess[1] < 0.09 * excess[0]


def test_tables_and_what_has_no_bounds():
    table = Table((np.array([0.0, 1.0, 1.5]),), np.array([[2.0, 0.0], [2.0, -3.0], [-1.0, 8.0], [3.0, 0.0]]))
    found = over(Lookup(table, (TIME,)), np.array([-2.0, 0.2, 0.2, 1.2]), np.array([-1.0, 0.4, 1.2, 9.0])).value
    assert found.low == pytest.approx([2.0, 0.8, -1.0, 0.6])
    assert found.high == pytest.approx([2.0, 1.4, 1.4, 3.0])
    with pytest.raises(HasNoBoundsError):
        over(Call("pre", (TIME,)), np.zeros(1), np.ones(1))

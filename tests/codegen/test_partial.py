"""Every differentiable operation against finite differences."""

from __future__ import annotations

import math

import numpy as np
import pytest

from structure.handmade import read
from tellegen.ir.expressions.expr import Apply, Der, Function, Slot
from tellegen.ir.expressions.ops import OPS
from tellegen.symbolic.build import add, div, mul, neg, sub
from tellegen.symbolic.evaluate import evaluate
from tellegen.symbolic.linear import cancelled, weighted_sum
from tellegen.symbolic.partial import partial

TEXTS = [
    "a*b - c/a + 3.0",
    "a**3 + a**b + 2.0**c",
    "where(a > b, sqrt(a), b*c)",
    "min(a, b)*max(b, c) + abs(b - a)",
    "sign(a)*b + floor(a)*c + ceil(b)",
    "mod(a*7.0, b)",
    "atan2(a, b) + exp(c*a) + log(a) + log10(b)",
    "sin(a*b) + cos(b) + tan(c) + asin(c) + acos(c) + atan(a)",
    "sinh(a) + cosh(b) + tanh(c*a)",
    "-(a*b)/(c + b*b) + smooth(1, a*c) + no_event(b) + homotopy(a*a, a)",
    "where((a > 0.0) & ~(b < c), a*b, c)",
]


@pytest.mark.parametrize("text", TEXTS)
def test_partials_match_finite_differences(text: str) -> None:
    expr, names = read(text)
    at = {"a": 0.7, "b": 0.45, "c": 0.3}
    values = [at[name] for name in names]
    for k in range(len(names)):
        exact = float(evaluate(partial(expr, Slot(k)), values))
        h = 1e-6
        up, down = ([v + s * h * (j == k) for j, v in enumerate(values)] for s in (1, -1))
        numeric = (evaluate(expr, up) - evaluate(expr, down)) / (2 * h)
        assert exact == pytest.approx(float(numeric), rel=1e-6, abs=1e-7)


def test_every_operation_has_a_rule() -> None:
    from tellegen.symbolic.partial import _RULES

    assert set(_RULES) == set(OPS)


def test_branch_not_taken_does_not_spoil_the_derivative() -> None:
    expr, _ = read("where(a > 0.0, sqrt(a), 0.0)")
    assert evaluate(partial(expr, Slot(0)), [np.array([-1.0, 4.0])]).tolist() == [0.0, 0.25]


def test_derivative_by_a_rate() -> None:
    expr, names = read("L*der(i) + R*i")
    assert partial(expr, Der(names.index("i"))) == Slot(names.index("L"))


def test_slope_of_an_opaque_function() -> None:
    """A central difference; with the step in proportion to argument or nominal size its error is 1e-10 to 1e-7."""
    for x in (-2.0, 0.0, 1e-3, 0.7, 1e4):
        call = Apply(Function("mystery", math.sin), (mul(Slot(0), Slot(0)),))
        value = evaluate(partial(call, Slot(0)), [x])
        limit = 1e-7 if x < 10 else np.inf  # where the function turns within a step no slope can be told
        assert abs(value - 2 * x * math.cos(x * x)) < limit
    charge = Apply(Function("unknown size", lambda q: q * q), (Slot(0),))
    assert evaluate(partial(charge, Slot(0)), [2e-5]) == pytest.approx(4e-5, rel=1e-6), (
        "sizes down to 1e-5 need no help"
    )
    small = Apply(Function("small", lambda q: q * q / 1e-9, nominal=(1e-6,)), (Slot(0),))
    assert evaluate(partial(small, Slot(0)), [1e-7]) == pytest.approx(200.0, rel=1e-6)


def test_slope_at_the_edge_of_what_is_defined() -> None:
    above = Function("above", lambda x: 3 * x if x >= 1 else np.nan)
    below = Function("below", lambda x: 3 * x if x <= 1 else np.nan)
    for edge in (above, below):
        assert evaluate(partial(Apply(edge, (Slot(0),)), Slot(0)), [1.0]) == pytest.approx(3.0, rel=1e-9)


def test_slope_given_by_the_user() -> None:
    both = Function("both", lambda x, y: (x * y, x + y), 2, lambda x, y: ((y, x), (1.0, 1.0)))
    calls = [Apply(both, (Slot(0), Slot(1)), k) for k in range(2)]
    slopes = [evaluate(partial(call, Slot(s)), [3.0, 5.0]) for call in calls for s in range(2)]
    assert slopes == [5.0, 3.0, 1.0, 1.0]


def test_constructors_fold() -> None:
    x, y = Slot(0), Slot(1)
    zero, one = read("0.0")[0], read("1.0")[0]
    assert add(x, zero) == x
    assert mul(one, x) == x
    assert mul(zero, x) == zero
    assert sub(x, x) == zero
    assert neg(neg(x)) == x
    assert neg(sub(x, y)) == sub(y, x)
    assert div(zero, x) == zero


def test_weighted_sum_and_cancellation() -> None:
    expr, names = read("a - (b - a) + 3.0 - 2.0*sin(c)")
    weights, constant = weighted_sum(expr)
    assert constant == 3.0
    assert weights[Slot(names.index("a"))] == 2.0
    assert cancelled(read("x - (x - y)")[0]) == Slot(1)
    kept = read("x*y - z")[0]
    assert cancelled(kept) is kept
